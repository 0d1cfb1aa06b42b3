/** What a world samples before its worker runs. What samples real frames is loaded with the worker. */
import type { SampledFrame } from '../api/sampled-frame.js';

export const NO_FRAME: SampledFrame = {
  hasState: false,
  alpha: 0,
  tick: 0,
  newestTick: 0,
  blend: 0,
  newestValues: undefined,
  pose: () => undefined,
  newest: () => undefined,
  velocity: () => undefined,
  isAsleep: () => undefined,
  writeMatrices: (_ids, _scales, count, out) => {
    out.fill(0, 0, 16 * count);
    return 0;
  },
};
