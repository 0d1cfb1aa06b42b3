/** Replays a recording to its end. */
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import type { Recording } from '../../src/shared/index.js';
import { replay, type ReplayOptions, type Simulation } from '../../src/sim-worker/index.js';
import type { Outcome } from './verdict.js';

/** As of {@link replay}, but `onTick` gets only the number of the tick. */
export interface Replaying extends Omit<ReplayOptions, 'onTick'> {
  readonly onTick: (tick: number) => void;
}

/**
 * @throws RefusedError if it cannot be run to its end.
 * @throws The reason of the signal.
 */
export async function replayRecording(
  simulation: Simulation,
  recording: Recording,
  { onTick, ...options }: Replaying,
): Promise<Outcome> {
  let tick = recording.start?.tick ?? 0;
  let hash: string | undefined;
  try {
    const report = await replay(simulation, recording, {
      ...options,
      onTick: (done, hashOf) => {
        tick = done;
        onTick(done);
        if (done === recording.lastTick) hash = hashOf();
      },
    });
    return { recording, report, hash };
  } catch (error) {
    const { signal } = options;
    if (signal?.aborted === true && error === signal.reason) throw error;
    // Exit code 1 means that the run differed; this one has no end to compare.
    throw new RefusedError(`cannot be replayed beyond tick ${tick}: ${firstLineOf(error)}`);
  }
}
