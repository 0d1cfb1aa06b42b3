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
 * Calls wait for a stalled worker, because it may come back and execute them. Its memory is never reused: Chromium lets
 * a terminated worker write for two seconds.
 */
import type { Remote } from 'comlink';
import type {
  SeekRequest,
  WorkerControl,
  WorkerMessage,
} from '../../shared/protocol/control-protocol.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import type { CallLimit, Withdraw } from '../queues/call-limits.js';
import { queueFull, type CommandCalls, type CommandQueue } from '../queues/command-calls.js';
import type { InputSender } from '../queues/input-sender.js';
import { LivenessMonitor } from './liveness.js';
import type { ResolvedOptions } from '../api/check-options.js';
import type { PageClock } from './page-clock.js';
import { withResolvers } from '../util/promises.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { WorkerLink } from './worker-link.js';
import { CurrentOptions, type ChangeableOption } from './worker-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { CreatedWorker } from './transport.js';
import type { FailurePoint, WorkerRestarter } from './worker-restarter.js';

export interface SupervisorParts {
  readonly createWorker: CreateWorker;
  readonly options: ResolvedOptions;
  /** Replaces a worker that fails. Undefined: the simulation fails with its worker. */
  readonly Restarter: typeof WorkerRestarter | undefined;
  /** Returns what leads to the tick after which the worker failed. */
  readonly failureAt: (error: WorkerFailedError) => FailurePoint;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  /** Whether a worker that starts now must be paused. */
  readonly isPaused: () => boolean;
  /** Called with each worker's link when its simulation is ready, before it ticks. */
  readonly onLink: (link: WorkerLink) => void;
  readonly onMessage: (message: WorkerMessage) => void;
  readonly onStatus: (status: SimulationStatus) => void;
  /** Measures the time limits on workers. */
  readonly clock: PageClock;
}

export class WorkerSupervisor implements CommandQueue {
  readonly #parts: SupervisorParts;
  readonly liveness: LivenessMonitor;
  readonly options: CurrentOptions;
  readonly #restarter: WorkerRestarter | undefined;
  #link: WorkerLink | undefined;
  /** Why the previous worker was given up. */
  #replacedFor: Error | undefined;
  #restart: Promise<void> | undefined;
  #ended: Error | undefined;
  /** Rejected by {@link close}: a worker that is being started may never answer. */
  readonly #closed = withResolvers<never>();

