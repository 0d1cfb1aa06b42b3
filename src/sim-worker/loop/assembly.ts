/** Builds what a worker runs, as the page asks for it: memory, run, loop, and what goes between them. */
import type {
  ReplyMessage,
  WorkerMessage,
  WorkerOptions,
} from '../../shared/protocol/control-protocol.js';
import { eventQueueOf, inputQueueOf } from '../../shared/memory/buffer.js';
import { STATISTICS, type BufferViews } from '../../shared/memory/layout.js';
import { wrongControl } from '../../shared/memory/memory-check.js';
import { QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { TickCommand } from '../../shared/input/tick-inputs.js';
import type { WorkerMemory } from '../../shared/protocol/transport.js';
import type { Simulation } from '../api/simulation.js';
import { EventReporter } from '../events/event-reporter.js';
import { loadPacer } from '../pacing/pacer.js';
import type { CommandOutcome } from '../run/commands.js';
import { MessageJournal } from '../run/journal.js';
import { SimulationRun } from '../run/simulation-run.js';
import { thrownError } from '../run/thrown-error.js';
import type { WorkerHost } from '../thread/host.js';
import type { PageCalls } from '../thread/page-calls.js';
import { SimulationLoop } from './loop.js';
import { loadMemory } from './open-memory.js';
import { TickInputQueue } from './tick-input-queue.js';
import type { WorkerMirror } from './worker-mirror.js';

/** What runs. */
export interface Running {
  readonly views: BufferViews;
  readonly mirror: WorkerMirror | undefined;
  readonly run: SimulationRun;
  readonly loop: SimulationLoop;
  readonly inputQueue: TickInputQueue;
  /** Posts beside Comlink, with what the message speaks of. */
  readonly post: Post;
}

export interface AssemblyParts {
  readonly host: WorkerHost;
  readonly simulation: Simulation;
  /** Those of the simulation, which it may know only once it is initialized: filled then. */
  readonly commands: readonly string[];
  readonly calls: PageCalls;
  /** Page time now, in ms. */
  readonly now: () => number;
  /** Posts beside Comlink. */
  readonly post: Post;
}

export type Post = (message: WorkerMessage, transfer?: Transferable[]) => void;

/** Saves the run and takes it elsewhere. Loaded when that is asked for, which most pages never do. */
export const loadTravel = () => import('./run-travel.js');

/** @returns Builds it, at once: all that has to be loaded for it is there. */
export async function loadAssembly(
  parts: AssemblyParts,
  memory: WorkerMemory,
  options: WorkerOptions,
): Promise<() => Running> {
  // What a tick saves cannot wait for it.
  const isTravelNeeded = options.saveEveryTicks > 0 || options.resumeFrom !== undefined;
  const [createPacer, openMemory, travel] = await Promise.all([
    loadPacer(options),
    loadMemory(memory, parts.host, parts.post),
    isTravelNeeded ? loadTravel() : undefined,
  ]);
  return () => {
    const { host, simulation, commands } = parts;
    const { views, sleeper, mirror } = openMemory();
    /** What a message speaks of is in the page's memory when it gets there. */
    const post: Post = (message, transferred) => {
      mirror?.send(message.type === 'betwixt:failure');
      if (transferred === undefined) parts.post(message);
      else parts.post(message, transferred);
    };
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
      save: travel?.saveRun,
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
        loop.statistics.set(STATISTICS.invalidPoses, run.bodies.invalidPoses);
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
      now: parts.now,
      createTurn: () => host.createTurn(),
      calls: parts.calls,
      post,
      sleeper,
      mirror,
    });
    if (travel !== undefined) loop.openTravel(travel.RunTravel);
    return { views, mirror, run, loop, inputQueue, post };
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
