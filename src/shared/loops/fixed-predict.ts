/**
 * The `fixed-predict` stepper: updates at a low constant rate, and frames that predict positions.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", "Constant Game Speed independent of Variable FPS". What the
 * article calls interpolation is the fraction of a tick that has passed since the last one,
 *
 *     interpolation = (now + period − nextTick) / period
 *
 * which is used to extrapolate from the current state: view = position + speed × interpolation. Between a
 * collision and the tick that detects it, objects are drawn inside walls.
 */
import { requireKnownKeys } from '../util/known-keys.js';
import { requireRate, requireStepCap } from './option-checks.js';

/** Options of the loop `fixed-predict`. */
export interface FixedPredictOptions {
  /** Which loop. */
  readonly kind: 'fixed-predict';
  /** Updates per second, 1 to 1000 Hz. Default 25. */
  readonly tickRateHz?: number;
  /** Maximum updates before a frame is drawn, a whole number from 1, or Infinity. Default 5. */
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
