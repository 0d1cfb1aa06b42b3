/** Defaults of a measurement. */
import type { BenchOptions } from '../engine/index.js';

/** Five repeats: with three, differences between processes looked like changes. */
export const DEFAULTS: BenchOptions = {
  scenes: ['heap'],
  engines: ['rapier-simd'],
  runtimes: ['chromium'],
  bodies: [],
  tickRatesHz: [60],
  seconds: 5,
  warmUpSeconds: 1,
  repeats: 5,
  worker: null,
};
