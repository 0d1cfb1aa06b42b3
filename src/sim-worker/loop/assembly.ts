/** Builds what a worker runs, according to the page's request: memory, run, loop, and the connections between them. */
import type {
  Reply,
  WorkerMessage,
  WorkerOptions,
} from '../../shared/protocol/control-protocol.js';
import { eventQueueOf, inputQueueOf, openBuffer } from '../../shared/memory/buffer.js';
import { CONTROL, STATISTICS } from '../../shared/memory/layout.js';
import { QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import { isPageUpdate, type WorkerMemory } from '../../shared/protocol/transport.js';
import { loadedPart, SnapshotFormatError, thrownError } from '../../shared/util/errors.js';
import { trackLoop } from './worker-tracks.js';
import type { Simulation } from '../api/simulation.js';
import { EventReporter } from '../events/event-reporter.js';
import type { CommandOutcome } from '../run/simulation-calls.js';
import type { HeldAssets } from '../api/assets.js';
import { RunJournal, bytesIn } from '../run/journal.js';
import { SimulationRun } from '../run/simulation-run.js';
import type { WorkerHost } from '../thread/host.js';
import type { PendingCalls } from './loop-sleep.js';
import { SimulationLoop } from './loop.js';
import type { LoopSetup } from './loop-parts.js';
import { TickInputQueue } from './tick-source.js';
import type { WorkerMirror } from './worker-mirror.js';

export type Post = (message: WorkerMessage, transfer?: Transferable[]) => void;

export interface AssemblyParts {
  readonly host: WorkerHost;
  readonly simulation: Simulation;
  readonly calls: PendingCalls;
  /** Posts a message outside Comlink. */
  readonly post: Post;
  /** The simulation's command names. Filled after its initialization, since it may know them only then. */
  readonly commands: readonly string[];
  readonly assets: HeldAssets;
  /** Page time now, in ms. */
  readonly now: () => number;
}

export async function assemble(
  parts: AssemblyParts,
  memory: WorkerMemory,
  options: WorkerOptions,
): Promise<SimulationLoop> {
  const { host, simulation, commands, assets, calls, now } = parts;
  const { views, waitForRing, mirror } = await openMemory(memory, host, parts.post);
  /** Updates the page's memory with the message, which may refer to it. */
  const post: Post = (message, transferred) => {
    // Bodies are not in the memory: their message only has to precede the state.
    if (mirror === undefined || message.type === 'betwixt:bodies') parts.post(message, transferred);
    else mirror.send(message.type === 'betwixt:failure', message, transferred);
  };
  let replies: Reply[] = [];
  const run = new SimulationRun({
    simulation,
    options: {
      ...options,
      // The run may have restarted since the page connected.
      ...options.resumeFrom?.run,
      restarts: options.resumeFrom?.restarts,
      dt: 1 / options.tickRateHz,
      capacity: views.layout.capacity,
      hasVelocities: views.layout.hasVelocities,
      valueCount: views.layout.valueCount,
    },
    events: new EventReporter(new QueueWriter(eventQueueOf(views))),
    assets,
    journal: options.isRecorded
      ? new RunJournal((items) => post({ type: 'betwixt:journal', items }, bytesIn(items)), options)
      : undefined,
    onRestart: () => loop.restart(),
    onCommand: ({ call }, outcome) => {
      if (call !== 0) replies.push(replyTo(call, outcome));
    },
    // Not earlier: if the tick of a command fails, the command is not part of the run that continues.
    onCommandsDone: () => {
      if (replies.length > 0) post({ type: 'betwixt:replies', tick: run.tick, replies });
      replies = [];
    },
    onInvalidPose: (body, tag) => {
      const { invalidPosePolicy: policy } = options;
      // The counter must be current before the notice arrives.
      loop.parts.statistics.set(STATISTICS.invalidPoses, run.bodies.invalidPoses);
      post({
        type: 'betwixt:notice',
        notice: { kind: 'invalid-pose', body, tag, tick: run.tick, policy },
      });
      if (policy === 'stop') loop.pass.pauseAfterTick();
    },
  });
  const loop: SimulationLoop = new SimulationLoop({
    views,
    run,
    inputQueue: new TickInputQueue({
      queue: new QueueReader(inputQueueOf(views)),
      commandNames: commands,
      assets,
      takesAllBatches: memory.transport === 'local',
    }),
    options,
    now,
    createTurn: () => host.createTurn(),
    calls,
    post,
    waitForRing,
    mirror,
  });
  if (options.devtools) trackLoop(loop.parts);
  return loop;
}

interface OpenMemory extends Pick<LoopSetup, 'views' | 'waitForRing'> {
  readonly mirror: WorkerMirror | undefined;
}

/**
 * Opens the simulation's memory as the page requests it. If it is not shared, the code that synchronizes both sides is
 * loaded on demand: most pages share their memory.
 */
export async function openMemory(
  memory: WorkerMemory,
  host: WorkerHost,
  post: Post,
): Promise<OpenMemory> {
  if (memory.transport === 'transfer') return followPage(memory, host, post);
  const isShared = memory.transport === 'shared';
  const buffer = isShared ? memory.buffer : host.attachedMemory?.();
  if (buffer === undefined) {
    throw new SnapshotFormatError(
      "this worker has its own memory: transport 'local' requires what runLocally returns",
    );
  }
  const views = openBuffer(buffer);
  // The only `Atomics.wait`. It compares and sleeps in one operation: if the bell has rung since `rings` was read, it
  // returns immediately.
  const waitForRing = (rings: number, timeoutMs: number): void => {
    try {
      Atomics.wait(views.control, CONTROL.doorbell, rings, timeoutMs);
    } catch (cause) {
      // The thread of a page or a service worker may not.
      throw new SnapshotFormatError(
        "the simulation's thread may not sleep in shared memory (Atomics.wait): call connect with the option transport: 'transfer'",
        { cause },
      );
    }
  };
  return { views, waitForRing: isShared ? waitForRing : undefined, mirror: undefined };
}

/** Stores the page's updates from now on. */
async function followPage(
  memory: WorkerMemory & { readonly transport: 'transfer' },
  { endpoint }: WorkerHost,
  post: Post,
): Promise<OpenMemory> {
  const opening = loadedPart(import('./worker-mirror.js')).then((part) =>
    part.openMirror(memory, post),
  );
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<unknown>;
    // In order of arrival. If the part does not load, `initialize` says so.
    if (isPageUpdate(data))
      opening.then(
        ({ mirror }) => mirror.receive(data),
        () => {},
      );
  });
  return { ...(await opening), waitForRing: undefined };
}

/** Creates the reply that the page gets when the tick is done. Clones the value now, since the step may change it. */
function replyTo(call: number, outcome: CommandOutcome): Reply {
  try {
    if ('error' in outcome) return { call, error: thrownError(outcome.error) };
    return { call, value: structuredClone(outcome.value) };
  } catch (error) {
    // The value cannot be cloned.
    return { call, error: thrownError(error) };
  }
}
