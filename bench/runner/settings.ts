/** What is measured when nothing else is asked for. */
import type { BenchOptions } from '../engine/index.js';

/** A few minutes. */
export const USUAL: BenchOptions = {
  scenes: ['heap'],
  engines: ['rapier-simd'],
  runtimes: ['chromium'],
  bodies: [500, 1000, 2000],
  tickRatesHz: [60, 120],
  seconds: 5,
  warmUpSeconds: 1,
  repeats: 3,
  isQuick: false,
  searchesHeadroom: true,
  worker: null,
};

/** A minute in all: rough figures. */
export const QUICK: BenchOptions = {
  ...USUAL,
  tickRatesHz: [60],
  seconds: 1,
  warmUpSeconds: 0.5,
  isQuick: true,
};
