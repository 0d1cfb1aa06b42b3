/** The simulation's own values in the next state, and which of them jump there. */
import { MAX_VALUES, valueWordsOf } from '../../shared/memory/layout.js';
import { requireInteger } from '../../shared/util/validate.js';

export class StateValues {
  /** The simulation's `context.values`. */
  readonly numbers: Float32Array<ArrayBuffer>;
  /** The numbers, bit for bit, and their cuts, as a state has them. */
  readonly words: Int32Array<ArrayBuffer>;
  /** A bit of each number. Cleared when a state with them is published, or when they are passed on. */
  readonly cuts: Int32Array<ArrayBuffer>;

  /** @param count 0 to 65,536. */
  constructor(count = 0) {
    this.words = new Int32Array(valueWordsOf(count));
    this.numbers = new Float32Array(this.words.buffer, 0, count);
    this.cuts = this.words.subarray(count);
  }

  /** See `context.cutValues`. */
  cut(start = 0, count = MAX_VALUES): void {
    requireInteger('start', start, 0, MAX_VALUES);
    requireInteger('count', count, 0, MAX_VALUES);
    const end = Math.min(start + count, this.numbers.length);
    for (let at = start; at < end; at++) {
      this.cuts[at >>> 5] = (this.cuts[at >>> 5] as number) | (1 << at);
    }
  }
}
