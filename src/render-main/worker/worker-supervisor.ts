/**
 * Keeps a simulation running: opens its worker, notices when it hangs or dies, and brings up another one.
 *
 *     open ──▶ running ──▶ stalled ──▶ (comes back) running
 *                │            │
 *                └── fails ───┴──▶ restarting: new worker, new memory
 *                                    nearest saved state ─ replay what the page was told ─ inputs that no tick took
 *                                    └──▶ running, at the last tick that was finished
 *                                    └──▶ failed, when it fails again and again, or recovery is not asked for
 *
 * Calls wait for a worker that is stalled: nobody knows whether it comes back, and then it does them. They are settled when
 * that is known. A worker that is replaced has not done them, but for what the next one is started with.
 *
 * The memory of the worker before is never used again: Chromium lets a terminated worker write for two seconds.
 */
import type { Remote } from 'comlink';
import type {
  SeekRequest,
  WorkerControl,
  WorkerMessage,
} from '../../shared/protocol/control-protocol.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { Recording, RecordingEntry } from '../../shared/recording/recording.js';
import type { CallLimit, Withdraw } from '../queues/call-limits.js';
import { queueFull, type CommandCalls } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import { LivenessMonitor } from './liveness.js';
import type { ResolvedOptions } from '../api/options.js';
import type { PageClock } from './page-clock.js';
import { withResolvers } from '../util/promises.js';
import { segmentUpTo } from '../recording/run-segment.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { WorkerLink } from './worker-link.js';
import type { CreateWorker } from '../api/create-worker.js';
import { createWith, type CreatedWorker } from './transport.js';

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

export interface SupervisorParts {
  readonly createWorker: CreateWorker;
  readonly options: ResolvedOptions;
  /** What leads to the tick after which the worker failed. */
  readonly failureAt: (error: WorkerFailedError) => FailurePoint;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  /** Whether a worker that starts now is to stand. */
  readonly isPaused: () => boolean;
  /** Called with each worker's link when its simulation is there, before it ticks. */
  readonly onLink: (link: WorkerLink) => void;
  readonly onMessage: (message: WorkerMessage) => void;
  readonly onStatus: (status: SimulationStatus) => void;
  /** What limits on workers are measured by. */
  readonly clock: PageClock;
}

export class WorkerSupervisor {
  readonly #parts: SupervisorParts;
  readonly #liveness: LivenessMonitor;
  #options: ResolvedOptions;
  /** Which change each option is of; see {@link set}. */
  readonly #changes = new Map<string, number>();
  #change = 0;
  #link: WorkerLink | undefined;
  /** Why the worker before this one was given up. */
  #replacedFor: Error | undefined;
  #restart: Promise<void> | undefined;
  #ended: Error | undefined;
  /** Rejects by {@link close}: a worker that is being brought up may never answer. */
  readonly #closed = withResolvers<never>();
  /** The tick after which it failed last, and how often in a row. */
  #failedAfterTick = -1;
  #attempts = 0;
  /** Orders that were left out by restarts which failed before they could be told of. */
  #unreportedSkips = 0;

  constructor(parts: SupervisorParts) {
    const { options } = parts;
    this.#parts = parts;
    this.#options = options;
    // Mostly nobody is waiting when it does.
    this.#closed.promise.catch(() => {});
    parts.calls.queue = {
      whenReady: () => (this.#isWorkerApart ? this.#whenReady() : undefined),
      withdraw: (call) =>
        this.#isWorkerApart && !this.isRestarting
          ? this.#askToWithdraw(call)
          : parts.inputs.withdraw(call),
    };
    this.#liveness = new LivenessMonitor(
      { hangLimitMs: options.recovery.hangLimitMs, queryLimitMs: options.startTimeoutMs },
      {
        onLook: () => this.#link?.check(),
        onStall: (stalledMs) => this.#onStall(stalledMs),
        onStillStalled: (stalledMs) => this.#onStillStalled(stalledMs),
        onRecovery: () => parts.onStatus({ kind: 'recovered' }),
      },
      parts.clock,
    );
  }

  /** Starts the first worker, which was made before. Rejects with why it does not run. */
  async open(first: CreatedWorker): Promise<void> {
    const link = await this.#openLink(first);
    try {
      await link.start();
      this.#use(link);
    } catch (error) {
      link.abandon(error as Error);
      throw error;
    }
  }

