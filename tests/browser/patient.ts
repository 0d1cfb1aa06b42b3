import type { ConnectOptions } from '../../src/render-main/index.js';

/** A healthy worker stays healthy, however slow the machine. Not forever: JSON has no infinity. */
export const PATIENT = {
  recovery: { hangLimitMs: 3_600_000 },
} as const satisfies ConnectOptions;
