/** Which number each body of a world has among those that are drawn. */
import type { BodyId } from '../../shared/memory/body-meta.js';

export class BodyIds {
  readonly #ids = new Map<number, BodyId>();
  readonly #handles = new Map<BodyId, number>();

  /** @param handle The page's number of a body. */
  idOf(handle: number): BodyId | undefined {
    return this.#ids.get(handle);
  }

  handleOf(id: BodyId): number | undefined {
    return this.#handles.get(id);
  }

  set(handle: number, id: BodyId): void {
    this.delete(handle);
    this.#ids.set(handle, id);
    this.#handles.set(id, handle);
  }

  delete(handle: number): void {
    const id = this.#ids.get(handle);
    if (id === undefined) return;
    this.#ids.delete(handle);
    if (this.#handles.get(id) === handle) this.#handles.delete(id);
  }

  clear(): void {
    this.#ids.clear();
    this.#handles.clear();
  }
}
