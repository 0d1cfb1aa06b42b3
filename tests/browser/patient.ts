import type { Tunables } from '../../src/render-main/api/connect-options.js';

/** A healthy worker stays healthy, however slow the machine. Not forever: JSON has no infinity. */
export const PATIENCE: Partial<Tunables> = { hangLimitMs: 3_600_000 };
