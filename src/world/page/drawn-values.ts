/**
 * The numbers that an item had in the last states, blended as the frame blends the poses of bodies: the newest state is
 * ahead of what is drawn, and comes once in a tick.
 */
import type { SampledFrame } from '../../render-main/frame/frame.js';
import type { ValuesOf } from './page-values.js';

/** As many as a snapshot has states. */
const KEPT = 4;

class ValuesInState {
  /** NaN: there is none. */
  tick = Number.NaN;
  numbers = new Float32Array(0);
}

export class DrawnValues {
  /** The newest first. */
  readonly #states = Array.from({ length: KEPT }, () => new ValuesInState());
  /** The frame is between these two, which are the same if only one is known. */
  #earlier = this.#newest;
  #later = this.#newest;
  /** From 0, the earlier one, to 1. */
  #blend = 1;

  get #newest(): ValuesInState {
    return this.#states[0] as ValuesInState;
  }

  /** Takes note of a frame that has been sampled. @param published What its newest state has of the item. */
  note(frame: SampledFrame, { values, at, count }: ValuesOf): void {
    const { tick, newestTick, blend } = frame;
    if (newestTick < this.#newest.tick || count !== this.#newest.numbers.length) {
      // The run has jumped, or they are others.
      for (const state of this.#states) state.tick = Number.NaN;
    }
    if (newestTick !== this.#newest.tick) this.#makeRoom();
    const newest = this.#newest;
    newest.tick = newestTick;
    if (newest.numbers.length !== count) newest.numbers = new Float32Array(count);
    for (let index = 0; index < count; index++) {
      newest.numbers[index] = values[at + index] ?? 0;
    }
    this.#find(tick - 1 + blend);
  }

  /** In the later of the two states; fewer than the item has now, if it has got more since. */
  get later(): Float32Array {
    return this.#later.numbers;
  }

  /** A number that is drawn. @param of Computes it of the numbers in a state. */
  blended(of: (numbers: Float32Array) => number): number {
    const earlier = of(this.#earlier.numbers);
    return earlier + this.#blend * (of(this.#later.numbers) - earlier);
  }

  /** The oldest becomes the newest. */
  #makeRoom(): void {
    const oldest = this.#states[KEPT - 1] as ValuesInState;
    this.#states.copyWithin(1, 0);
    this.#states[0] = oldest;
  }

  #find(tick: number): void {
    this.#later = this.#earlier = this.#newest;
    for (let index = 1; index < KEPT; index++) {
      const state = this.#states[index] as ValuesInState;
      if (Number.isNaN(state.tick)) break;
      this.#earlier = state;
      if (state.tick < tick) break;
      this.#later = state;
    }
    const ticks = this.#later.tick - this.#earlier.tick;
    this.#blend = ticks > 0 ? Math.min(1, (tick - this.#earlier.tick) / ticks) : 1;
  }
}
