/** The simulation's own values in the next state, and which of them jump there. */
import { valueWordsOf } from '../../shared/memory/layout.js';
import { requireValues } from '../../shared/util/validate.js';

export class StateValues {
  /** The simulation's `context.values`. */
  readonly numbers: Float32Array<ArrayBuffer>;
  /** The numbers, bit for bit, and their cuts, as a state has them. */
  readonly words: Int32Array<ArrayBuffer>;
  readonly cuts: Int32Array<ArrayBuffer>;
  #hasCuts = false;

  /** @param count 0 to 65,536. */
  constructor(count = 0) {
    this.words = new Int32Array(valueWordsOf(count));
    this.numbers = new Float32Array(this.words.buffer, 0, count);
    this.cuts = this.words.subarray(count);
  }

  /** See `context.cutValues`. */
  cut(start = 0, count = this.numbers.length - start): void {
    requireValues(start, count, this.numbers.length);
    for (let at = start; at < start + count; at++) {
      this.cuts[at >>> 5] = (this.cuts[at >>> 5] as number) | (1 << at);
    }
    this.#hasCuts ||= count > 0;
  }

  get hasCuts(): boolean {
    return this.#hasCuts;
  }

  /** The state with these cuts is published, or they are passed on. */
  clearCuts(): void {
    if (this.#hasCuts) this.cuts.fill(0);
    this.#hasCuts = false;
  }

  /** Continues with those of another position of the run. @param numbers The rest are zeros. */
  restore(numbers: Float32Array): void {
    this.numbers.fill(0);
    this.numbers.set(numbers);
  }
}
