/** One worker and the memory between it and the page, for its lifetime. A simulation may have several in sequence. */
import type {
  Arrival,
  Pace,
  SeekRequest,
  SimulationInfo,
} from '../../shared/protocol/control-protocol.js';
import {
  SnapshotFormatError,
  WorkerFailedError,
  memoryIsCorrupt,
  isPartNotLoaded,
  libraryThrew,
  loadedPart,
} from '../../shared/util/errors.js';
import { failedBy } from '../util/page-errors.js';
import { createBuffer } from '../../shared/memory/create-buffer.js';
import {
  CONTROL,
  LAYOUT_VERSION,
  WORKER_PHASE,
  type BufferViews,
} from '../../shared/memory/layout.js';
import { wrongControl } from '../../shared/memory/buffer.js';
import type { WorkerMemory } from '../../shared/protocol/transport.js';
import { StatusReader } from '../../shared/memory/snapshot-reader.js';
import type { ChosenTransport, WorkerLike } from '../api/create-worker.js';
import type { ClockAlignment } from '../api/simulation-statistics.js';
import { FINE_MS, alignClock } from './clock-alignment.js';
import {
  ControlClient,
  openPort,
  type ControlClientEvents,
  wrongInInfo,
} from './control-client.js';
import type { ResolvedOptions } from '../api/connect-options.js';
import { whenAwakeFor, type PageClock } from './time-limits.js';
import type { PageMirror } from './page-mirror.js';
import { withResolvers } from '../util/promises.js';
import type { CreatedWorker } from './worker-creation.js';

/**
 * How long a worker may take to acknowledge a stop before it is terminated anyway, in ms during which this page was
 * awake: the same time after which a step counts as hanging.
 */
const STOP_LIMIT_MS = 2000;
const STOP_POLL_MS = 4;
/** How long the clocks count as just aligned. To align them takes a busy machine a tenth of a second and more. */
const FRESH_MS = 1000;

interface ConnectionMemory {
  readonly views: BufferViews;
  /** Describes the memory to the worker. */
  readonly memoryDescriptor: WorkerMemory;
  /** Only without shared memory. */
  readonly mirror?: PageMirror;
}

interface ConnectionEvents extends ControlClientEvents {
  /** Called before the first call. */
  readonly onCreated: (client: ControlClient) => void;
}

interface OpenedWorker {
  readonly worker: WorkerLike;
  readonly transport: ChosenTransport;
  readonly client: ControlClient;
  readonly memory: ConnectionMemory;
  readonly info: SimulationInfo;
  readonly clock: ClockAlignment;
  readonly pageClock: PageClock;
}

export class WorkerConnection {
  readonly client: ControlClient;
  readonly transport: ChosenTransport;
  readonly views: BufferViews;
  readonly info: SimulationInfo;
  readonly status: StatusReader;
  /** How the clocks were last aligned. */
  clock: ClockAlignment;
  readonly #opened: OpenedWorker;
  /** Until when the clocks count as just aligned, in ms of page time. */
  #freshUntilMs: number;
  #isOver = false;

  private constructor(opened: OpenedWorker) {
    this.#opened = opened;
    this.client = opened.client;
    this.transport = opened.transport;
    this.views = opened.memory.views;
    this.info = opened.info;
    this.clock = opened.clock;
    this.#freshUntilMs = opened.pageClock.now() + FRESH_MS;
    this.status = new StatusReader(this.views);
  }

