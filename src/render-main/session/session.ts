/** The page's parts of a simulation, independent of the worker that runs it, and how they are connected. */
import type {
  ReplayReport,
  ReplayStoppedMessage,
  WorkerMessage,
  WorkerNotice,
} from '../../shared/protocol/control-protocol.js';
import { isDevelopment } from '../../shared/development/is-development.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';
import { eventQueueOf } from '../../shared/memory/buffer.js';
import { CONTROL, SLOT_HEADER } from '../../shared/memory/layout.js';
import type { Json } from '../../shared/util/json.js';
import type { UserEvent } from '../../shared/events/simulation-event.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { CallTurns } from '../queues/call-signal.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { EventHandlerOptions } from '../api/event-handler.js';
import { CommandCalls } from '../queues/command-calls.js';
import { EventDispatcher } from '../queues/event-dispatcher.js';
import { ShownBodies } from '../queues/shown-bodies.js';
import { FrameSampler } from '../frame/frame-sampler.js';
import { InputSender } from '../queues/input-sender.js';
import type { ResolvedOptions } from '../api/check-options.js';
import { PAGE_CLOCK, type PageClock } from '../worker/page-clock.js';
import { PageAssets } from './page-assets.js';
import { Pauses } from './pauses.js';
import { RunPosition, stoppedBy } from './run-position.js';
import { RunRecorder, wasFull } from '../recording/run-recorder.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { StatusHandlers, type StatusHandler } from './status-handlers.js';
import type { WorkerLink } from '../worker/worker-link.js';
import { WorkerSupervisor, type FailurePoint } from '../worker/worker-supervisor.js';

export class Session {
  readonly options: ResolvedOptions;
  readonly assets: PageAssets;
  readonly inputs: InputSender;
  readonly calls: CommandCalls;
  readonly events = new EventDispatcher();
  readonly statuses = new StatusHandlers();
  readonly bodies = new ShownBodies(this.events, (tick) =>
    this.statuses.emit({ kind: 'jumped', tick }),
  );
  readonly recorder: RunRecorder;
  readonly position: RunPosition;
  /** Serialises the calls that change or save the state of the run. */
  readonly turns = new CallTurns();
  readonly supervisor: WorkerSupervisor;
  readonly pauses: Pauses;
  /** In development: called with each report of a replay or a seek, and whether it is at its end. */
  onReport?: (report: ReplayReport, isLast: boolean) => void;
  #sampler: FrameSampler | undefined;
  #lostEvents = 0;
  /** Journals received from the current worker. */
  #journals = 0;
  /** Where the run continues, from the failure of a worker until another one runs: the memory may say anything. */
  #resumesAt: number | undefined;
  /** Why a replay has stopped, until the worker that brings the previous run back runs. */
  #replayStoppedBy: WorkerFailedError | undefined;

  constructor(createWorker: CreateWorker, options: ResolvedOptions, clock: PageClock = PAGE_CLOCK) {
    this.options = options;
    this.assets = new PageAssets(options.isRecorded, () => this.link.client);
    this.inputs = new InputSender(this.assets.send);
    this.calls = new CommandCalls(this.inputs, this.assets);
    const { limitBytes, rewindSeconds } = options.recording;
    this.recorder = new RunRecorder({
      keptTicks: () => rewindSeconds * this.tickRateHz,
      limitBytes,
      assets: this.assets,
      onStateWanted: () => this.#saveForRecording(),
      onFull: (tick) => this.statuses.emit({ kind: 'recording-full', tick, limitBytes }),
    });
    this.position = new RunPosition(this.recorder, this.inputs);
    this.supervisor = new WorkerSupervisor({
      createWorker,
      options,
      failureAt: (error) => this.#failureAt(error),
      inputs: this.inputs,
      calls: this.calls,
      sendAssets: this.assets.send,
      onLink: (link) => this.#follow(link),
      onMessage: (message) => this.#onMessage(message),
      onStatus: (status) => this.#onStatus(status),
      clock,
    });
    this.pauses = new Pauses(this.supervisor, () => this.sampler.interrupt());
    if (options.startPaused) this.pauses.note();
  }

