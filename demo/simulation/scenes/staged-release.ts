/** Things that hang asleep in the air and are dropped a few at a time. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Json } from '../../../src/shared/index.js';
import type { RapierWorld, RigidBodyRef } from '../../../src/rapier/rapier.js';

export class StagedRelease {
  readonly #physics: RapierWorld;
  readonly #stages: { readonly atSeconds: number; readonly bodies: readonly RigidBodyRef[] }[] = [];
  #elapsedSeconds = 0;
  #next = 0;

  constructor(physics: RapierWorld) {
    this.#physics = physics;
  }

  /** Stages must be added in the order of their times, in simulated seconds since the start. */
  add(atSeconds: number, bodies: readonly RigidBody[]): void {
    this.#stages.push({ atSeconds, bodies: bodies.map((body) => this.#physics.ref(body)) });
  }

  advance(dt: number): void {
    this.#elapsedSeconds += dt;
    while ((this.#stages[this.#next]?.atSeconds ?? Infinity) <= this.#elapsedSeconds) {
      for (const { body } of this.#stages[this.#next]?.bodies ?? []) body?.wakeUp();
      this.#next += 1;
    }
  }

  save(): Json {
    return { elapsedSeconds: this.#elapsedSeconds, next: this.#next };
  }

  restore(saved: Json): void {
    const { elapsedSeconds, next } = saved as {
      readonly elapsedSeconds: number;
      readonly next: number;
    };
    this.#elapsedSeconds = elapsedSeconds;
    this.#next = next;
  }
}
