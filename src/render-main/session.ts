/** What a simulation consists of on the page, whichever worker runs it, and how its parts talk to each other. */
import type { Remote } from 'comlink';
import type {
  ReplayStoppedMessage,
  WorkerControl,
  WorkerMessage,
  WorkerNotice,
} from '../shared/control-protocol.js';
import type { WorkerFailedError } from '../shared/errors.js';
import { eventQueueOf } from '../shared/buffer.js';
import { CONTROL, SLOT_HEADER, STATISTICS } from '../shared/layout.js';
import type { Json } from '../shared/recording.js';
import type { OwnEvent } from '../shared/simulation-event.js';
import { requireKnownKeys } from '../shared/validate.js';
import {
  isNotWaitedFor,
  withinLimits,
  type CallLimit,
  type CallOptions,
  type Withdraw,
} from './call-limits.js';
import { CommandCalls } from './command-calls.js';
import { EventDispatcher, type EventHandlerOptions } from './event-dispatcher.js';
import { FrameSampler } from './frame-sampler.js';
import { InputSender } from './input-sender.js';
import type { ResolvedOptions } from './options.js';
import { PAGE_CLOCK, type PageClock } from './page-clock.js';
import { RunRecorder, wasFull } from './run-recorder.js';
import type { SampledFrame } from './sampled-frame.js';
import { StatusHandlers, type SimulationStatus, type StatusHandler } from './simulation-status.js';
import type { WorkerLink } from './worker-link.js';
import { WorkerSupervisor, type FailurePoint } from './worker-supervisor.js';
import type { CreatedWorker, CreateWorker } from './transport.js';

/** Who wants the simulation to stand still. It runs when nobody does. */
export type PauseReason = 'user' | 'hidden' | 'frozen' | 'seeking';

export class Session {
  readonly options: ResolvedOptions;
  readonly inputs = new InputSender();
  readonly calls = new CommandCalls(this.inputs);
  readonly events = new EventDispatcher();
  readonly statuses = new StatusHandlers();
  readonly recorder: RunRecorder;
  readonly supervisor: WorkerSupervisor;
  /**
   * Called when the worker has failed. Returns the tick at which the run had been left, for a recording or by a goTo under
   * way: that is where it goes on. Set by the history.
   */
  leftAt: (error: WorkerFailedError) => number | undefined = () => undefined;
  /** Called when the recording would begin at a saved state if it had one. Set by the history. */
  onStateWanted: () => void = () => {};
  /** Set by the history. */
  onReplayStopped: (thrown: ReplayStoppedMessage['thrown']) => void = () => {};
  /** Who wants it to stand still, and the calls by which they said so. */
  readonly #pauses = new Map<PauseReason, Set<object>>();
  /** Calls that let it go on: all of them, and those that are under way. */
  #resumes = 0;
  #resuming = 0;
  #sampler: FrameSampler | undefined;
  #lostEvents = 0;
  /** Of the worker that runs. */
  #journals = 0;

  constructor(createWorker: CreateWorker, options: ResolvedOptions, clock: PageClock = PAGE_CLOCK) {
    this.options = options;
    const { recordingLimitBytes } = options;
    this.recorder = new RunRecorder({
      keptTicks: () => options.rewindS * this.tickRateHz,
      limitBytes: recordingLimitBytes,
      onStateWanted: () => this.onStateWanted(),
      onFull: (tick) => this.tell({ kind: 'recording-full', tick, recordingLimitBytes }),
    });
    if (options.startPaused) this.notePause();
    this.supervisor = new WorkerSupervisor({
      createWorker,
      options,
      failureAt: (error) => this.#failureAt(error),
      inputs: this.inputs,
      calls: this.calls,
      onMessage: (message) => this.#onMessage(message),
      onStatus: (status) => this.tell(status),
      clock,
    });
    this.supervisor.isPaused = () => this.isPaused;
    this.supervisor.onLink = (link) => this.#follow(link);
  }

  /** Starts the first worker, which was made before. Rejects with why it does not run. */
  open(first: CreatedWorker): Promise<void> {
    return this.supervisor.open(first);
  }

  /** The worker that runs now. Another one after a restart: not to be kept. */
  get link(): WorkerLink {
    return this.supervisor.link;
  }

