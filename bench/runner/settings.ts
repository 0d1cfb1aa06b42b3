/** Defaults of a measurement. */
import type { BenchOptions } from '../engine/index.js';
import { SETTLE_TICKS } from '../worker/bench-setup.js';

/** A few minutes. Five repeats: with three, differences between processes looked like changes. */
export const DEFAULTS: BenchOptions = {
  scenes: ['heap'],
  engines: ['rapier-simd'],
  runtimes: ['chromium'],
  bodies: [500, 1000, 2000],
  tickRatesHz: [60, 120],
  seconds: 5,
  warmUpSeconds: 1,
  settleTicks: SETTLE_TICKS,
  repeats: 5,
  isQuick: false,
  searchesHeadroom: true,
  worker: null,
};

/** A minute and a half in all: rough figures. */
export const QUICK: BenchOptions = {
  ...DEFAULTS,
  tickRatesHz: [60],
  seconds: 1,
  warmUpSeconds: 0.5,
  isQuick: true,
};
