/** Tracks where the worker is while it is not in the page's own run, and where that run was left. */
import type { ReplayStoppedMessage } from '../../shared/protocol/control-protocol.js';
import { failedBy, revivedError } from '../util/worker-errors.js';
import type { RunDescription } from '../../shared/recording/recording.js';
import type { InputSender } from '../queues/input-sender.js';
import type { RunRecorder } from '../recording/run-recorder.js';
import type { ShownReplay } from './shown-replay.js';

export class RunPosition {
  readonly #recorder: RunRecorder;
  readonly #inputs: InputSender;
  #shown: ShownReplay | undefined;
  /** The page's own run, while a recording is shown or a pending call may move the worker elsewhere. */
  #left: { readonly run: RunDescription | undefined; readonly tick: number } | undefined;

  constructor(recorder: RunRecorder, inputs: InputSender) {
    this.#recorder = recorder;
    this.#inputs = inputs;
  }

  /** The replay that is shown. Kept when the simulation has ended, as its last position. */
  get shown(): ShownReplay | undefined {
    return this.#shown;
  }

  /** The tick at which the page's own run was left; undefined while the worker is in it. */
  get leftAt(): number | undefined {
    // A query may have restarted the run in the meantime.
    return this.#left?.run === this.#recorder.run ? this.#left?.tick : undefined;
  }

  /** A call is about to move the worker elsewhere. */
  leave(tick: number): void {
    this.#left ??= { run: this.#recorder.run, tick };
  }

  settle(): void {
    if (this.#shown === undefined) this.#left = undefined;
  }

  /** @param reason Why the previous replay is no longer shown. */
  show(next: ShownReplay | undefined, reason: Error): void {
    this.#shown?.leave(reason);
    this.#shown = next;
    this.settle();
    this.#inputs.isOpen = next === undefined;
  }
}

/** Why the worker is no longer where a call moved it, or was about to move it. */
export const stoppedBy = (thrown: ReplayStoppedMessage['thrown']): Error =>
  thrown === undefined
    ? new Error('a query restarted the run')
    : failedBy(
        revivedError(thrown),
        'tick',
        `the simulation threw in tick ${thrown.tick} of the recording: ${thrown.message}. The previous run was restored`,
      );

/** Why a recording that is replaced by another is no longer shown. */
export const replaced = (): Error => new Error('another replay was opened before this one ended');

export const WAYS_OUT =
  "replay.seek() goes to a tick of it, replay.close() returns to the player's own run";
