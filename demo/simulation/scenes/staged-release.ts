/** Things that hang asleep in the air and are let go a few at a time. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Json } from '../../../src/sim-worker/index.js';
import type { RapierWorld, RigidBodyRef } from '../../../src/sim-worker/engines/rapier.js';

export class StagedRelease {
  readonly #physics: RapierWorld;
  readonly #stages: { readonly atS: number; readonly bodies: readonly RigidBodyRef[] }[] = [];
  #elapsedS = 0;
  #next = 0;

  constructor(physics: RapierWorld) {
    this.#physics = physics;
  }

  /** Stages must be added in the order of their times, in simulated seconds since the start. */
  add(atS: number, bodies: readonly RigidBody[]): void {
    this.#stages.push({ atS, bodies: bodies.map((body) => this.#physics.ref(body)) });
  }

  advance(stepS: number): void {
    this.#elapsedS += stepS;
    while ((this.#stages[this.#next]?.atS ?? Infinity) <= this.#elapsedS) {
      for (const { body } of this.#stages[this.#next]?.bodies ?? []) body?.wakeUp();
      this.#next += 1;
    }
  }

  save(): Json {
    return { elapsedS: this.#elapsedS, next: this.#next };
  }

  restore(saved: Json): void {
    const { elapsedS, next } = saved as { readonly elapsedS: number; readonly next: number };
    this.#elapsedS = elapsedS;
    this.#next = next;
  }
}