  get sampler(): FrameSampler {
    if (this.#sampler === undefined) throw new Error('the simulation has not been started');
    return this.#sampler;
  }

  get isPaused(): boolean {
    return [...this.#pauses.values()].some(({ size }) => size > 0);
  }

  /** Number of the newest tick. */
  get tick(): number {
    return this.link.status.read()[SLOT_HEADER.newestTick] ?? 0;
  }

  /** Number of the newest tick of which all has been told: what decided later ones may be on its way, or lost with its worker. */
  get toldTick(): number {
    const status = this.link.status.read();
    const tick = status[SLOT_HEADER.newestTick] ?? 0;
    const isAll = this.#journals >= (status[SLOT_HEADER.journals] ?? 0);
    return isAll ? tick : Math.min(tick, this.recorder.toldTick);
  }

  get timeScale(): number {
    return this.link.status.read()[SLOT_HEADER.timeScale] || this.options.timeScale;
  }

  call<T>(
    make: (remote: Remote<WorkerControl>) => Promise<T>,
    limit?: CallLimit,
    endBegun?: Withdraw,
  ): Promise<T> {
    return this.supervisor.call(make, limit, endBegun);
  }

  sample(frameMs: number): SampledFrame {
    const frame = this.sampler.sample(frameMs);
    this.link.check(this.sampler.isBroken ? 'a snapshot' : undefined);
    this.#drainEvents();
    this.events.deliver(this.sampler.placed.shownRunMs);
    return frame;
  }

  /** @see SimulationHandle.on */
  on(name: string, handler: (event: never) => void, options?: EventHandlerOptions): () => void {
    if (name === 'status') {
      requireKnownKeys("on('status')", options ?? {}, []);
      return this.statuses.add(handler as StatusHandler);
    }
    const off = this.events.on(name, handler as (event: OwnEvent<Json>) => void, options);
    this.#askForEvents();
    return off;
  }

  /** Calls a command; while the worker is being restarted, it waits for the next one. */
  command(
    name: string,
    place: number,
    args: readonly unknown[],
    options?: CallOptions,
  ): Promise<unknown> {
    return withinLimits(name, options, async (limit) => {
      this.#requireRunning();
      return this.calls.call(name, place, args, limit);
    });
  }

  /** Runs a query; while the worker is being restarted, in the next one. */
  query(name: string, args: readonly unknown[], options?: CallOptions): Promise<unknown> {
    return withinLimits(name, options, (limit) =>
      this.call((remote) => remote.query(name, args), limit, isNotWaitedFor),
    );
  }

  /** Asked also where it is paused for another reason: the call that did so may not have been answered yet. */
  pauseFor(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('pause', options, (limit) => {
      const pauses = this.#pausesFor(reason);
      const pause = {};
      pauses.add(pause);
      limit?.whenWithdrawn(() => {
        // Without effect where a resume has come after it.
        pauses.delete(pause);
        // A resume that found it paused by this one has asked the worker for nothing.
        if (!this.isPaused) this.#goOn().catch(() => {});
      });
      return this.#stand(limit);
    });
  }

  resumeFrom(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('resume', options, async (limit) => {
      this.#requireRunning();
      const pauses = this.#pausesFor(reason);
      const before = [...pauses];
      pauses.clear();
      if (this.isPaused) return;
      if (before.length === 0 && this.#resuming === 0) {
        await this.#judgeAnew(limit);
        return;
      }
      this.#resumes += 1;
      const resume = this.#resumes;
      limit?.whenWithdrawn(() => {
        // Somebody else has let it go on.
        if (resume !== this.#resumes) return;
        for (const pause of before) pauses.add(pause);
        // A worker that was started meanwhile may run.
        this.#stand().catch(() => {});
      });
      this.#resuming += 1;
      try {
        await this.#goOn(limit);
      } finally {
        this.#resuming -= 1;
      }
    });
  }

  /** The next worker is started as the pauses say, so these calls are carried over. */
  #stand(limit?: CallLimit): Promise<void> {
    return this.supervisor.carryOver(() => this.call((remote) => remote.pause(), limit), limit);
  }

  #goOn(limit?: CallLimit): Promise<void> {
    this.sampler.interrupt();
    return this.supervisor.carryOver(async () => {
      await this.supervisor.alignClock();
      // Somebody may have paused it again meanwhile.
      if (this.isPaused) return;
      await this.call((remote) => remote.resume(), limit);
    }, limit);
  }

  /** The worker has paused by itself; {@link resumeFrom} lets it go on. */
  notePause(): void {
    this.#pausesFor('user').add({});
  }

  #pausesFor(reason: PauseReason): Set<object> {
    const pauses = this.#pauses.get(reason) ?? new Set();
    this.#pauses.set(reason, pauses);
    return pauses;
  }

