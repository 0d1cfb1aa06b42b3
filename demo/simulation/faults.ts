/** Things that go wrong because somebody asked for it. */
import type { BodyRegistry } from '../../src/sim-worker/index.js';
import type { Fault } from '../contract/scene-contract.js';
import type { Stage } from './stage.js';

const HERE = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 } as const;

export class Faults {
  readonly #hang: () => void;
  #next: Exclude<Fault, 'full'> | undefined;

  /** @param hang Never returns. */
  constructor(hang: () => void) {
    this.#hang = hang;
  }

  /** @throws CapacityExceededError for `full`. */
  request(fault: Fault, bodies: BodyRegistry): void {
    if (fault === 'full') overfill(bodies);
    else this.#next = fault;
  }

  /** To be called before each step. @throws Error if that was asked for. */
  strike(stage: Stage | undefined): void {
    const fault = this.#next;
    this.#next = undefined;
    if (fault === 'throw') throw new Error('this step throws because it was asked to');
    if (fault === 'hang') this.#hang();
    // With everything asleep it takes a step more.
    if (fault === 'nan' && stage?.spoilBody() === false) this.#next = fault;
  }
}

/** Which slots bodies get later, and their generations, are part of the state: they must stay as they were. */
function overfill(bodies: BodyRegistry): never {
  const before = bodies.save();
  try {
    for (;;) bodies.spawn(HERE);
  } finally {
    bodies.restore(before);
  }
}
