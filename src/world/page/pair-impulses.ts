/**
 * With which impulse two colliders pressed on each other last, as the worker reports it: the page's engine does not
 * simulate. It reports what the active events of the two ask for.
 */
import type { Collider } from './collider.js';
import type { OnWorldEvent } from './world-events.js';

export class PairImpulses {
  readonly #world: { readonly on: OnWorldEvent; readonly timestep: number };
  /** By the one with the lower handle, then by the other. Undefined until something asks. */
  #last: WeakMap<Collider, WeakMap<Collider, number>> | undefined;

  constructor(world: { readonly on: OnWorldEvent; readonly timestep: number }) {
    this.#world = world;
  }

  /** In N s; 0: nothing was reported since the first call, or since they ceased to touch. */
  of(a: Collider, b: Collider): number {
    if (this.#last === undefined) this.#listen();
    const [low, high] = a.handle < b.handle ? [a, b] : [b, a];
    return this.#last?.get(low)?.get(high) ?? 0;
  }

  /** What was reported is of another state of the run. */
  forget(): void {
    if (this.#last !== undefined) this.#last = new WeakMap();
  }

  #listen(): void {
    this.#last = new WeakMap();
    const now = { when: 'now' } as const;
    this.#world.on(
      'collision',
      // Not a number at an end, and if the event is late.
      ({ collider1, collider2, impulse }) => this.#note(collider1, collider2, impulse || 0),
      now,
    );
    this.#world.on(
      'contactForce',
      ({ collider1, collider2, totalForceMagnitude }) =>
        this.#note(collider1, collider2, totalForceMagnitude * this.#world.timestep),
      now,
    );
  }

  #note(a: Collider, b: Collider, impulse: number): void {
    const [low, high] = a.handle < b.handle ? [a, b] : [b, a];
    const others = this.#last?.get(low) ?? new WeakMap<Collider, number>();
    others.set(high, impulse);
    this.#last?.set(low, others);
  }
}