  /**
   * Gives a worker memory and aligns the clocks. It does not tick until {@link start}.
   *
   * @param closed Rejects when the simulation is disposed: the worker is terminated immediately.
   * @param resumeFrom Where its simulation continues from; undefined: from the beginning.
   */
  static async open(
    { worker, transport, takeEvents, whyNotLoaded }: CreatedWorker,
    options: ResolvedOptions,
    events: ConnectionEvents,
    closed: Promise<never>,
    pageClock: PageClock,
    resumeFrom?: SeekRequest,
  ): Promise<WorkerConnection> {
    const port = openPort(worker);
    let isOpen = false;
    const onEvents = (): void => {
      if (isOpen) events.onMessage({ type: 'betwixt:events' });
    };
    const memory = await createMemory(transport, worker, port, options, onEvents).catch(
      (error: unknown) => {
        port.close();
        worker.terminate();
        throw error;
      },
    );
    const client = new ControlClient({
      worker,
      port,
      control: memory.views.control,
      flush: () => memory.mirror?.send(),
      events: {
        onMessage: (message) => {
          if (message.type !== 'betwixt:update') return events.onMessage(message);
          try {
            memory.mirror?.receive(message);
          } catch (error) {
            client.fail(corruptMemory(String(error)));
          }
        },
        onFailure: (error) => {
          // Before that, the error rejects this call.
          if (isOpen) events.onFailure(error);
        },
      },
      bufferedEvents: takeEvents(),
      whyNotLoaded,
    });
    closed.catch((reason: Error) => {
      // An open connection is closed instead, so that its simulation can leave its loop.
      if (!isOpen) client.end(reason);
    });
    try {
      events.onCreated(client);
      // WebKit was seen to report no error of a script that is not there.
      const why = async (): Promise<string> =>
        `the worker did not answer within ${options.startTimeoutMs} ms: does its script call runSimulation ` +
        `while it is first evaluated? If it was not evaluated: ${await whyNotLoaded()}`;
      const info = await withinTime(pageClock, options.startTimeoutMs, why, () =>
        client.call((remote) =>
          remote.initialize(memory.memoryDescriptor, { ...workerOptions(options), resumeFrom }),
        ),
      );
      const wrong = wrongInInfo(info);
      if (wrong !== undefined) {
        throw new WorkerFailedError(`the worker sent an invalid answer: ${wrong}`, 'protocol');
      }
      // Once: while a page loads, the machine is busy, and a finer measurement takes longer than the whole start.
      const clock = await alignClock(transport.kind, client, memory.views, 1);
      isOpen = true;
      return new WorkerConnection({ worker, transport, client, memory, info, clock, pageClock });
    } catch (error) {
      const failure = asWorkerFailure(error);
      client.end(failure);
      client.release();
      worker.terminate();
      throw failure;
    }
  }

  /** Without shared memory: the page has written something that the worker must receive. */
  touch(): void {
    this.#opened.memory.mirror?.touch();
  }

  /** Invalid memory ends the worker, as if it had failed. @param found What a reader has found wrong. */
  check(found?: string): void {
    if (this.client.ended !== undefined) return;
    const wrong = found ?? this.#wrongWord();
    if (wrong !== undefined) this.client.fail(corruptMemory(wrong));
  }

  #wrongWord(): string | undefined {
    const { control } = this.views;
    const phase = Atomics.load(control, CONTROL.phase);
    // Only this connection requests a stop, at its end, when it no longer checks.
    if (Atomics.load(control, CONTROL.stopRequest) !== 0 || phase === WORKER_PHASE.stopped) {
      return 'a request to stop';
    }
    return this.status.isBroken ? 'a status' : wrongControl(this.views);
  }

  /** Before the start: moves it to the end of a segment of the run, within the time that a start may take. */
  seek(request: SeekRequest, limitMs: number): Promise<Arrival> {
    const why = async (): Promise<string> =>
      `the worker did not reach tick ${request.untilTick} within ${limitMs} ms`;
    return withinTime(this.#opened.pageClock, limitMs, why, () =>
      this.client.call((remote) => remote.seek(request)),
    );
  }

  async start(pace: Pace): Promise<void> {
    await this.client.call((remote) => remote.start(pace));
    const { pageClock, transport } = this.#opened;
    // Messages would be as slow again.
    const isFine = (): boolean => this.#isOver || this.clock.uncertaintyMs <= FINE_MS;
    if (transport.kind !== 'shared' || isFine()) return;
    const refine = (): void => {
      if (!isFine()) this.alignClock().catch(() => {});
    };
    whenAwakeFor(pageClock, FRESH_MS, refine, undefined, isFine);
  }

  /** Aligns the clocks again, except in the first call shortly after the opening. */
  async alignClockAgain(): Promise<void> {
    const isFresh = this.#opened.pageClock.now() < this.#freshUntilMs;
    this.#freshUntilMs = 0;
    if (!isFresh) await this.alignClock();
  }

  async alignClock(): Promise<void> {
    this.clock = await alignClock(this.transport.kind, this.client, this.views);
  }

  /** Asks the worker to leave its loop, waits until it acknowledges, and terminates it. Pending calls reject. */
  async close(reason: Error): Promise<void> {
    const { control } = this.views;
    const hasFailed = this.client.ended !== undefined;
    Atomics.store(control, CONTROL.stopRequest, 1);
    if (!hasFailed) {
      // The doorbell wakes a sleeping worker, the message itself a paused one.
      this.client.call((remote) => remote.stop()).catch(() => {});
    }
    this.client.end(reason);
    if (!hasFailed) await this.#hasStopped();
    // Only now: Chromium lets a worker that is terminated in its loop write for two more seconds.
    this.abandon(reason);
  }

  async #hasStopped(): Promise<void> {
    const { control } = this.views;
    const isOver = (): boolean => {
      const phase = Atomics.load(control, CONTROL.phase);
      return phase === WORKER_PHASE.stopped || phase === WORKER_PHASE.failed;
    };
    if (isOver()) return;
    await new Promise<void>((resolve) => {
      whenAwakeFor(this.#opened.pageClock, STOP_LIMIT_MS, resolve, STOP_POLL_MS, isOver);
    });
  }

  /**
   * Ends a worker that does not answer. It may run for two more seconds, in memory that is no longer read; because of
   * the stop request, it takes nothing from the queues if its step returns after all.
   */
  abandon(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    Atomics.store(this.views.control, CONTROL.stopRequest, 1);
    this.client.end(reason);
    this.#opened.worker.terminate();
    this.client.release();
  }
}

