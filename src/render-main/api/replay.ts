/** What an application has of a recording that is shown. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';
import type { CallOptions } from '../api/call-options.js';

/**
 * - `playing`: its ticks run
 * - `paused`: it waits for `resume()` of the simulation
 * - `ended`: it stands at its last tick
 * - `closed`: it is not shown any more, and never will be again
 */
export type ReplayState = 'playing' | 'paused' | 'ended' | 'closed';

/**
 * A recording that is shown: what {@link SimulationHandle.openReplay} resolves with. Pausing, resuming and stepping are the
 * simulation's.
 */
export interface Replay {
  /** What is shown: the very object that it was opened with. */
  readonly recording: Recording;
  /** Where it is now. */
  readonly state: ReplayState;
  /**
   * How it compares with what was recorded, as far as this page knows: it is told with each hash that is compared, after each
   * seek, and at the end. It counts from the start, or from the saved state by which the last seek got to its tick. Another
   * object whenever it changes; the last one stays when the replay is closed.
   */
  readonly report: ReplayReport;
  /**
   * Resolves when it has come to its last tick for the first time, or is closed by {@link Replay.close} before that. Rejects with an
   * Error if something else is shown or restored first, or a query starts the run over; with a WorkerFailedError if a step of it
   * throws or the worker fails; with a SimulationDisposedError if the simulation is disposed of. Nobody has to listen.
   */
  readonly ended: Promise<ReplayReport>;
  /**
   * Goes to a tick of it, from the nearest saved state, and stays there or plays on as it did before. It waits for the calls before
   * it, as {@link SimulationHandle.seek} does, and can be stopped as that can.
   *
   * @param tick From the start of the recording to its `lastTick`.
   * @param options How long to wait, also while it is under way.
   * @returns How the hashes on the way compare.
   * @throws RangeError, by the promise, for another tick. @throws Error, by the promise, if the replay is closed by then: what is
   *   shown instead stays as it is; and what a step on the way throws, which ends the replay. @throws WorkerFailedError, by the
   *   promise, if the worker fails before it has answered. @throws TypeError, RangeError for wrong options.
   */
  seek(tick: number, options?: CallOptions): Promise<ReplayReport>;
  /**
   * The run goes on from where the replay is, with the player's inputs. It waits for the calls before it, as
   * {@link SimulationHandle.seek} does.
   *
   * @param options How long to wait. If that ends it, the replay stays as it is.
   * @returns How it compares up to there.
   * @throws Error, by the promise, if the replay is closed by then: what is shown instead stays as it is. @throws
   *   WorkerFailedError, by the promise, if the worker fails before it has answered. @throws TypeError, RangeError for wrong
   *   options.
   */
  close(options?: CallOptions): Promise<ReplayReport>;
}
