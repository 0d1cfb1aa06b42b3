/**
 * Keeps a simulation running: opens its worker, detects when it hangs or dies, and has it replaced.
 *
 *     open ──▶ running ──▶ stalled ──▶ (comes back) running
 *                │            │
 *                └── fails ───┴──▶ restarting: new worker, new memory
 *                                    nearest saved state ─ replay what was reported to the page ─ inputs that no tick took
 *                                    └──▶ running, at the last tick that was finished
 *                                    └──▶ failed, when it fails repeatedly, or recovery is not enabled
 *
 * On demand, another worker takes over from one that runs; see worker-handover.ts.
 *
 * Calls wait for a stalled worker, because it may come back and execute them. Its memory is never reused: Chromium lets
 * a terminated worker write for two seconds.
 */
import type { Remote } from 'comlink';
import type {
  Pace,
  SeekRequest,
  WorkerControl,
  WorkerMessage,
} from '../../shared/protocol/control-protocol.js';
import { hasCall, type RecordingEntry } from '../../shared/recording/recording.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { ResolvedOptions } from '../api/connect-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { SimulationStatus } from '../session/simulation-status.js';
import { commandIndexes, type CommandCalls } from '../traffic/command-calls.js';
import type { InputSender } from '../traffic/input-sender.js';
import { withResolvers } from '../util/promises.js';
import { failedBy } from '../util/page-errors.js';
import type { ControlClient } from './control-client.js';
import { LivenessMonitor, type PageClock } from './time-limits.js';
import { createWith, type CreatedWorker } from './worker-creation.js';
import { WorkerConnection } from './worker-connection.js';

/** Restarts in a row without progress. From the second on, the inputs and commands of the failing tick are left out. */
const MAX_ATTEMPTS = 3;

/** The tick after which a worker failed. */
export interface FailurePoint {
  /** Leads to this tick. Commands whose callers may still wait have the numbers of their calls. */
  readonly segment: SeekRequest;
  /** Entries of the step that failed: the journal was written before it. */
  readonly entries: readonly RecordingEntry[];
  /** Whether the run has gone elsewhere since the last failure, so that this one repeats none. */
  readonly isElsewhere: boolean;
}

interface SupervisorDeps {
  readonly createWorker: CreateWorker;
  readonly options: ResolvedOptions;
  /** Returns the tick after which the worker failed, and the part of the recording that leads to it. */
  readonly failureAt: (error: WorkerFailedError) => FailurePoint;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  /** Sends a worker the assets that it lacks. */
  readonly sendAssets: (worker: ControlClient) => void;
  /** Called with each worker's connection when its simulation is ready, before it ticks. */
  readonly onConnection: (connection: WorkerConnection) => void;
  readonly onMessage: (message: WorkerMessage) => void;
  readonly onStatus: (status: SimulationStatus) => void;
  /** Measures the time limits on workers. */
  readonly clock: PageClock;
}

export class WorkerSupervisor {
  readonly #deps: SupervisorDeps;
  readonly liveness: LivenessMonitor;
  /** Creates the next worker. */
  createWorker: CreateWorker;
  /** The pace that this worker and later ones follow. */
  pace: Pace;
  #connection: WorkerConnection | undefined;
  #restart: Promise<void> | undefined;
  /** While another worker takes over on demand, and during a restart that follows. */
  #takeover: Promise<void> | undefined;
  /** The worker before, until it has stopped. */
  #leaving: Promise<void> | undefined;
  #ended: Error | undefined;
  /** The tick after which the last failure happened, and how many attempts have been made to get beyond it. */
  #failedAfterTick = -1;
  #attempts = 0;
  /** Inputs left out by restarts that failed before they could report them. */
  #unreportedSkips = 0;
  /** Rejected by {@link close}: a worker that is being started may never answer. */
  readonly #closed = withResolvers<never>();

  constructor(deps: SupervisorDeps) {
    const { options } = deps;
    this.#deps = deps;
    this.createWorker = deps.createWorker;
    const { startPaused: isPaused, tickRateHz, timeScale, maxCatchUpTicks } = options;
    this.pace = { isPaused, resumes: 0, tickRateHz, timeScale, maxCatchUpTicks };
    // Usually nothing handles this rejection.
    this.#closed.promise.catch(() => {});
    this.liveness = new LivenessMonitor(
      options.hangLimitMs,
      {
        onLook: () => this.#connection?.check(),
        ask: () => this.connection.client.call((remote) => remote.ready()).catch(() => {}),
        onStall: (...silence) => this.#onStall(...silence),
        onStillStalled: (...silence) => this.#onStillStalled(...silence),
        onRecovery: () => deps.onStatus({ kind: 'recovered' }),
      },
      deps.clock,
    );
  }

