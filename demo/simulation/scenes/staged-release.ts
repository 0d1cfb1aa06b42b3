/** Things that hang asleep in the air and are let go a few at a time. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';

export class StagedRelease {
  readonly #stages: { readonly atS: number; readonly bodies: readonly RigidBody[] }[] = [];
  #elapsedS = 0;

  /** Stages must be added in the order of their times, in simulated seconds since the start. */
  add(atS: number, bodies: readonly RigidBody[]): void {
    this.#stages.push({ atS, bodies });
  }

  advance(stepS: number): void {
    this.#elapsedS += stepS;
    while ((this.#stages[0]?.atS ?? Infinity) <= this.#elapsedS) {
      for (const body of this.#stages.shift()?.bodies ?? []) {
        if (body.isValid()) body.wakeUp();
      }
    }
  }
}
