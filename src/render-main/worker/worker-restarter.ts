/** Brings up another worker where one has failed, at the last tick that was finished; see worker-supervisor.ts. */
import type { SeekRequest } from '../../shared/protocol/control-protocol.js';
import type { Recording, RecordingEntry } from '../../shared/recording/recording.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { queueFull, type CommandCalls } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import { segmentUpTo } from '../recording/run-segment.js';
import type { WorkerLink } from './worker-link.js';

/** Restarts in a row that make no progress. The second leaves out what the failing tick was given. */
const MAX_ATTEMPTS = 3;

/** A tick after which a worker failed. */
export interface FailurePoint {
  /** Leads there. Commands whose callers may still wait have the numbers of their calls. */
  readonly recording: Recording;
  /** What the step that failed was given: the journal was written before it. */
  readonly entries: readonly RecordingEntry[];
  /** It was not this run that failed, but what it had been left for. */
  readonly hadBeenLeft: boolean;
  /** How often the run had been started over. */
  readonly restarts: number;
}

export interface RestarterParts {
  /** What leads to the tick after which the worker failed. */
  readonly failureAt: (error: WorkerFailedError) => FailurePoint;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  /** Whether a worker that starts now is to stand. */
  readonly isPaused: () => boolean;
}

/** Who has the worker. */
export interface RestarterHost {
  /** There is no simulation any more. */
  isEnded(): boolean;
  /** Makes a worker, and takes it to where a segment of the run ends. */
  open(segment: SeekRequest): Promise<WorkerLink>;
  /** It is the simulation's from now on. @param pushFirst Pushes inputs that come before all that waits. */
  use(link: WorkerLink, pushFirst: () => void): void;
  /** Waits for it no longer than until the simulation is disposed of: a worker may never answer. */
  unlessClosed<T>(work: Promise<T>): Promise<T>;
  /** Lets go of the worker in use. */
  drop(error: WorkerFailedError): void;
}

export class WorkerRestarter {
  readonly #parts: RestarterParts;
  readonly #host: RestarterHost;
  /** The tick after which it failed last, and how often in a row. */
  #failedAfterTick = -1;
  #attempts = 0;
  /** Inputs that were left out by restarts which failed before they could be reported. */
  #unreportedSkips = 0;

  constructor(parts: RestarterParts, host: RestarterHost) {
    this.#parts = parts;
    this.#host = host;
  }

  /** Resolves with what there is to tell; never rejects. */
  async bringUp(cause: WorkerFailedError): Promise<SimulationStatus | undefined> {
    let error = cause;
    let point: FailurePoint;
    try {
      point = this.#parts.failureAt(cause);
    } catch (failure) {
      // Nothing is known that another one could go on from.
      const why = failure instanceof Error ? failure.message : String(failure);
      const message = `${cause.message}. It cannot be restarted: ${why}`;
      return {
        kind: 'failed',
        error: new WorkerFailedError(message, cause.stage, cause.workerStack),
      };
    }
    const { recording, entries, restarts } = point;
    const { lastTick } = recording;
    if (point.hadBeenLeft) this.#failedAfterTick = -1;
    const { calls, inputs } = this.#parts;
    const host = this.#host;
    const segment = { ...segmentUpTo(recording, lastTick), restarts };
    calls.sortAfterFailure(
      {
        waiting: inputs.waitingCalls,
        failed: new Set(callsOf(entries)),
        done: new Set(callsOf(recording.entries)),
      },
      cause,
    );
    let skippedInputs = 0;
    while (this.#mayTry(lastTick)) {
      const isRepeated = this.#attempts === 1;
      if (!isRepeated) {
        this.#leaveOut(entries, lastTick + 1, error);
        skippedInputs = entries.filter(isTickInput).length;
      }
      let isUsed = false;
      try {
        const link = await host.open(segment);
        host.use(link, () => this.#requeue(isRepeated ? entries : [], link));
        isUsed = true;
        await host.unlessClosed(this.#start(link));
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
        host.drop(error);
        if (host.isEnded()) return undefined;
        // It has run ticks, or begun one: where it goes on from is another place, or was told of twice.
        if (!isUsed) continue;
        this.#unreportedSkips += skippedInputs;
        return this.bringUp(error);
      }
    }
    return host.isEnded() ? undefined : { kind: 'failed', error };
  }

  async #start(link: WorkerLink): Promise<void> {
    await link.start();
    if (this.#parts.isPaused()) await link.client.call((remote) => remote.pause());
  }

  /** Counts attempts in a row to get beyond a tick. */
  #mayTry(lastTick: number): boolean {
    if (this.#host.isEnded()) return false;
    this.#attempts = lastTick > this.#failedAfterTick ? 1 : this.#attempts + 1;
    this.#failedAfterTick = lastTick;
    return this.#attempts <= MAX_ATTEMPTS;
  }

  /** Has the next worker's first tick take them, before all that waits. */
  #requeue(entries: readonly RecordingEntry[], link: WorkerLink): void {
    const { inputs, calls } = this.#parts;
    const { commands } = link.info;
    for (const entry of entries) {
      // From a window that is over: the first tick takes it.
      if (entry.kind === 'input') inputs.push(entry.input, 0);
      if (entry.kind !== 'command') continue;
      const { call = 0 } = entry;
      // Withdrawn since: the tick that was given it is no part of the run.
      if (call !== 0 && !calls.isPending(call)) continue;
      if (inputs.pushCommand(commands.indexOf(entry.name), call, entry.args, 0)) {
        calls.noteRequeued(call);
      } else {
        calls.reject([call], queueFull);
      }
    }
  }

  /** The tick has failed again with them. Those that it had not taken this time wait for the next one. */
  #leaveOut(entries: readonly RecordingEntry[], tick: number, cause: WorkerFailedError): void {
    const { inputs, calls } = this.#parts;
    const { waitingCalls } = inputs;
    calls.reject(
      callsOf(entries).filter((call) => !waitingCalls.has(call)),
      (name) =>
        new WorkerFailedError(
          `the command "${name}" was skipped because tick ${tick} failed again with it. Cause: ${cause.message}`,
          cause.stage,
          cause.workerStack,
        ),
    );
  }
}

/** Calls of the commands among some entries. */
function callsOf(entries: readonly RecordingEntry[]): number[] {
  return entries.flatMap((entry) =>
    entry.kind === 'command' && entry.call !== undefined && entry.call !== 0 ? entry.call : [],
  );
}

const isTickInput = ({ kind }: RecordingEntry): boolean => kind === 'input' || kind === 'command';