  /** The worker that runs, or ran last. */
  get link(): WorkerLink {
    if (this.#link === undefined) throw new Error('the simulation has not been started');
    return this.#link;
  }

  get isStalled(): boolean {
    return this.#liveness.isStalled;
  }

  /** The last that was set. */
  get maxCatchUpTicks(): number {
    return this.#options.maxCatchUpTicks;
  }

  get isRestarting(): boolean {
    return this.#restart !== undefined;
  }

  /** Why there is no simulation any more, if so. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /** @throws Why there is no simulation any more, if so. */
  requireRunning(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /**
   * Makes a call to the worker; while one is being restarted, to the next one.
   *
   * @param limit By which it may be withdrawn. What this resolves with then counts for nothing.
   * @param endBegun Tries to end one that the worker has begun. Without it, that is waited for.
   */
  async call<T>(
    make: (remote: Remote<WorkerControl>) => Promise<T>,
    limit?: CallLimit,
    endBegun?: Withdraw,
  ): Promise<T> {
    await this.#restart;
    this.requireRunning();
    if (limit?.isWithdrawn === true) return undefined as T;
    return this.link.client.call(make, limit, endBegun);
  }

  /**
   * Makes calls for something that the next worker is started with in any case. If it takes the place of this one before
   * they are answered, then they are when it runs.
   *
   * @param limit Of the calls. What the page has noted can be taken back while none runs.
   */
  async carryOver(make: () => Promise<void>, limit?: CallLimit): Promise<void> {
    try {
      await make();
    } catch (error) {
      if (error !== this.#replacedFor) throw error;
      limit?.withdrawBy(() => true);
      await this.#restart;
      this.requireRunning();
    }
  }

  /**
   * Changes an option of the worker, and of those after it. A call that may be withdrawn is noted when it is done, and
   * rejects when its worker is replaced before that.
   */
  async set(
    changed: ChangeableOptions,
    make: (remote: Remote<WorkerControl>) => Promise<void>,
    limit?: CallLimit,
  ): Promise<void> {
    this.#change += 1;
    const change = this.#change;
    if (limit === undefined) {
      this.#note(changed, change);
      await this.carryOver(() => this.call(make));
      return;
    }
    await this.call(make, limit);
    if (!limit.isWithdrawn) this.#note(changed, change);
  }

  /** What the next worker is to be started with as well, unless a later change says otherwise. */
  #note(changed: ChangeableOptions, change: number): void {
    for (const [name, value] of Object.entries(changed)) {
      if ((this.#changes.get(name) ?? 0) > change) continue;
      this.#changes.set(name, change);
      this.#options = { ...this.#options, [name]: value };
    }
  }

  /** Measures the worker's clock anew and tells it. */
  async alignClock(): Promise<void> {
    await this.#restart;
    this.requireRunning();
    await this.link.alignClock();
  }

  async close(reason: Error): Promise<void> {
    this.#liveness.stop();
    this.#ended ??= reason;
    this.#parts.calls.rejectAll(reason);
    this.#closed.reject(reason);
    await this.#restart;
    await this.link.close(reason);
  }

  #openLink(created: CreatedWorker, resumeFrom?: SeekRequest): Promise<WorkerLink> {
    const { onMessage } = this.#parts;
    const options = { ...this.#options, startPaused: this.#parts.isPaused() };
    return WorkerLink.open(
      created,
      options,
      { onMessage, onFailure: (error) => this.#onFailure(error) },
      this.#closed.promise,
      this.#parts.clock,
      resumeFrom,
    );
  }

  /** @param again What the tick that failed was given: it is given that once more, before all that waits. */
  #use(link: WorkerLink, again: readonly RecordingEntry[] = []): void {
    const { inputs, calls } = this.#parts;
    this.#link = link;
    const refused = inputs.attach(
      link.views,
      () => link.touch(),
      () => this.#requeue(again),
    );
    calls.reject(refused, queueFull);
    this.#parts.onLink(link);
    this.#liveness.watch(link.views.control);
  }

  #onStall(stalledMs: number): void {
    const error = new WorkerFailedError(
      `the worker has been in one step for ${(stalledMs / 1000).toFixed(1)} s: a step that does not end, far too much ` +
        'for one, or a machine that is short of processors. Calls wait for it; if it comes back, it does them, and goes on',
      'hang',
    );
    this.#parts.onStatus({ kind: 'stalled', stalledMs, error });
  }

  #onStillStalled(stalledMs: number): void {
    const { mode, restartAfterMs } = this.#options.recovery;
    if (mode !== 'restart' || stalledMs < restartAfterMs) return;
    this.#onFailure(
      new WorkerFailedError(
        `the worker hung for ${(stalledMs / 1000).toFixed(1)} s in one step and was given up`,
        'hang',
      ),
    );
  }

  #onFailure(error: WorkerFailedError): void {
    // One that is being started rejects what waits for that.
    if (this.#link === undefined || this.#restart !== undefined) return;
    if (this.#ended !== undefined) return;
    const { inputs, onStatus } = this.#parts;
    this.#liveness.stop();
    const isRestarted = this.#options.recovery.mode === 'restart';
    if (isRestarted) this.#replacedFor = error;
    this.link.abandon(error);
    inputs.detach();
    if (!isRestarted) {
      this.#giveUp(error);
      return;
    }
    onStatus({ kind: 'restarting', error });
    this.#restart = this.#restartAfter(error);
  }

  #giveUp(error: WorkerFailedError): void {
    this.#ended = error;
    this.#parts.calls.rejectAll(error);
    this.#parts.onStatus({ kind: 'failed', error });
  }

  /** Tells only when the simulation is no longer restarting. Never rejects. */
  async #restartAfter(error: WorkerFailedError): Promise<void> {
    const status = await this.#bringUp(error);
    this.#restart = undefined;
    if (status !== undefined) this.#parts.onStatus(status);
  }

