/** In place of on.ts. */
import type * as on from './on.js';

export const explainMissing: typeof on.explainMissing | undefined = undefined;
