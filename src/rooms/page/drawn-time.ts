/** When the room was as a page has drawn it: how far behind it the picture is, and how long inputs take to be seen. */
import type { SampledFrame } from '../../render-main/api/sampled-frame.js';
import type { ClientTiming } from '../shared/client-timing.js';
import {
  Histogram,
  type HistogramShape,
  type Percentiles,
} from '../../shared/statistics/histogram.js';

/** 0.1 ms, and 0.1 % of what is longer than 0.1 s. */
const SHAPE: HistogramShape = { unitMs: 0.1, precisionBits: 10, octaves: 8 };

interface Input {
  readonly tick: number;
  readonly stampMs: number;
}

export class DrawnTime {
  readonly #timing: ClientTiming;
  readonly #roomTickOf: (tick: number) => number;
  #inputs: Input[] = [];
  readonly #inputMs = new Histogram(SHAPE);
  /** How far behind the room the last frame was, in ms; negative: ahead. 0 until it is known. */
  behindMs = 0;

  /** @param roomTickOf The tick of the room that a tick of the page shows. */
  constructor(timing: ClientTiming, roomTickOf: (tick: number) => number) {
    this.#timing = timing;
    this.#roomTickOf = roomTickOf;
  }

  /** An input was sent for a tick of the room. */
  noteInput(tick: number, stampMs: number): void {
    this.#inputs.push({ tick, stampMs });
  }

  /** A frame is drawn. */
  noteFrame({ hasState, tick, blend }: SampledFrame, frameMs: number): void {
    const { offsetMs } = this.#timing;
    if (!hasState || tick === 0 || Number.isNaN(offsetMs)) return;
    const from = this.#roomTickOf(tick - 1);
    const to = this.#roomTickOf(tick);
    this.behindMs = frameMs + offsetMs - this.#timing.dueMs(from + blend * (to - from));
    this.#inputs = this.#inputs.filter((input) => {
      if (input.tick > to) return true;
      this.#inputMs.record(frameMs - input.stampMs);
      return false;
    });
  }

  /** From an input to the first frame that shows an effect of the tick that used it, in ms. */
  get inputToFrameMs(): Percentiles {
    return this.#inputMs.percentiles();
  }

  reset(): void {
    this.#inputMs.rebase();
  }
}
