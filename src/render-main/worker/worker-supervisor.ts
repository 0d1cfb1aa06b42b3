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
 * On demand, another worker takes over from one that runs; see worker-replacement.ts.
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
import type { Pace } from '../../shared/memory/pace.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import { placeIn } from '../queues/command-calls.js';
import { LivenessMonitor } from './liveness.js';
import { withResolvers } from '../util/promises.js';
import type { SupervisorParts } from './supervisor-parts.js';
import { WorkerLink } from './worker-link.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { CreatedWorker } from './transport.js';
import type { WorkerRestarter } from './worker-restarter.js';

export class WorkerSupervisor {
  readonly #parts: SupervisorParts;
  readonly liveness: LivenessMonitor;
  readonly #restarter: WorkerRestarter | undefined;
  /** Creates the next worker. */
  createWorker: CreateWorker;
  /** What the page wants of this worker and of later ones. */
  pace: Pace;
  #link: WorkerLink | undefined;
  #restart: Promise<void> | undefined;
  /** While another worker takes over on demand, and during a restart that follows. */
  #takeover: Promise<void> | undefined;
  /** The worker before, until it has stopped. */
  #leaving: Promise<void> | undefined;
  #ended: Error | undefined;
  /** Rejected by {@link close}: a worker that is being started may never answer. */
  readonly #closed = withResolvers<never>();

  constructor(parts: SupervisorParts) {
    const { options, Restarter } = parts;
    this.#parts = parts;
    this.createWorker = parts.createWorker;
    const { startPaused: isPaused, tickRateHz, timeScale, maxCatchUpTicks } = options;
    this.pace = { isPaused, resumes: 0, tickRateHz, timeScale, maxCatchUpTicks };
    // Usually nothing waits for it.
    this.#closed.promise.catch(() => {});
    this.#restarter = Restarter && new Restarter(parts, this);
    this.liveness = new LivenessMonitor(
      { hangLimitMs: options.hangLimitMs, queryLimitMs: options.startTimeoutMs },
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
    await this.#unsettled;
    this.requireRunning();
    return this.link.client.call(make);
  }

  /** Changes the pace of this worker and of later ones. Resolves when the one that runs follows it. */
  setPace(changes: Partial<Pace>): Promise<void> {
    this.pace = { ...this.pace, ...changes };
    this.#link?.setPace(this.pace);
    // The call also wakes a worker that is parked.
    return this.#ask((link) => link.client.call((remote) => remote.ready()));
  }

  /** Measures the worker's clock offset again and sends it to the worker. */
  alignClock(): Promise<void> {
    return this.#ask((link) => link.alignClock());
  }

  /** As {@link alignClock}, unless it was measured just now. */
  alignClockAgain(): Promise<void> {
    return this.#ask((link) => link.alignClockAgain());
  }

  /** Asks the worker, and if it is replaced before it has answered, the next one, too. */
  async #ask(make: (link: WorkerLink) => Promise<unknown>): Promise<void> {
    await this.#unsettled;
    this.requireRunning();
    const { link } = this;
    try {
      await make(link);
    } catch (error) {
      if (link.client.ended === undefined) throw error;
      await this.#ask(make);
    }
  }

  async close(reason: Error): Promise<void> {
    this.liveness.stop();
    this.#ended ??= reason;
    this.#parts.calls.rejectAll(reason);
    this.#closed.reject(reason);
    await this.#unsettled;
    await this.#leaving;
    await this.link.close(reason);
  }

  /** The simulation uses this worker from now on. @param pushFirst Pushes inputs that precede all waiting ones. */
  use(link: WorkerLink, pushFirst?: () => void): void {
    const { inputs, calls, sendAssets } = this.#parts;
    // Before the commands that name them.
    sendAssets(link.client);
    const place = placeIn(link.info.commands, this.#link?.info.commands, calls);
    this.#link = link;
    const refused = inputs.attach(link.views, () => link.touch(), pushFirst, place);
    calls.refuse(refused);
    link.setPace(this.pace);
    this.#parts.onLink(link);
    this.liveness.watch(link.views.control);
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
  takeOver(next: WorkerLink, createWorker: CreateWorker): Promise<void> {
    this.createWorker = createWorker;
    this.#leaving = this.link.close(new Error('the worker was replaced before it answered'));
    this.use(next);
    return this.#leaving;
  }

  /** Replaces a stalled worker, as if it had failed. Resolves when another one runs. */
  async giveUp(Restarter: typeof WorkerRestarter, createWorker: CreateWorker): Promise<void> {
    this.createWorker = createWorker;
    const error = new WorkerFailedError('the worker hung in one step and was replaced', 'hang');
    this.#onFailure(error, new Restarter(this.#parts, this));
    await this.#unsettled;
    this.requireRunning();
  }

  /** Waits for the work until the simulation is closed, since starting a worker may take any time. */
  unlessClosed<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#closed.promise, work]);
  }

  /**
   * @param resumeFrom Where the simulation continues from; undefined: from the beginning.
   * @param onEarly Of a spare worker, which is paused: called with its messages until it is in use.
   */
  async openLink(
    created: CreatedWorker,
    resumeFrom?: SeekRequest,
    onEarly?: (message: WorkerMessage) => void,
  ): Promise<WorkerLink> {
    const { options, onMessage, sendAssets, clock } = this.#parts;
    const opened: { link?: WorkerLink } = {};
    opened.link = await WorkerLink.open(
      created,
      { ...options, ...this.pace, startPaused: onEarly !== undefined || this.pace.isPaused },
      {
        onCreated: sendAssets,
        onMessage: (message) => {
          const isUsed = onEarly === undefined || opened.link === this.#link;
          (isUsed ? onMessage : onEarly)(message);
        },
        // A failure during a start rejects the pending start.
        onFailure: (error) => {
          if (this.#link !== undefined && opened.link === this.#link) this.#onFailure(error);
        },
      },
      this.#closed.promise,
      clock,
      resumeFrom,
    );
    return opened.link;
  }

  #onStall(stalledMs: number): void {
    const message =
      `the worker has been in one step for ${(stalledMs / 1000).toFixed(1)} s: the step hangs, does too much work, or ` +
      'gets no processor time. Calls wait until it returns';
    const error = new WorkerFailedError(message, 'hang');
    this.#parts.onStatus({ kind: 'stalled', stalledMs, error });
  }

  #onStillStalled(stalledMs: number): void {
    const { restartAfterMs } = this.#parts.options;
    if (this.#restarter === undefined || stalledMs < restartAfterMs) return;
    const message = `the worker hung for ${(stalledMs / 1000).toFixed(1)} s in one step and was given up`;
    this.#onFailure(new WorkerFailedError(message, 'hang'));
  }

  #onFailure(error: WorkerFailedError, restarter = this.#restarter): void {
    if (this.#restart !== undefined || this.#ended !== undefined) return;
    const { inputs, onStatus } = this.#parts;
    this.liveness.stop();
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
