/** Does a page's work for every frame, without drawing, and measures it. */
import { distributionOf, type FrameResult } from '../engine/index.js';
import type { BenchHandle } from './open-simulation.js';

/** A browser's frames. */
export interface FrameClock {
  request(callback: (stampMs: number) => void): number;
  cancel(request: number): void;
}

export class FrameMeter {
  readonly #clock: FrameClock;
  readonly #costsMs: number[] = [];
  readonly #errorsMs: number[] = [];
  readonly #rates: { frames: number; ms: number } = { frames: 0, ms: 0 };
  #starved = 0;
  #repeated = 0;
  #resets = 0;

  constructor(clock: FrameClock) {
    this.#clock = clock;
  }

  /**
   * Samples frames from now on.
   *
   * @param ids Bodies whose matrices are written.
   * @returns Begins to measure; returns a function that ends it, with the frames so far counted if
   * wanted.
   */
  start(simulation: BenchHandle, ids: Uint32Array) {
    const scales = new Float32Array(ids.length * 3).fill(1);
    const matrices = new Float32Array(ids.length * 16);
    const costsMs: number[] = [];
    const errorsMs: number[] = [];
    let isMeasuring = false;
    let firstMs = Number.NaN;
    let lastMs = Number.NaN;
    const onFrame = (stampMs: number): void => {
      request = this.#clock.request(onFrame);
      const startMs = performance.now();
      simulation.sample(stampMs).writeMatrices(ids, scales, ids.length, matrices);
      const costMs = performance.now() - startMs;
      if (!isMeasuring) return;
      if (Number.isNaN(firstMs)) firstMs = stampMs;
      lastMs = stampMs;
      costsMs.push(costMs);
      errorsMs.push(Math.abs(simulation.lastAnimationErrorMs));
    };
    let request = this.#clock.request(onFrame);
    return {
      begin(): void {
        simulation.resetStats();
        isMeasuring = true;
      },
      end: (isWanted: boolean): void => {
        this.#clock.cancel(request);
        if (!isWanted || costsMs.length < 2) return;
        const { starvedFrames, repeatedFrames, timelineResets } = simulation.stats();
        for (const ms of costsMs) this.#costsMs.push(ms);
        for (const ms of errorsMs) this.#errorsMs.push(ms);
        this.#rates.frames += costsMs.length - 1;
        this.#rates.ms += lastMs - firstMs;
        this.#starved += starvedFrames;
        this.#repeated += repeatedFrames;
        this.#resets += timelineResets;
      },
    };
  }

  /** Of all counted frames; null if there were none. */
  result(): FrameResult | null {
    if (this.#costsMs.length === 0) return null;
    const { mean, p99, max } = distributionOf(this.#errorsMs);
    return {
      rateHz: this.#rates.ms > 0 ? (this.#rates.frames * 1000) / this.#rates.ms : 0,
      costMs: distributionOf(this.#costsMs),
      animationErrorMs: { mean, p99, max },
      starved: this.#starved,
      repeated: this.#repeated,
      resets: this.#resets,
    };
  }
}
