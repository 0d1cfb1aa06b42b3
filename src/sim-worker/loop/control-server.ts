/** Answers the page's control calls. Each runs in the turn of the event loop that a pass ends with, so between two ticks. */
import { transfer } from 'comlink';
import { beginCall } from '../../shared/memory/call-guard.js';
import { answerClockPings, clockStepMs } from '../../shared/time/clock-sync.js';
import type {
  CommandMap,
  ReplyMessage,
  SimulationInfo,
  WorkerControl,
  WorkerMessage,
  WorkerOptions,
} from '../../shared/protocol/control-protocol.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import { CONTROL, WORKER_PHASE, type BufferViews } from '../../shared/memory/layout.js';
import { wrongControl } from '../../shared/memory/memory-check.js';
import { eventQueueOf, inputQueueOf } from '../../shared/memory/buffer.js';
import { QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { TickCommand } from '../../shared/input/tick-inputs.js';
import {
  isPageUpdate,
  type PageUpdate,
  type WorkerMemory,
} from '../../shared/protocol/transport.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import { LIMITS } from '../../shared/util/limits.js';
import { EventReporter } from '../events/event-reporter.js';
import type { WorkerHost } from '../thread/host.js';
import { MessageJournal } from '../run/journal.js';
import { SimulationLoop } from './loop.js';
import { openMemory } from './open-memory.js';
import { TickInputQueue } from './tick-input-queue.js';
import { loadPacer } from '../pacing/pacer.js';
import type { Simulation } from '../api/simulation.js';
import { runQuery } from '../run/run-query.js';
import { SimulationRun, type CommandOutcome } from '../run/simulation-run.js';
import { DoorbellSleeper, TimerSleeper } from '../thread/sleeper.js';
import { thrownError } from '../run/thrown-error.js';
import type { WorkerMirror } from './worker-mirror.js';

interface Running {
  readonly views: BufferViews;
  readonly mirror: WorkerMirror | undefined;
  readonly run: SimulationRun;
  readonly loop: SimulationLoop;
  readonly inputQueue: TickInputQueue;
}

export interface ControlServerParts {
  readonly host: WorkerHost;
  readonly simulation: Simulation;
  readonly messagesReceived: () => number;
  /** Takes what is to be done before each call, and says whether it may be made. */
  readonly onCall?: (before: () => boolean) => void;
  /** Posts beside Comlink. */
  readonly post: (message: WorkerMessage, transfer?: Transferable[]) => void;
}

/** Makes the object that Comlink exposes. */
export function createControlServer(parts: ControlServerParts): WorkerControl {
  const { host, simulation } = parts;
  /** Names of the commands: which there are, a simulation may know only once it is initialized. */
  const commands: string[] = [];
  let clockOffsetMs = 0;
  let running: Running | undefined;
  let hasStarted = false;
  const now = (): number => host.now() - clockOffsetMs;

  const current = (): Running => {
    if (running === undefined) throw new Error('the simulation has not been initialized');
    return running;
  };

  const requireFirst = (): void => {
    if (running !== undefined) throw new Error('the simulation has been initialized already');
  };

  /** What a message speaks of is in the page's memory when it gets there. */
  const post = (message: WorkerMessage, transferred?: Transferable[]): void => {
    running?.mirror?.send(message.type === 'betwixt:failure');
    if (transferred === undefined) parts.post(message);
    else parts.post(message, transferred);
  };

  const initialize = async (
    memory: WorkerMemory,
    options: WorkerOptions,
  ): Promise<SimulationInfo> => {
    requireFirst();
    const [createPacer, createMirror] = await Promise.all([
      loadPacer(options),
      memory.transport === 'transfer' ? followPage(host, parts.post) : undefined,
    ]);
    // Again: while these were loaded, another call may have come.
    requireFirst();
    const views = openMemory(memory, host);
    const mirror = createMirror?.(views);
    const sleeper =
      memory.transport === 'shared' ? new DoorbellSleeper(views.control) : new TimerSleeper();
    const replies: ReplyMessage[] = [];
    const run = new SimulationRun({
      simulation,
      options: {
        ...options,
        // The run may have started over since the page connected.
        ...beginningOf(options),
        dt: 1 / options.tickRateHz,
        capacity: views.layout.capacity,
      },
      events: new EventReporter(new QueueWriter(eventQueueOf(views))),
      journal: options.isRecorded ? new MessageJournal(post) : undefined,
      onRestart: () => loop.restart(),
      onCommand: (command, outcome) => {
        if (command.call !== 0) replies.push(replyTo(command, run.tick + 1, outcome));
      },
      // Not before: a command whose tick fails is no part of the run that goes on.
      onCommandsDone: () => {
        for (const reply of replies.splice(0)) post(reply);
      },
      onInvalidPose: (body) => {
        const { invalidPosePolicy: policy } = options;
        // Who is told of it finds it counted.
        loop.statistics.set('invalidPoses', run.bodies.invalidPoses);
        post({
          type: 'betwixt:notice',
          notice: { kind: 'invalid-pose', body, tick: run.tick, policy },
        });
        if (policy === 'stop') loop.pauseAfterTick();
      },
    });
    const queue = new QueueReader(inputQueueOf(views));
    const inputQueue = new TickInputQueue(queue, commands, options.mergeMoves);
    const loop: SimulationLoop = new SimulationLoop({
      views,
      run,
      inputQueue,
      wrongWord: () => (queue.isBroken ? 'a record of an input' : wrongControl(views)),
      options,
      createPacer,
      now,
      createTurn: () => host.createTurn(),
      messagesReceived: parts.messagesReceived,
      onNotice: (notice) => post({ type: 'betwixt:notice', notice }),
      onReplayReport: (report) => post({ type: 'betwixt:replay-report', report }),
      onReplayStopped: (thrown) => post({ type: 'betwixt:replay-stopped', thrown }),
      onEvents: () => post({ type: 'betwixt:events' }),
      sleeper,
      mirror,
    });
    running = { views, mirror, run, loop, inputQueue };
    parts.onCall?.(() => loop.interrupt());
    // The page has the run already; what the beginning of another one would tell it is not so.
    if (options.resumeFrom !== undefined) run.setJournaling(false);
    await run.initialize();
    commands.push(...Object.keys(simulation.commands ?? {}));
    if (options.resumeFrom !== undefined) await loop.seek(options.resumeFrom, true);
    return { commands, queries: Object.keys(simulation.queries ?? {}), canSave: run.canSave };
  };

  const start = (): void => {
    const { views, mirror, run, loop } = current();
    if (hasStarted) throw new Error('the simulation has been started already');
    hasStarted = true;
    const setPhase = (phase: number): void => {
      Atomics.store(views.control, CONTROL.phase, phase);
      mirror?.touch();
    };
    void loop
      .run()
      .then(() => {
        run.dispose();
        setPhase(WORKER_PHASE.stopped);
      })
      .catch((error: unknown) => {
        setPhase(WORKER_PHASE.failed);
        post({
          type: 'betwixt:failure',
          stage: error instanceof WorkerFailedError ? 'protocol' : 'tick',
          tick: run.tick + 1,
          ...thrownError(error),
        });
      });
  };

  const query = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const queries: CommandMap = simulation.queries ?? {};
    const ask = Object.hasOwn(queries, name) ? queries[name] : undefined;
    if (ask === undefined) {
      const known = Object.keys(queries).join(', ') || 'none';
      throw new RangeError(`the simulation has no query "${name}"; it has ${known}`);
    }
    return runQuery(current().run, name, () => ask.apply(queries, args as never[]));
  };

  const server: WorkerControl = {
    initialize,
    start,
    query,
    alignClock: () => answerClockPings(current().views, host.now),
    setClockOffset: (offsetMs) => {
      clockOffsetMs = requireNumber(
        'offsetMs',
        offsetMs,
        -Number.MAX_SAFE_INTEGER,
        Number.MAX_SAFE_INTEGER,
      );
    },
    timeOrigin: () => host.timeOrigin,
    clockMs: () => host.now(),
    clockStepMs: () => clockStepMs(host.now),
    save: () => {
      const state = current().run.save();
      return transfer(state, [state.bytes.buffer as ArrayBuffer]);
    },
    seek: (request) => current().loop.seek(request),
    stopSeek: () => current().loop.travel.stop(),
    closeReplay: () => current().loop.travel.closeReplay(),
    resetWatchdog: () => current().loop.resetWatchdog(),
    pause: () => current().loop.pause(),
    resume: () => {
      const { loop } = current();
      loop.resetWatchdog();
      loop.resume();
    },
    step: (ticks) => {
      const { loop } = current();
      requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
      if (!loop.schedule.isPaused) {
        throw new Error('step needs a paused simulation: call pause() first');
      }
      return loop.step(ticks);
    },
    setTickRate: (tickRateHz) =>
      current().loop.setTickRate(requireNumber('tickRateHz', tickRateHz, ...LIMITS.tickRateHz)),
    setTimeScale: (timeScale) =>
      current().loop.setTimeScale(requireNumber('timeScale', timeScale, ...LIMITS.timeScale)),
    setMaxCatchUpTicks: (ticks) =>
      current().loop.setMaxCatchUpTicks(
        requireInteger('maxCatchUpTicks', ticks, ...LIMITS.maxCatchUpTicks),
      ),
    stop: () => {
      const { views, loop } = current();
      // The page's own word is in this memory only where it is shared.
      Atomics.store(views.control, CONTROL.stopRequest, 1);
      loop.stop();
    },
    guarded: (guard, name, args) => {
      if (!beginCall(guard)) return undefined;
      return (server[name] as (...given: readonly unknown[]) => unknown)(...args);
    },
    ready: () => {},
    withdraw: (call) => {
      const { inputQueue, mirror } = current();
      const isWithdrawn = inputQueue.withdraw(call);
      mirror?.touch();
      return isWithdrawn;
    },
  };
  return server;
}

