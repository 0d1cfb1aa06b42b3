/** Where the worker is while it is not in the page's own run, and where that run was left. */
import type { ReplayReport, ReplayStoppedMessage } from '../../shared/protocol/control-protocol.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { RunDescription } from '../../shared/recording/recording.js';
import type { InputSender } from '../queues/input-sender.js';
import type { Replay } from '../api/replay.js';
import type { RunRecorder } from '../recording/run-recorder.js';

/** A replay, and what it is told of itself. */
export interface Shown extends Replay {
  /** How it compares by now. */
  note(report: ReplayReport): void;
  /** It ends here, at its last tick or before. Without effect on one that has ended. */
  end(report: ReplayReport): void;
  /** It is not shown any more. One that has not ended rejects with the reason. */
  leave(reason: Error): void;
}

export class RunPosition {
  readonly #recorder: RunRecorder;
  readonly #inputs: InputSender;
  #shown: Shown | undefined;
  /** The page's own run, while a recording is shown or a call is under way that may take the worker elsewhere. */
  #left: { readonly run: RunDescription | undefined; readonly tick: number } | undefined;

  constructor(recorder: RunRecorder, inputs: InputSender) {
    this.#recorder = recorder;
    this.#inputs = inputs;
  }

  /** The replay that is shown. It stays when the simulation has ended: that is where it stood. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

  /** The tick at which the page's own run was left; undefined: the worker is in it. */
  get leftAt(): number | undefined {
    // A query may have started it over meanwhile.
    return this.#left?.run === this.#recorder.run ? this.#left?.tick : undefined;
  }

  /** A call is about to take the worker elsewhere. */
  leave(tick: number): void {
    this.#left ??= { run: this.#recorder.run, tick };
  }

  /** The call has ended. */
  settle(): void {
    if (this.#shown === undefined) this.#left = undefined;
  }

  /** @param reason Why what was shown before is not shown any more. */
  show(next: Shown | undefined, reason: Error): void {
    this.#shown?.leave(reason);
    this.#shown = next;
    this.settle();
    this.#inputs.setOpen(next === undefined);
  }
}

/** Why the worker is not where a call has taken it, or was about to. */
export const stoppedBy = (thrown: ReplayStoppedMessage['thrown']): Error =>
  thrown === undefined
    ? new Error('a query restarted the run')
    : new WorkerFailedError(
        `the simulation threw in tick ${thrown.tick} of the recording: ${thrown.message}. The previous run was restored`,
        'tick',
        thrown.stack,
      );

/** Why a recording is not shown any more when something else is. */
export const replaced = (): Error => new Error('another replay was opened before this one ended');