/** @param onEvents Called when events that the page requested have arrived, if the worker cannot see the request. */
async function createMemory(
  { kind }: ChosenTransport,
  worker: WorkerLike,
  port: MessagePort,
  { capacity, history, inputWords, eventWords, display: { velocities, values } }: ResolvedOptions,
  onEvents: () => void,
): Promise<ConnectionMemory> {
  const queues = { inputWords, eventWords };
  const allocate = (byteLength: number): ArrayBufferLike =>
    kind === 'shared' ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength);
  const views = createBuffer(capacity, history, allocate, queues, velocities, values);
  switch (kind) {
    case 'shared':
      return { views, memoryDescriptor: { transport: kind, buffer: views.buffer } };
    case 'local':
      worker.attachMemory?.(views.buffer);
      return { views, memoryDescriptor: { transport: kind } };
    default: {
      // Loaded by pages that need it alone.
      const { PageMirror } = await loadedPart(import('./page-mirror.js'));
      const mirror = new PageMirror(views, port, onEvents);
      const sizes = {
        capacity,
        stateCapacity: history,
        ...queues,
        hasVelocities: velocities,
        valueCount: values,
      };
      return {
        views: mirror.views,
        memoryDescriptor: { transport: kind, version: LAYOUT_VERSION, ...sizes },
        mirror,
      };
    }
  }
}

/** The options in the form that is sent to the worker: a signal cannot be sent. */
function workerOptions({ signal: _signal, ...options }: ResolvedOptions) {
  const ticksIn = (seconds: number): number =>
    Math.max(1, Math.round(seconds * options.tickRateHz));
  const { hashEveryTicks, rewindSeconds, saveEverySeconds } = options.recording;
  const needsStates = options.recovery === 'restart' || rewindSeconds > 0;
  return {
    ...options,
    hashEveryTicks,
    rewindSeconds,
    saveEveryTicks: needsStates ? ticksIn(saveEverySeconds) : 0,
  };
}

/** @param why Says what to reject with if that takes longer, in ms during which this page was awake. */
async function withinTime<T>(
  clock: PageClock,
  limitMs: number,
  why: () => Promise<string>,
  start: () => Promise<T>,
): Promise<T> {
  const { promise: timeout, reject } = withResolvers<never>();
  const end = whenAwakeFor(clock, limitMs, async () =>
    reject(new WorkerFailedError(await why(), 'load')),
  );
  try {
    return await Promise.race([start(), timeout]);
  } finally {
    end();
  }
}

/** An error from loading the rest of the worker arrives with the worker's message and stack. `init` fails by a message. */
function asWorkerFailure(error: unknown): Error {
  if (error instanceof WorkerFailedError || error instanceof SnapshotFormatError) return error;
  if (isPartNotLoaded(error)) return failedBy(error, 'load', error.message);
  return failedBy(error, 'protocol', libraryThrew(error));
}

const corruptMemory = (wrong: string): WorkerFailedError =>
  new WorkerFailedError(memoryIsCorrupt(wrong), 'protocol');
