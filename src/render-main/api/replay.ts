/** The application's interface to a recording that is shown. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';
import type { CallOptions } from '../api/call-options.js';

/**
 * What a replay is doing:
 *
 * - `playing`: its ticks run
 * - `paused`: it waits for `resume()` of the simulation
 * - `ended`: it is at its last tick
 * - `closed`: it is no longer shown, and never will be again
 */
export type ReplayState = 'playing' | 'paused' | 'ended' | 'closed';

/** How long to wait for a replay, and where it begins. */
export interface OpenReplayOptions extends CallOptions {
  /** The tick at which it is shown first, at least that of `recording.start`, up to its `lastTick`. Default: the lowest. */
  readonly tick?: number | undefined;
}

/**
 * A recording that is shown: what {@link SimulationHandle.openReplay} resolves with. It is paused, resumed and stepped
 * through the simulation. Its calls fail like those of {@link SimulationHandle}, and also as stated below.
 */
export interface Replay {
  /** What is shown: the object that it was opened with. */
  readonly recording: Recording;
  /** Whether it plays, is paused, has ended, or is closed. */
  readonly state: ReplayState;
  /**
   * How it compares with the recording, as far as this page knows: updated with each compared hash, after each seek,
   * and at the end. It counts from the start, or from the saved state that the last seek started from. Replaced by a
   * new object whenever it changes; the last one stays when the replay is closed.
   */
  readonly report: ReplayReport;
  /**
   * Resolves when it reaches its last tick for the first time, or is closed by {@link Replay.close} before that.
   * Rejects with an Error if something else is shown or restored first, or a query restarts the run; with a
   * WorkerFailedError if one of its steps throws or the worker fails; with a SimulationDisposedError if the simulation
   * is disposed. It need not be awaited.
   */
  readonly ended: Promise<ReplayReport>;
  /**
   * Seeks to a tick of the recording from the nearest saved state, and then pauses or plays as it did before. Like
   * {@link SimulationHandle.seek}, it waits for the calls before it and can be stopped.
   *
   * @param tick From the start of the recording to its `lastTick`.
   * @param options How long to wait, including the time that the seek takes.
   * @returns How the hashes on the way compare.
   * @throws RangeError, by the promise, for another tick.
   * @throws Error, by the promise, if the replay is closed by then: what is shown instead stays; also what a step on
   *   the way throws, which ends the replay.
   */
  seek(tick: number, options?: CallOptions): Promise<ReplayReport>;
  /**
   * Closes the replay: the run continues from its position, with the player's inputs. Waits for the calls before it,
   * like {@link SimulationHandle.seek}.
   *
   * @param options What ends the wait.
   * @returns How the replay compares up to there.
   * @throws Error, by the promise, if the replay is closed by then: what is shown instead stays.
   */
  close(options?: CallOptions): Promise<ReplayReport>;
}