  /** The current worker's link. Do not keep it: a restart replaces it. */
  get link(): WorkerLink {
    return this.supervisor.link;
  }

  get sampler(): FrameSampler {
    if (this.#sampler === undefined) throw new Error('the simulation has not been started');
    return this.#sampler;
  }

  get tick(): number {
    return this.tickIn(this.link.status.read());
  }

  /** Of a status that was read before: while a worker is replaced, the memory says where the old one was, or the new one is. */
  tickIn(status: Float64Array): number {
    return this.#resumesAt ?? status[SLOT_HEADER.newestTick] ?? 0;
  }

  /** Newest tick that the journals cover completely: later entries may be in transit, or lost with their worker. */
  get reportedTick(): number {
    if (this.#resumesAt !== undefined) return this.#resumesAt;
    const status = this.link.status.read();
    const tick = status[SLOT_HEADER.newestTick] ?? 0;
    const isAll = this.#journals >= (status[SLOT_HEADER.journals] ?? 0);
    return isAll ? tick : Math.min(tick, this.recorder.reportedTick);
  }

  get timeScale(): number {
    return this.link.status.read()[SLOT_HEADER.timeScale] || this.options.timeScale;
  }

  sample(frameMs: number): SampledFrame {
    const frame = this.sampler.sample(frameMs);
    this.link.check(this.sampler.isBroken ? 'a snapshot' : undefined);
    this.drainEvents();
    const { worker, wholeState, placed } = this.sampler;
    this.bodies.show(worker, wholeState);
    this.events.deliver(placed.shownVirtualMs, this.bodies.applyBefore);
    this.bodies.applyBefore(Number.POSITIVE_INFINITY);
    return frame;
  }

  /** @see SimulationHandle.on */
  on(name: string, handler: (event: never) => void, options?: EventHandlerOptions): () => void {
    if (name === 'status') {
      requireKnownKeys("on('status')", options ?? {}, []);
      return this.statuses.add(handler as StatusHandler);
    }
    const off = this.events.on(name, handler as (event: UserEvent<Json>) => void, options);
    this.#askForEvents();
    return off;
  }

  /** The shown recording has reached its last tick. */
  endShown(report: ReplayReport): void {
    if (isDevelopment) this.onReport?.(report, true);
    this.position.shown?.end(report);
    this.pauses.note();
    this.statuses.emit({ kind: 'replayed', report });
  }

  #follow(link: WorkerLink): void {
    if (this.#sampler === undefined) {
      const { marginMs, display } = this.options;
      const mode = display.interpolation;
      this.#sampler = new FrameSampler(link.views, { mode, marginMs });
    } else {
      this.#sampler.attach(link.views);
      this.bodies.attach();
      // The new worker continues a run of which the page has every entry.
      this.#journals = 0;
    }
    this.events.attach(eventQueueOf(link.views));
    this.#askForEvents();
  }

  /** What a restart needs after a failure: what leads to the last tick, and the failed tick's entries. */
  #failureAt(error: WorkerFailedError): FailurePoint {
    const { leftAt, shown } = this.position;
    this.#resumesAt = undefined;
    if (shown !== undefined) {
      // As in a worker that restores the previous run by itself.
      this.pauses.note();
      this.#replayStoppedBy = error;
    }
    this.position.show(undefined, error);
    const tick = leftAt ?? this.reportedTick;
    // Before another queue takes its place. The ticks after this one run again, and so report their events again.
    this.drainEvents(leftAt === undefined ? tick : undefined);
    const { recorder } = this;
    // Neither what led to the tick nor the entries of the next one are known.
    if (recorder.fullAt !== undefined) throw new Error(wasFull(recorder.fullAt));
    const entries = recorder.entriesOf(tick + 1);
    recorder.truncate(tick);
    this.#resumesAt = tick;
    return { segment: recorder.leadingTo(tick), entries, hadBeenLeft: leftAt !== undefined };
  }

