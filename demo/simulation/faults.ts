/** Faults on request. */
import type { Fault } from '../contract/scene-contract.js';
import type { Stage } from './stage.js';

export class Faults {
  readonly #hang: () => void;
  #next: Fault | undefined;

  /** @param hang Never returns. */
  constructor(hang: () => void) {
    this.#hang = hang;
  }

  request(fault: Fault): void {
    this.#next = fault;
  }

  /** Call it before each step. @throws Error if that was requested. */
  strike(stage: Stage | undefined): void {
    const fault = this.#next;
    this.#next = undefined;
    if (fault === 'throw') throw new Error('this step throws on request');
    if (fault === 'hang') this.#hang();
    // If everything is asleep it takes one more step.
    if (fault === 'nan' && stage?.spoilBody() === false) this.#next = fault;
  }
}
