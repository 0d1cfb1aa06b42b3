import type { SeekRequest } from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';

/**
 * The part of a recording needed to go to a tick: from the nearest saved state before it.
 *
 * @param shownUntil The recording is shown from there on, up to this tick. Undefined: the run continues with the page's
 *   inputs.
 */
export function segmentUpTo(recording: Recording, tick: number, shownUntil?: number): SeekRequest {
  const from = recording.states.findLast((state) => state.tick <= tick) ?? recording.start;
  const begin = from?.tick ?? 0;
  return {
    run: recording.run,
    from,
    // The steps of all earlier ticks are kept: the one in effect at the beginning is among them.
    entries: recording.entries.filter(
      (entry) =>
        entry.tick <= (shownUntil ?? tick) && (entry.tick > begin || entry.kind === 'step'),
    ),
    untilTick: tick,
    shownUntil,
  };
}