  /** Resolves with what there is to tell; never rejects. */
  async #bringUp(cause: WorkerFailedError): Promise<SimulationStatus | undefined> {
    let error = cause;
    let point: FailurePoint;
    try {
      point = this.#parts.failureAt(cause);
    } catch (failure) {
      // Nothing is known that another one could go on from.
      const why = failure instanceof Error ? failure.message : String(failure);
      const message = `${cause.message}. It cannot be restarted: ${why}`;
      this.#giveUp(new WorkerFailedError(message, cause.stage, cause.workerStack));
      return undefined;
    }
    const { recording, entries, restarts } = point;
    const { lastTick } = recording;
    if (point.hadBeenLeft) this.#failedAfterTick = -1;
    const { calls, inputs } = this.#parts;
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
        const created = await this.#create();
        const link = await this.#openLink(created, segment);
        this.#use(link, isRepeated ? entries : []);
        isUsed = true;
        await this.#unlessClosed(this.#start(link));
        skippedInputs += this.#unreportedSkips;
        this.#unreportedSkips = 0;
        return {
          kind: 'restarted',
          tick: lastTick,
          replayedTicks: lastTick - (segment.from?.tick ?? 0),
          skippedInputs,
        };
      } catch (failure) {
        this.#liveness.stop();
        this.#parts.inputs.detach();
        // Disposed of: `close` ends the link in use, as it ends any.
        if (this.#ended !== undefined) return undefined;
        if (failure instanceof WorkerFailedError) error = failure;
        this.link.abandon(error);
        // It has run ticks, or begun one: where it goes on from is another place, or was told of twice.
        if (!isUsed) continue;
        this.#unreportedSkips += skippedInputs;
        return this.#bringUp(error);
      }
    }
    if (this.#ended === undefined) this.#giveUp(error);
    return undefined;
  }

  async #start(link: WorkerLink): Promise<void> {
    await link.start();
    if (this.#parts.isPaused()) await link.client.call((remote) => remote.pause());
  }

  #create(): Promise<CreatedWorker> {
    const creating = createWith(this.#parts.createWorker, this.#options.transport);
    creating
      .then(({ worker }) => {
        if (this.#ended !== undefined) worker.terminate();
      })
      .catch(() => {});
    return this.#unlessClosed(creating);
  }

  /** What is waited for while a worker is brought up: it may take as long as it likes. */
  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#closed.promise, work]);
  }

  /** Counts attempts in a row to get beyond a tick. */
  #mayTry(lastTick: number): boolean {
    if (this.#ended !== undefined) return false;
    this.#attempts = lastTick > this.#failedAfterTick ? 1 : this.#attempts + 1;
    this.#failedAfterTick = lastTick;
    return this.#attempts <= MAX_ATTEMPTS;
  }

  #requeue(entries: readonly RecordingEntry[]): void {
    const { inputs, calls } = this.#parts;
    const { commands } = this.link.info;
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
          `the command "${name}" was left out: tick ${tick} failed again with it. Cause: ${cause.message}`,
          cause.stage,
          cause.workerStack,
        ),
    );
  }

  /** The worker has memory of its own, which this page does not reach. */
  get #isWorkerApart(): boolean {
    return this.link.transport.kind === 'transfer';
  }

  /** Resolves when the worker takes calls. */
  async #whenReady(): Promise<void> {
    for (;;) {
      try {
        await this.call((remote) => remote.ready());
        return;
      } catch (error) {
        if (error !== this.#replacedFor || this.#ended !== undefined) throw error;
      }
    }
  }

  /** Has the worker take a command out of its queue, or finds it where it is when that worker is gone. */
  async #askToWithdraw(call: number): Promise<boolean> {
    try {
      return await this.link.client.call((remote) => remote.withdraw(call));
    } catch {
      if (this.#ended !== undefined) return false;
      // Given to the next worker already, it is asked.
      return this.isRestarting ? this.#parts.inputs.withdraw(call) : this.#askToWithdraw(call);
    }
  }
}

/** What can be changed while it runs. */
export type ChangeableOptions = Partial<
  Pick<ResolvedOptions, 'tickRateHz' | 'timeScale' | 'maxCatchUpTicks'>
>;

/** Calls of the commands among some entries. */
function callsOf(entries: readonly RecordingEntry[]): number[] {
  return entries.flatMap((entry) =>
    entry.kind === 'command' && entry.call !== undefined && entry.call !== 0 ? entry.call : [],
  );
}

const isTickInput = ({ kind }: RecordingEntry): boolean => kind === 'input' || kind === 'command';