  #onMessage(message: WorkerMessage): void {
    switch (message.type) {
      case 'betwixt:journal':
        this.#journals += 1;
        this.recorder.add(message.items);
        break;
      case 'betwixt:bodies':
        this.bodies.receive(message);
        break;
      case 'betwixt:replies':
        for (const reply of message.replies) this.calls.onReply(reply);
        break;
      case 'betwixt:events':
        this.drainEvents();
        break;
      case 'betwixt:notice':
        this.#onNotice(message.notice);
        break;
      case 'betwixt:replay-report':
        if (isDevelopment) this.onReport?.(message.report, false);
        this.position.shown?.note(message.report);
        break;
      case 'betwixt:replay-stopped':
        this.#onReplayStopped(message.thrown);
        break;
      default:
    }
  }

  #onReplayStopped(thrown: ReplayStoppedMessage['thrown']): void {
    if (thrown !== undefined) this.pauses.note();
    const error = stoppedBy(thrown);
    this.position.show(undefined, error);
    this.statuses.emit({ kind: 'replay-stopped', error });
  }

  #onStatus(status: SimulationStatus): void {
    if (status.kind === 'failed') {
      // The worker posts no message about the events of a pass that does not end.
      this.drainEvents();
      this.position.shown?.leave(status.error);
    }
    const error = this.#replayStoppedBy;
    if (status.kind === 'restarted') {
      this.#resumesAt = undefined;
      this.#replayStoppedBy = undefined;
    }
    this.statuses.emit(status);
    if (status.kind !== 'restarted') return;
    if (error !== undefined) this.statuses.emit({ kind: 'replay-stopped', error });
    // The worker has pushed the end of all pairs, maybe before the page could ask for a message.
    this.drainEvents();
  }

  #onNotice(notice: WorkerNotice): void {
    if (notice.kind === 'replayed') {
      this.endShown(notice.report);
      return;
    }
    if (notice.kind === 'invalid-pose' && notice.policy === 'stop') this.pauses.note();
    // The machine slept or the page was frozen: the clocks may have drifted apart.
    if (notice.kind === 'gap') this.supervisor.alignClock().catch(() => {});
    this.statuses.emit(notice);
  }

  /** Saves a state from which a full recording can continue. */
  #saveForRecording(): void {
    // The first worker may report ticks before the page knows that it runs.
    if (this.#sampler === undefined || !this.link.info.canSave) return;
    this.turns
      .take(undefined, async () => {
        // While a recording is shown, the run is paused and nothing of it is reported.
        if (this.position.shown !== undefined) return;
        this.recorder.addState(await this.supervisor.call((remote) => remote.save()));
      })
      // Another is requested later. The recording continues until it is full, which is reported.
      .catch(() => this.recorder.noteFailedState());
  }

  /** Reads the events that have arrived. @param lastTick Those of later ticks are discarded. */
  drainEvents(lastTick?: number): void {
    // Before reading: the worker pushes an event and then looks for the request, so it finds the request, or the page
    // finds the event. A request made after reading would miss an event from in between, until the next one.
    this.#askForEvents();
    this.events.drain(lastTick);
    if (this.events.isBroken) this.link.check('an event');
    this.link.touch();
    const { lost } = this.events;
    if (lost !== this.#lostEvents) {
      this.statuses.emit({ kind: 'events-lost', lost: lost - this.#lostEvents });
      this.#lostEvents = lost;
    }
  }

  /** Requests a message about new events for `now` handlers, which must not depend on frames: there may be none. */
  #askForEvents(): void {
    if (!this.events.hasHandlers('now')) return;
    Atomics.store(this.link.views.control, CONTROL.eventWakeRequested, 1);
  }

  /** The worker's tick rate. */
  get tickRateHz(): number {
    // The first worker may save a state before the page knows that it runs.
    if (this.#sampler === undefined) return this.options.tickRateHz;
    return this.link.status.read()[SLOT_HEADER.tickRateHz] || this.options.tickRateHz;
  }
}