/** Stores what the page tells of, from now on. The mirror is loaded for it: most pages share their memory. */
async function followPage(
  { endpoint }: WorkerHost,
  post: ControlServerParts['post'],
): Promise<(views: BufferViews) => WorkerMirror> {
  let mirror: WorkerMirror | undefined;
  const early: PageUpdate[] = [];
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<unknown>;
    if (!isPageUpdate(data)) return;
    if (mirror === undefined) early.push(data);
    else mirror.receive(data);
  });
  const { WorkerMirror: Mirror } = await import('./worker-mirror.js');
  return (views) => {
    mirror = new Mirror(views, post);
    for (const update of early.splice(0)) mirror.receive(update);
    return mirror;
  };
}

/** What the run of a new worker is built from. */
function beginningOf({ resumeFrom, seed, setup }: WorkerOptions) {
  return {
    seed: resumeFrom?.run.seed ?? seed,
    setup: resumeFrom === undefined ? setup : resumeFrom.run.setup,
    generation: resumeFrom?.run.generation ?? 0,
    restarts: resumeFrom?.restarts,
  };
}

/** What the page is told when the tick is done: the answer as it is now, which the step may change. */
function replyTo({ call }: TickCommand, tick: number, outcome: CommandOutcome): ReplyMessage {
  const reply = { type: 'betwixt:reply', call, tick } as const;
  try {
    if ('error' in outcome) return { ...reply, error: thrownError(outcome.error) };
    return { ...reply, value: structuredClone(outcome.value) };
  } catch (error) {
    // What it returned cannot be cloned.
    return { ...reply, error: thrownError(error) };
  }
}
