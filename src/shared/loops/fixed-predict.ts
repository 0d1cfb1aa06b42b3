/**
 * The `fixed-predict` stepper: updates at a low constant rate, and frames that guess where things will be.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", "Constant Game Speed independent of Variable FPS". What the
 * article calls interpolation is the share of a tick that has passed since the last one,
 *
 *     interpolation = (now + period − nextTick) / period
 *
 * and the drawer goes on by it from the current state: view = position + speed × interpolation. Between a
 * collision and the tick that notices it things are drawn inside walls.
 */
import { requireKnownKeys } from '../util/known-keys.js';
import { requireRate, requireStepCap } from './option-checks.js';

/** Options of the loop `fixed-predict`. */
export interface FixedPredictOptions {
  /** Which loop. */
  readonly kind: 'fixed-predict';
  /** Updates a second, 1 to 1000 Hz. Default 25. */
  readonly tickRateHz?: number;
  /** Most updates before a frame is drawn, a whole number from 1, or Infinity. Default 5. */
  readonly maxFrameSkip?: number;
}

export function resolveFixedPredict(options: FixedPredictOptions): Required<FixedPredictOptions> {
  requireKnownKeys('fixed-predict', options, ['kind', 'tickRateHz', 'maxFrameSkip']);
  return Object.freeze({
    kind: 'fixed-predict',
    tickRateHz: requireRate('fixed-predict', 'tickRateHz', options.tickRateHz ?? 25),
    maxFrameSkip: requireStepCap('fixed-predict', 'maxFrameSkip', options.maxFrameSkip ?? 5),
  });
}
