/** Starts another worker after a failure, at the last tick that was finished; see worker-supervisor.ts. */
import type { SeekRequest } from '../../shared/protocol/control-protocol.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import type { WorkerLink } from './worker-link.js';
import { createWith } from './transport.js';
import type { SupervisorParts } from './supervisor-parts.js';
import type { WorkerSupervisor } from './worker-supervisor.js';

/** Restarts in a row without progress. From the second on, the inputs and commands of the failing tick are left out. */
const MAX_ATTEMPTS = 3;

/** The tick after which a worker failed. */
export interface FailurePoint {
  /** What leads to it. Commands whose callers may still wait have the numbers of their calls. */
  readonly segment: SeekRequest;
  /** Entries of the step that failed: the journal was written before it. */
  readonly entries: readonly RecordingEntry[];
  /** The failure was not in this run, but in what was shown instead of it. */
  readonly hadBeenLeft: boolean;
}

export class WorkerRestarter {
  readonly #parts: SupervisorParts;
  readonly #supervisor: WorkerSupervisor;
  /** The tick after which the last failure happened, and how many attempts have been made to get beyond it. */
  #failedAfterTick = -1;
  #attempts = 0;
  /** Inputs left out by restarts that failed before they could report them. */
  #unreportedSkips = 0;

  constructor(parts: SupervisorParts, supervisor: WorkerSupervisor) {
    this.#parts = parts;
    this.#supervisor = supervisor;
  }

  /** Resolves with the status to emit; never rejects. */
  async bringUp(cause: WorkerFailedError): Promise<SimulationStatus | undefined> {
    let error = cause;
    let point: FailurePoint;
    try {
      point = this.#parts.failureAt(cause);
    } catch (failure) {
      // Another worker would have nothing to continue from.
      const why = failure instanceof Error ? failure.message : String(failure);
      const message = `${cause.message}. It cannot be restarted: ${why}`;
      error = this.#parts.failedBy(cause.cause, cause.stage, message);
      return { kind: 'failed', error };
    }
    const { segment, entries } = point;
    const lastTick = segment.untilTick;
    if (point.hadBeenLeft) this.#failedAfterTick = -1;
    const { calls, inputs } = this.#parts;
    const supervisor = this.#supervisor;
    const failed = new Set(callsOf(entries));
    const done = new Set(callsOf(segment.entries));
    calls.rejectExcept([inputs.waitingCalls, failed, done], cause);
    let skippedInputs = 0;
    while (this.#mayTry(lastTick)) {
      const isRepeated = this.#attempts === 1;
      if (!isRepeated) {
        this.#leaveOut(entries, lastTick + 1, error);
        skippedInputs = entries.filter(({ kind }) => kind === 'input' || kind === 'command').length;
      }
      let isUsed = false;
      try {
        const link = await this.#open(segment);
        supervisor.use(link, () => this.#requeue(isRepeated ? entries : [], link));
        isUsed = true;
        await supervisor.unlessClosed(link.start());
        skippedInputs += this.#unreportedSkips;
        this.#unreportedSkips = 0;
        return {
          kind: 'restarted',
          tick: lastTick,
          replayedTicks: lastTick - (segment.from?.tick ?? 0),
          skippedInputs,
        };
      } catch (failure) {
        if (failure instanceof WorkerFailedError) error = failure;
        this.#drop(error);
        if (supervisor.ended !== undefined) return undefined;
        // It has run or begun ticks: a repeated attempt would start at the wrong place, or report ticks twice.
        if (!isUsed) continue;
        this.#unreportedSkips += skippedInputs;
        return this.bringUp(error);
      }
    }
    return supervisor.ended !== undefined ? undefined : { kind: 'failed', error };
  }

  /** Creates the next worker, and moves it to the end of a segment of the run. */
  async #open(segment: SeekRequest): Promise<WorkerLink> {
    const supervisor = this.#supervisor;
    const creating = createWith(supervisor.createWorker, this.#parts.options.transport);
    creating
      .then(({ worker }) => {
        if (supervisor.ended !== undefined) worker.terminate();
      })
      .catch(() => {});
    return supervisor.openLink(await supervisor.unlessClosed(creating), segment);
  }

  /** The new worker has failed, or is no longer needed. */
  #drop(error: WorkerFailedError): void {
    const { ended, link, liveness } = this.#supervisor;
    liveness.stop();
    this.#parts.inputs.detach();
    // After disposal, `close` ends the link in use.
    if (ended === undefined) link.abandon(error);
  }

  /** Counts consecutive attempts to get beyond a tick. */
  #mayTry(lastTick: number): boolean {
    if (this.#supervisor.ended !== undefined) return false;
    this.#attempts = lastTick > this.#failedAfterTick ? 1 : this.#attempts + 1;
    this.#failedAfterTick = lastTick;
    return this.#attempts <= MAX_ATTEMPTS;
  }

  /** Queues the entries for the next worker's first tick, before all waiting inputs. */
  #requeue(entries: readonly RecordingEntry[], link: WorkerLink): void {
    const { inputs, calls } = this.#parts;
    const { commands } = link.info;
    for (const entry of entries) {
      // Its input window is over: the first tick takes it.
      if (entry.kind === 'input') inputs.push(entry.input, 0);
      if (entry.kind !== 'command') continue;
      const { call = 0 } = entry;
      const isQueued = inputs.pushCommand(commands.indexOf(entry.name), call, entry, 0);
      if (!isQueued) calls.refuse([call]);
    }
  }

  /** The tick has failed again with these. Those that it had not taken this time wait for the next tick. */
  #leaveOut(entries: readonly RecordingEntry[], tick: number, cause: WorkerFailedError): void {
    const { inputs, calls, failedBy } = this.#parts;
    const { waitingCalls } = inputs;
    calls.reject(
      callsOf(entries).filter((call) => !waitingCalls.has(call)),
      (name) =>
        failedBy(
          cause.cause,
          cause.stage,
          `the command "${name}" was skipped because tick ${tick} failed again with it. Cause: ${cause.message}`,
        ),
    );
  }
}

function callsOf(entries: readonly RecordingEntry[]): number[] {
  return entries.flatMap((entry) =>
    entry.kind === 'command' && entry.call !== undefined && entry.call !== 0 ? entry.call : [],
  );
}
