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
import type { CallLimit, Withdraw } from '../queues/call-limits.js';
import { queueFull } from '../queues/command-calls.js';
import { LivenessMonitor } from './liveness.js';
import type { ResolvedOptions } from '../api/check-options.js';
import type { PageClock } from './page-clock.js';
import { withResolvers } from '../util/promises.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { WorkerLink } from './worker-link.js';
import { CurrentOptions, type ChangeableOptions } from './worker-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import { createWith, type CreatedWorker } from './transport.js';
import type { RestarterParts, WorkerRestarter } from './worker-restarter.js';

export interface SupervisorParts extends RestarterParts {
  readonly createWorker: CreateWorker;
  readonly options: ResolvedOptions;
  /** What replaces a worker that fails. Undefined: the simulation fails with it. */
  readonly Restarter: typeof WorkerRestarter | undefined;
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
  readonly #restarter: WorkerRestarter | undefined;
  readonly #options: CurrentOptions;
  #link: WorkerLink | undefined;
  /** Why the worker before this one was given up. */
  #replacedFor: Error | undefined;
  #restart: Promise<void> | undefined;
  #ended: Error | undefined;
  /** Rejects by {@link close}: a worker that is being brought up may never answer. */
  readonly #closed = withResolvers<never>();

  constructor(parts: SupervisorParts) {
    const { options, Restarter } = parts;
    this.#parts = parts;
    this.#options = new CurrentOptions(options);
    // Mostly nobody is waiting when it does.
    this.#closed.promise.catch(() => {});
    this.#restarter =
      Restarter &&
      new Restarter(parts, {
        isEnded: () => this.#ended !== undefined,
        open: (segment) => this.#openNext(segment),
        use: (link, pushFirst) => this.#use(link, pushFirst),
        unlessClosed: (work) => this.#unlessClosed(work),
        drop: (error) => this.#drop(error),
      });
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
    return this.#options.values.maxCatchUpTicks;
  }

  get isRestarting(): boolean {
    return this.#restart !== undefined;
  }

  /** Whether a call was rejected because its worker was replaced: the next one goes on. */
  isReplacement(error: unknown): boolean {
    return error === this.#replacedFor && this.#ended === undefined;
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
    const note = this.#options.change(changed);
    if (limit === undefined) {
      note();
      await this.carryOver(() => this.call(make));
      return;
    }
    await this.call(make, limit);
    if (!limit.isWithdrawn) note();
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
    const options = { ...this.#options.values, startPaused: this.#parts.isPaused() };
    return WorkerLink.open(
      created,
      options,
      { onMessage, onFailure: (error) => this.#onFailure(error) },
      this.#closed.promise,
      this.#parts.clock,
      resumeFrom,
    );
  }

  /** @param pushFirst Pushes inputs that come before all that waits. */
  #use(link: WorkerLink, pushFirst?: () => void): void {
    const { inputs, calls } = this.#parts;
    this.#link = link;
    const refused = inputs.attach(link.views, () => link.touch(), pushFirst);
    calls.reject(refused, queueFull);
    this.#parts.onLink(link);
    this.#liveness.watch(link.views.control);
  }

  #onStall(stalledMs: number): void {
    const error = new WorkerFailedError(
      `the worker has been in one step for ${(stalledMs / 1000).toFixed(1)} s: the step hangs, does too much work, or ` +
        'gets no processor time. Calls wait until it returns',
      'hang',
    );
    this.#parts.onStatus({ kind: 'stalled', stalledMs, error });
  }

  #onStillStalled(stalledMs: number): void {
    const { restartAfterMs } = this.#options.values.recovery;
    if (this.#restarter === undefined || stalledMs < restartAfterMs) return;
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
    const restarter = this.#restarter;
    if (restarter !== undefined) this.#replacedFor = error;
    this.link.abandon(error);
    inputs.detach();
    if (restarter === undefined) return this.#giveUp(error);
    onStatus({ kind: 'restarting', error });
    this.#restart = this.#restartAfter(error, restarter);
  }

  #giveUp(error: WorkerFailedError): void {
    this.#ended = error;
    this.#parts.calls.rejectAll(error);
    this.#parts.onStatus({ kind: 'failed', error });
  }

  /** Tells only when the simulation is no longer restarting. Never rejects. */
  async #restartAfter(error: WorkerFailedError, restarter: WorkerRestarter): Promise<void> {
    const status = await restarter.bringUp(error);
    if (status?.kind === 'failed' && this.#ended === undefined) this.#giveUp(status.error);
    this.#restart = undefined;
    if (status?.kind === 'restarted') this.#parts.onStatus(status);
  }

  /** Makes the next worker, and takes it to where a segment of the run ends. */
  async #openNext(segment: SeekRequest): Promise<WorkerLink> {
    const creating = createWith(this.#parts.createWorker, this.#options.values.transport);
    creating
      .then(({ worker }) => {
        if (this.#ended !== undefined) worker.terminate();
      })
      .catch(() => {});
    return this.#openLink(await this.#unlessClosed(creating), segment);
  }

  /** The worker that was brought up has failed, or is not needed any more. */
  #drop(error: WorkerFailedError): void {
    this.#liveness.stop();
    this.#parts.inputs.detach();
    // Disposed of: `close` ends the link in use, as it ends any.
    if (this.#ended === undefined) this.link.abandon(error);
  }

  /** What is waited for while a worker is brought up: it may take as long as it likes. */
  #unlessClosed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#closed.promise, work]);
  }
}
