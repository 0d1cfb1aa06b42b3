/**
 * The `frame-skip` stepper: updates at a constant rate, frames as fast as possible. Frames are skipped
 * while updates are behind.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", "Constant Game Speed with Maximum FPS". The loop reads the
 * clock before each update. Below rate / maxFrameSkip frames per second the game slows down; above
 * the update rate frames repeat.
 */
import { requireKnownKeys } from '../util/known-keys.js';
import { requireRate, requireStepCap } from './option-checks.js';

/** Options of the loop `frame-skip`. */
export interface FrameSkipOptions {
  /** Which loop. */
  readonly kind: 'frame-skip';
  /** Updates per second, 1 to 1000 Hz. Default 50. */
  readonly tickRateHz?: number;
  /** Maximum updates before a frame is drawn, a whole number from 1, or Infinity. Default 10. */
  readonly maxFrameSkip?: number;
}

export function resolveFrameSkip(options: FrameSkipOptions): Required<FrameSkipOptions> {
  requireKnownKeys('frame-skip', options, ['kind', 'tickRateHz', 'maxFrameSkip']);
  return Object.freeze({
    kind: 'frame-skip',
    tickRateHz: requireRate('frame-skip', 'tickRateHz', options.tickRateHz ?? 50),
    maxFrameSkip: requireStepCap('frame-skip', 'maxFrameSkip', options.maxFrameSkip ?? 10),
  });
}