  /** Starts the first worker, which was created before. Rejects with the reason if it does not run. */
  async open(first: CreatedWorker): Promise<void> {
    const { signal } = this.#deps.options;
    const onAbort = (): void => this.#closed.reject(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort);
    let connection: WorkerConnection | undefined;
    try {
      connection = await this.openConnection(first);
      await this.unlessClosed(connection.start(this.pace));
      this.use(connection);
    } catch (error) {
      connection?.abandon(error as Error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The worker that runs, or ran last. */
  get connection(): WorkerConnection {
    if (this.#connection === undefined) throw new Error('the simulation has not been started');
    return this.#connection;
  }

  get isRestarting(): boolean {
    return this.#restart !== undefined;
  }

  /** Resolves when a worker takes calls; undefined: one does. */
  get #unsettled(): Promise<void> | undefined {
    return this.#takeover ?? this.#restart;
  }

  /** Why the simulation has ended, if so. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /** @throws The reason, if the simulation has ended. */
  requireRunning(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Makes a call to the worker; while one is being restarted, to the next one. */
  async call<T>(make: (remote: Remote<WorkerControl>) => Promise<T>): Promise<T> {
    if (this.#unsettled !== undefined) await this.#unsettled;
    this.requireRunning();
    return this.connection.client.call(make);
  }

  /** Changes the pace of this worker and of later ones. Resolves when the one that runs follows it. */
  setPace(changes: Partial<Pace>): Promise<void> {
    this.pace = { ...this.pace, ...changes };
    return this.#ask((connection) => connection.client.call((remote) => remote.follow(this.pace)));
  }

  /** Measures the worker's clock offset again and sends it to the worker. */
  alignClock(): Promise<void> {
    return this.#ask((connection) => connection.alignClock());
  }

  /** Like {@link alignClock}, unless the offset was just measured. */
  alignClockAgain(): Promise<void> {
    return this.#ask((connection) => connection.alignClockAgain());
  }

  /** Asks the worker, and if it is replaced before it has answered, the next one, too. */
  async #ask(make: (connection: WorkerConnection) => Promise<unknown>): Promise<void> {
    // Otherwise now: the page may be busy after a pause, and the worker must not run on for that time.
    if (this.#unsettled !== undefined) await this.#unsettled;
    this.requireRunning();
    const { connection } = this;
    try {
      await make(connection);
    } catch (error) {
      if (connection.client.ended === undefined) throw error;
      await this.#ask(make);
    }
  }

  async close(reason: Error): Promise<void> {
    this.liveness.stop();
    this.#ended ??= reason;
    this.#deps.calls.rejectAll(reason);
    this.#closed.reject(reason);
    await this.#unsettled;
    await this.#leaving;
    await this.connection.close(reason);
  }

  /** The simulation uses this worker from now on. @param pushFirst Pushes inputs that precede all waiting ones. */
  use(connection: WorkerConnection, pushFirst?: () => void): void {
    const { inputs, calls, sendAssets } = this.#deps;
    // Before the commands that name them.
    sendAssets(connection.client);
    const nextIndex = commandIndexes(
      connection.info.commands,
      this.#connection?.info.commands,
      calls,
    );
    this.#connection = connection;
    const refused = inputs.attach(connection.views, () => connection.touch(), pushFirst, nextIndex);
    calls.refuse(refused);
    this.#deps.onConnection(connection);
    this.liveness.watch(connection.views.control);
  }

  /** While this runs, calls wait; then they go to the worker that is in use. */
  async whileCallsWait<T>(run: () => Promise<T>): Promise<T> {
    const { promise, resolve } = withResolvers<void>();
    this.#takeover = promise;
    try {
      return await run();
    } finally {
      this.#takeover = undefined;
      resolve(this.#restart);
    }
  }

  /** Another worker takes over from one that is paused. Resolves when that one has stopped. */
  takeOver(next: WorkerConnection, createWorker: CreateWorker): Promise<void> {
    this.createWorker = createWorker;
    this.#leaving = this.connection.close(new Error('the worker was replaced before it answered'));
    this.use(next);
    return this.#leaving;
  }

  /** Replaces a stalled worker, as if it had failed. Resolves when another one runs. */
  async replaceStalled(createWorker: CreateWorker): Promise<void> {
    this.createWorker = createWorker;
    const error = new WorkerFailedError('the worker did not answer and was replaced', 'hang');
    this.#onFailure(error, true);
    await this.#unsettled;
    this.requireRunning();
  }

  /** Waits for the work until the simulation is closed, since starting a worker may take any time. */
  unlessClosed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#closed.promise, work]);
  }

  /** Creates another worker, which ends if the simulation is closed in the meantime. */
  create(createWorker: CreateWorker): Promise<CreatedWorker> {
    const creating = createWith(createWorker, this.#deps.options.transport);
    creating
      .then(({ worker }) => {
        if (this.#ended !== undefined) worker.terminate();
      })
      .catch(() => {});
    return this.unlessClosed(creating);
  }

  /**
   * @param resumeFrom Where the simulation continues from; undefined: from the beginning.
   * @param onEarly For a worker that takes over later and is paused: called with its messages until it is in use.
   */
  async openConnection(
    created: CreatedWorker,
    resumeFrom?: SeekRequest,
    onEarly?: (message: WorkerMessage) => void,
  ): Promise<WorkerConnection> {
    const { options, onMessage, sendAssets, clock } = this.#deps;
    const opened: { connection?: WorkerConnection } = {};
    opened.connection = await WorkerConnection.open(
      created,
      { ...options, ...this.pace },
      {
        onCreated: sendAssets,
        onMessage: (message) => {
          const isUsed = onEarly === undefined || opened.connection === this.#connection;
          (isUsed ? onMessage : onEarly)(message);
        },
        // A failure during a start rejects the pending start.
        onFailure: (error) => {
          if (this.#connection !== undefined && opened.connection === this.#connection)
            this.#onFailure(error);
        },
      },
      this.#closed.promise,
      clock,
      resumeFrom,
    );
    return opened.connection;
  }

  #onStall(stalledMs: number, isInStep: boolean): void {
    const { recovery, restartAfterMs } = this.#deps.options;
    const outcome =
      recovery === 'none'
        ? 'Calls wait until it returns'
        : `It is replaced after ${restartAfterMs / 1000} s, and the run continues`;
    const error = silenceOf(stalledMs, isInStep, outcome);
    this.#deps.onStatus({ kind: 'stalled', stalledMs, error });
  }

  #onStillStalled(stalledMs: number, isInStep: boolean): void {
    const { recovery, restartAfterMs } = this.#deps.options;
    if (recovery === 'none' || stalledMs < restartAfterMs) return;
    this.#onFailure(silenceOf(stalledMs, isInStep, 'It was given up'));
  }

  #onFailure(
    error: WorkerFailedError,
    isReplaced = this.#deps.options.recovery === 'restart',
  ): void {
    if (this.#restart !== undefined || this.#ended !== undefined) return;
    const { inputs, onStatus } = this.#deps;
    this.liveness.stop();
    this.connection.abandon(error);
    inputs.detach();
    if (!isReplaced) return this.#fail(error);
    const { promise, resolve } = withResolvers<void>();
    // Before the status: its handlers find it restarting, and their calls wait for the next worker.
    this.#restart = promise;
    onStatus({ kind: 'restarting', error });
    resolve(this.#restartAfter(error));
  }

  #fail(error: WorkerFailedError): void {
    this.#ended = error;
    this.#deps.calls.rejectAll(error);
    this.#deps.onStatus({ kind: 'failed', error });
  }

  /** Emits the status only once the simulation is no longer restarting. Never rejects. */
  async #restartAfter(error: WorkerFailedError): Promise<void> {
    const status = await this.#bringUp(error);
    if (status?.kind === 'failed' && this.#ended === undefined) this.#fail(status.error);
    this.#restart = undefined;
    if (status?.kind === 'restarted') this.#deps.onStatus(status);
  }

  /** Resolves with the status to emit; never rejects. */
  async #bringUp(cause: WorkerFailedError): Promise<SimulationStatus | undefined> {
    let error = cause;
    let point: FailurePoint;
    try {
      point = this.#deps.failureAt(cause);
    } catch (failure) {
      // Another worker would have nothing to continue from.
      const why = failure instanceof Error ? failure.message : String(failure);
      const message = `${cause.message}. It cannot be restarted: ${why}`;
      error = failedBy(cause.cause, cause.stage, message);
      return { kind: 'failed', error };
    }
    const { segment, entries } = point;
    const lastTick = segment.untilTick;
    if (point.isElsewhere) this.#failedAfterTick = -1;
    const { calls, inputs } = this.#deps;
    const failed = new Set(callsOf(entries));
    const done = new Set(callsOf(segment.entries));
    calls.rejectExcept([inputs.waitingCalls, failed, done], cause);
    let skippedInputs = 0;
    while (this.#mayTry(lastTick)) {
      const isRepeated = this.#attempts === 1;
      if (!isRepeated) {
        this.#leaveOut(entries, lastTick + 1, error);
        skippedInputs = entries.filter((entry) => entry.kind === 'input' || hasCall(entry)).length;
      }
      let isUsed = false;
      try {
        const connection = await this.openConnection(await this.create(this.createWorker), segment);
        this.use(connection, () => this.#requeue(isRepeated ? entries : [], connection));
        isUsed = true;
        await this.unlessClosed(connection.start(this.pace));
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
        if (this.#ended !== undefined) return undefined;
        // The worker has run or begun ticks: a repeated attempt would start at the wrong place, or report ticks twice.
        if (!isUsed) continue;
        this.#unreportedSkips += skippedInputs;
        return this.#bringUp(error);
      }
    }
    return this.#ended !== undefined ? undefined : { kind: 'failed', error };
  }

  /** The new worker has failed, or is no longer needed. */
  #drop(error: WorkerFailedError): void {
    this.liveness.stop();
    this.#deps.inputs.detach();
    // After disposal, `close` ends the connection in use.
    if (this.#ended === undefined) this.connection.abandon(error);
  }

  /** Counts consecutive attempts to get beyond a tick. */
  #mayTry(lastTick: number): boolean {
    if (this.#ended !== undefined) return false;
    this.#attempts = lastTick > this.#failedAfterTick ? 1 : this.#attempts + 1;
    this.#failedAfterTick = lastTick;
    return this.#attempts <= MAX_ATTEMPTS;
  }

  /** Queues the entries for the next worker's first tick, before all waiting inputs. */
  #requeue(entries: readonly RecordingEntry[], connection: WorkerConnection): void {
    const { inputs, calls } = this.#deps;
    const { commands } = connection.info;
    for (const entry of entries) {
      // The entry's input window is over: the first tick takes it.
      if (entry.kind === 'input') inputs.push(entry.input, 0);
      if (!hasCall(entry)) continue;
      const { call = 0 } = entry;
      const isQueued =
        entry.kind === 'command'
          ? inputs.pushCommand(commands.indexOf(entry.name), call, entry, 0)
          : inputs.pushBatch(call, (out) => out.bytes(entry.bytes), 0);
      if (!isQueued) calls.refuse([call]);
    }
  }

  /** Rejects the calls with which a tick has failed again. Calls that it had not taken wait for the next tick. */
  #leaveOut(entries: readonly RecordingEntry[], tick: number, cause: WorkerFailedError): void {
    const { inputs, calls } = this.#deps;
    const { waitingCalls } = inputs;
    calls.reject(
      callsOf(entries).filter((call) => !waitingCalls.has(call)),
      (what) =>
        failedBy(
          cause.cause,
          cause.stage,
          `${what} was skipped because tick ${tick} failed again with it. Cause: ${cause.message}`,
        ),
    );
  }
}

/** @param outcome What happens to the worker. */
function silenceOf(silentMs: number, isInStep: boolean, outcome: string): WorkerFailedError {
  const [what, why] = isInStep
    ? ['been in one step', 'the step hangs, does too much work, or gets no processor time']
    : ['not answered', 'it is gone, or code in it does not end'];
  const seconds = (silentMs / 1000).toFixed(1);
  return new WorkerFailedError(
    `the worker has ${what} for ${seconds} s: ${why}. ${outcome}`,
    'hang',
  );
}

function callsOf(entries: readonly RecordingEntry[]): number[] {
  return entries.flatMap((entry) =>
    hasCall(entry) && entry.call !== undefined && entry.call !== 0 ? entry.call : [],
  );
}