  #requireRunning(): void {
    const { ended } = this.supervisor;
    if (ended !== undefined) throw ended;
  }

  tell(status: SimulationStatus): void {
    this.statuses.tell(status);
  }

  #follow(link: WorkerLink): void {
    if (this.#sampler === undefined) {
      const { interpolation: mode, marginMs } = this.options;
      this.#sampler = new FrameSampler(link.views, { mode, marginMs });
    } else {
      this.#sampler.attach(link.views);
      // It goes on with a run of which the page has all.
      this.#journals = 0;
    }
    this.events.attach(eventQueueOf(link.views));
    this.#askForEvents();
  }

  /** The worker has failed after a tick: what leads there, and what the tick that failed was given. */
  #failureAt(error: WorkerFailedError): FailurePoint {
    const leftAt = this.leftAt(error);
    const tick = leftAt ?? this.toldTick;
    const { recorder } = this;
    const { restarts, fullAt } = recorder;
    // What led to the tick is not known, nor what the next one was given.
    if (fullAt !== undefined) throw new Error(wasFull(fullAt));
    const orders = recorder.entriesOf(tick + 1);
    recorder.truncate(tick);
    const recording = recorder.leadingTo(tick);
    return { recording, orders, hadBeenLeft: leftAt !== undefined, restarts };
  }

  #onMessage(message: WorkerMessage): void {
    switch (message.type) {
      case 'betwixt:journal':
        this.#journals += 1;
        this.recorder.add(message.items);
        break;
      case 'betwixt:reply':
        this.calls.onReply(message);
        break;
      case 'betwixt:events':
        this.#drainEvents();
        break;
      case 'betwixt:notice':
        this.onNotice(message.notice);
        break;
      case 'betwixt:replay-stopped':
        if (message.thrown !== undefined) this.notePause();
        this.onReplayStopped(message.thrown);
        break;
      default:
    }
  }

  onNotice(notice: WorkerNotice): void {
    if (notice.kind === 'invalid-pose' && notice.policy === 'stop') this.notePause();
    if (notice.kind === 'replayed') this.notePause();
    // The machine slept or the page was frozen: clocks may have gone different ways meanwhile.
    if (notice.kind === 'gap') this.supervisor.alignClock().catch(() => {});
    this.tell(notice);
    if (notice.kind !== 'watchdog' || notice.state !== 'unresponsive') return;
    if (this.options.whenUnresponsive === 'pause') this.pauseFor('user').catch(() => {});
  }

  /** One that runs has nothing to resume but the watchdog: the load may have been lowered. */
  async #judgeAnew(limit?: CallLimit): Promise<void> {
    if (Atomics.load(this.link.views.statistics, STATISTICS.watchdog) === 0) return;
    await this.call((remote) => remote.resetWatchdog(), limit);
  }

  #drainEvents(): void {
    this.events.drain();
    if (this.events.isBroken) this.link.check('an event');
    this.link.touch();
    const { lost } = this.events;
    if (lost !== this.#lostEvents) {
      this.tell({ kind: 'events-lost', lost: lost - this.#lostEvents });
      this.#lostEvents = lost;
    }
    this.#askForEvents();
  }

  /** Events for handlers that do not wait for a frame are asked for by message: frames may not come at all. */
  #askForEvents(): void {
    if (!this.events.hears('now')) return;
    Atomics.store(this.link.views.control, CONTROL.eventNudge, 1);
  }

  /** What the worker runs at. */
  get tickRateHz(): number {
    // The first worker may have saved a state before the page has heard that it runs.
    if (this.#sampler === undefined) return this.options.tickRateHz;
    return this.link.status.read()[SLOT_HEADER.tickRateHz] || this.options.tickRateHz;
  }
}
