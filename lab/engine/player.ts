/** The scripted player: presses and releases, each with the time at which it happened. */
import { createRandom } from './random.js';
import type { PlayerInput, Scenario } from './scenario.js';

/** Time between two inputs of the seeded player, in ms: a busy one. */
const MIN_GAP_MS = 80;
const MAX_GAP_MS = 400;

export class Player {
  readonly #next: () => PlayerInput | undefined;
  #waiting: PlayerInput | undefined;

  constructor(scenario: Pick<Scenario, 'inputs' | 'seed'>) {
    const { inputs, seed } = scenario;
    this.#next = inputs === 'auto' ? seededInputs(seed) : listedInputs(inputs);
    this.#waiting = this.#next();
  }

  /** Returns what has happened by now, in order. */
  happened(nowMs: number, receive: (input: PlayerInput) => void): void {
    while (this.#waiting !== undefined && this.#waiting.atMs <= nowMs) {
      receive(this.#waiting);
      this.#waiting = this.#next();
    }
  }
}

function listedInputs(inputs: readonly PlayerInput[]): () => PlayerInput | undefined {
  let index = 0;
  return () => inputs[index++];
}

function seededInputs(seed: number): () => PlayerInput {
  const random = createRandom(seed, 'player');
  let atMs = 0;
  return () => {
    atMs += MIN_GAP_MS + random() * (MAX_GAP_MS - MIN_GAP_MS);
    return { atMs, speed: Math.floor(random() * 3) - 1 };
  };
}