  constructor(parts: SupervisorParts) {
    const { options, Restarter } = parts;
    this.#parts = parts;
    this.options = new CurrentOptions(options);
    // Usually nothing waits for it.
    this.#closed.promise.catch(() => {});
    this.#restarter = Restarter && new Restarter(parts, this);
    this.liveness = new LivenessMonitor(
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

  /**
   * Starts the first worker, which was created before. Rejects with the reason if it does not run.
   *
   * @param aborted Rejects when nothing waits for it any more.
   */
  async open(first: CreatedWorker, aborted?: Promise<never>): Promise<void> {
    aborted?.catch((reason: Error) => this.#closed.reject(reason));
    const link = await this.openLink(first);
    try {
      await this.unlessClosed(link.start());
      this.use(link);
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

  get isRestarting(): boolean {
    return this.#restart !== undefined;
  }

  /** Why the simulation has ended, if so. */
  get ended(): Error | undefined {
    return this.#ended;
  }

  /** @throws The reason, if the simulation has ended. */
  requireRunning(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /**
   * Makes a call to the worker; while one is being restarted, to the next one.
   *
   * @param limit By which it may be withdrawn: this then resolves with a value to be ignored.
   * @param endBegun Tries to end a call that the worker has begun. By default, this waits for such a call.
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
   * Makes calls whose effect the next worker starts with in any case. If this worker is replaced before they are
   * answered, they resolve when the next one runs.
   *
   * @param limit Limit of the calls. While no worker runs, they can be withdrawn by reverting what the page has noted.
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
   * Changes an option of this and later workers. A call that may be withdrawn is only noted when it is answered, and
   * rejects if its worker is replaced before that.
   */
  async set(
    name: ChangeableOption,
    value: number,
    make: (remote: Remote<WorkerControl>) => Promise<void>,
    limit?: CallLimit,
  ): Promise<void> {
    const note = this.options.change(name, value);
    if (limit === undefined) {
      note();
      await this.carryOver(() => this.call(make));
      return;
    }
    await this.call(make, limit);
    if (!limit.isWithdrawn) note();
  }

  /** Measures the worker's clock offset again and sends it to the worker. */
  async alignClock(): Promise<void> {
    await this.#restart;
    this.requireRunning();
    await this.link.alignClock();
  }

  async close(reason: Error): Promise<void> {
    this.liveness.stop();
    this.#ended ??= reason;
    this.#parts.calls.rejectAll(reason);
    this.#closed.reject(reason);
    await this.#restart;
    await this.link.close(reason);
  }

  /** For a worker without shared memory: resolves when it takes calls. */
  whenReady(): Promise<void> | undefined {
    if (!this.#isApart) return undefined;
    return this.carryOver(() => this.call((remote) => remote.ready()));
  }

  withdraw(call: number): boolean | Promise<boolean> {
    return this.#isApart && !this.isRestarting
      ? this.#askToWithdraw(call)
      : this.#parts.inputs.withdraw(call);
  }

  /** Asks the worker to remove a command from its queue; if that worker is gone, removes it wherever it is. */
  async #askToWithdraw(call: number): Promise<boolean> {
    try {
      return await this.link.client.call((remote) => remote.withdraw(call));
    } catch {
      // If the next worker already has it, that one is asked.
      return this.#ended === undefined && this.withdraw(call);
    }
  }

  /** The worker has its own memory, which this page cannot access. */
  get #isApart(): boolean {
    return this.link.transport.kind === 'transfer';
  }

  /** The simulation uses this worker from now on. @param pushFirst Pushes inputs that precede all waiting ones. */
  use(link: WorkerLink, pushFirst?: () => void): void {
    const { inputs, calls } = this.#parts;
    this.#link = link;
    const refused = inputs.attach(link.views, () => link.touch(), pushFirst);
    calls.reject(refused, queueFull);
    this.#parts.onLink(link);
    this.liveness.watch(link.views.control);
  }

  /** Waits for the work until the simulation is closed, since starting a worker may take any time. */
  unlessClosed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#closed.promise, work]);
  }

  /** @param resumeFrom Where the simulation continues from; undefined: from the beginning. */
  openLink(created: CreatedWorker, resumeFrom?: SeekRequest): Promise<WorkerLink> {
    const { onMessage } = this.#parts;
    const options = { ...this.options.values, startPaused: this.#parts.isPaused() };
    return WorkerLink.open(
      created,
      options,
      { onMessage, onFailure: (error) => this.#onFailure(error) },
      this.#closed.promise,
      this.#parts.clock,
      resumeFrom,
    );
  }

  #onStall(stalledMs: number): void {
    const message =
      `the worker has been in one step for ${(stalledMs / 1000).toFixed(1)} s: the step hangs, does too much work, or ` +
      'gets no processor time. Calls wait until it returns';
    const error = new WorkerFailedError(message, 'hang');
    this.#parts.onStatus({ kind: 'stalled', stalledMs, error });
  }

  #onStillStalled(stalledMs: number): void {
    const { restartAfterMs } = this.options.values.recovery;
    if (this.#restarter === undefined || stalledMs < restartAfterMs) return;
    const seconds = (stalledMs / 1000).toFixed(1);
    const message = `the worker hung for ${seconds} s in one step and was given up`;
    this.#onFailure(new WorkerFailedError(message, 'hang'));
  }

  #onFailure(error: WorkerFailedError): void {
    // A failure during a start rejects the pending start.
    if (this.#link === undefined || this.#restart !== undefined || this.#ended !== undefined)
      return;
    const { inputs, onStatus } = this.#parts;
    this.liveness.stop();
    const restarter = this.#restarter;
    if (restarter !== undefined) this.#replacedFor = error;
    this.link.abandon(error);
    inputs.detach();
    if (restarter === undefined) return this.#giveUp(error);
    const { promise, resolve } = withResolvers<void>();
    // Before the status: its handlers find it restarting, and their calls wait for the next worker.
    this.#restart = promise;
    onStatus({ kind: 'restarting', error });
    resolve(this.#restartAfter(error, restarter));
  }

  #giveUp(error: WorkerFailedError): void {
    this.#ended = error;
    this.#parts.calls.rejectAll(error);
    this.#parts.onStatus({ kind: 'failed', error });
  }

  /** Emits the status only once the simulation is no longer restarting. Never rejects. */
  async #restartAfter(error: WorkerFailedError, restarter: WorkerRestarter): Promise<void> {
    const status = await restarter.bringUp(error);
    if (status?.kind === 'failed' && this.#ended === undefined) this.#giveUp(status.error);
    this.#restart = undefined;
    if (status?.kind === 'restarted') this.#parts.onStatus(status);
  }
}
