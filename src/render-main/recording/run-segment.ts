/** The part of a recording that leads to a tick of it. */
import type { SeekRequest } from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';

/**
 * What it takes to go to a tick of a recording: from the nearest saved state before it.
 *
 * @param shownUntil The recording is shown from there on, up to this tick. Undefined: the run goes on with the page's inputs.
 */
export function segmentUpTo(recording: Recording, tick: number, shownUntil?: number): SeekRequest {
  const from = recording.states.findLast((state) => state.tick <= tick) ?? recording.start;
  const begin = from?.tick ?? 0;
  return {
    run: recording.run,
    from,
    // The steps of all ticks before are kept: which one holds at the beginning is among them.
    entries: recording.entries.filter(
      (entry) =>
        entry.tick <= (shownUntil ?? tick) && (entry.tick > begin || entry.kind === 'step'),
    ),
    untilTick: tick,
    shownUntil,
  };
}
