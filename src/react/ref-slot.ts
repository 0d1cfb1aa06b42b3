/** The ref of a component of which others may make the handle: the colliders of a body are made again with it. */
import type { Ref } from 'react';

export class RefSlot<T> {
  #ref: Ref<T> | undefined;
  #value: T | undefined;
  #detach: (() => void) | undefined;

  /** @param ref Undefined while its component is unmounted or hidden. */
  set(ref: Ref<T> | undefined, value: T | undefined): void {
    if (ref === this.#ref && value === this.#value) return;
    this.#detach?.();
    this.#ref = ref;
    this.#value = value;
    this.#detach = value === undefined ? undefined : attach(ref, value);
  }
}

/** As React does it. */
function attach<T>(ref: Ref<T> | undefined, value: T): (() => void) | undefined {
  if (ref === undefined || ref === null) return undefined;
  if (typeof ref !== 'function') {
    ref.current = value;
    return () => {
      ref.current = null;
    };
  }
  const cleanUp = ref(value);
  return typeof cleanUp === 'function' ? cleanUp : () => void ref(null);
}
