/** The environment of a walk: a page and its worker, and how time passes there. */
import type { Worker } from 'node:worker_threads';
import {
  fromNodeWorker,
  type SimulationHandle,
  type WorkerLike,
} from '../../../src/render-main/index.js';
import { resolveOptions } from '../../../src/render-main/api/connect-options.js';
import { openSimulation } from '../../../src/render-main/connect.js';
import { LOOK_MS } from '../../../src/render-main/worker/time-limits.js';
import { createWith } from '../../../src/render-main/worker/worker-creation.js';
import type { Transport } from '../../../src/shared/protocol/transport.js';
import { immediateTurn, type WorkerHost } from '../../../src/sim-worker/thread/host.js';
import { runSimulation } from '../../../src/sim-worker/index.js';
import { sleep } from '../../fixtures/busy.js';
import {
  createCounting,
  type Counting,
  type CountingEvents,
  type CountingOptions,
} from '../../fixtures/counting-simulation.js';
import { ThreadClock } from '../../fixtures/scripted-clock.js';
import { settling } from '../../fixtures/scripted-host.js';
import { createGate, isHeld, openGate } from '../../fixtures/step-gate.js';
import { startThread } from '../../fixtures/threads.js';
import { VirtualClock } from '../../fixtures/virtual-clock.js';
import type { Walk } from './operations.js';

export type CountingHandle = SimulationHandle<
  NonNullable<Counting['commands']>,
  CountingEvents,
  NonNullable<Counting['queries']>
>;

/**
 * Longer than anything that must happen takes: the machine may be busy, and limits on workers are 6
 * s.
 */
const GIVEN_UP_AFTER_MS = 20_000;
/** The same for a clock that is advanced; a worker that does not stop is waited for 2 s. */
const VIRTUALLY_MS = 10_000;

export interface World {
  readonly handle: CountingHandle;
  /** The timestamp of a frame at this moment, in ms. */
  readonly nowMs: number;
  /** Whether its worker is a thread: messages may be later than its memory. */
  readonly hasThread: boolean;
  /** The worker that is in use has ended or hangs for good. */
  readonly isGone: boolean;
  /**
   * A worker that was terminated may have taken inputs from shared memory that it had not reported. No end from within strikes
   * there.
   */
  readonly mayLoseInputs: boolean;
  advance(ms: number): Promise<void>;
  /**
   * @param withinMs Default: as long as anything may take.
   * @returns Whether it is settled.
   */
  settles(call: Promise<unknown>, withinMs?: number): Promise<boolean>;
  /** Advances the clock that measures limits on workers by this much. */
  timePasses(ms: number): void;
  /** The page looks once at its worker, and what both have posted until now arrives. */
  look(): Promise<void>;
  /** Steps that are held continue. */
  openGate(): void;
  /** The worker ends, in the middle of its work. */
  kill(): void;
  /** After the simulation was disposed of. @throws Error if threads are left. */
  close(): Promise<void>;
}

/** The workers of a walk, and which of them is in use: one that is loading, and ends, always says so. */
class Workers<One> {
  last: One | undefined;
  used: One | undefined;
  readonly #endSilently: boolean;

  constructor({ endsSilently }: Walk) {
    this.#endSilently = endsSilently;
  }

  follow(handle: Pick<SimulationHandle, 'on'>): void {
    this.used = this.last;
    handle.on('status', ({ kind }) => {
      if (kind === 'restarted' || kind === 'replaced') this.used = this.last;
    });
  }

  isSilent(worker: One): boolean {
    return this.#endSilently && worker === this.used;
  }
}

function optionsOf(walk: Walk, transport: Transport) {
  return resolveOptions({ capacity: 8, ...walk.options, transport });
}

/** In this thread, on a clock that is advanced: nothing sleeps. */
export async function openLocalWorld(walk: Walk): Promise<World> {
  const clock = new VirtualClock();
  const workers = new Workers<ReturnType<typeof mortal>>(walk);
  const createWorker = () => {
    const made = mortal(walk, clock.spend, () => workers.isSilent(made));
    workers.last = made;
    return made.worker;
  };
  try {
    const resolved = optionsOf(walk, 'local');
    const first = await createWith(createWorker, 'local');
    const handle = await openSimulation(createWorker, resolved, first);
    workers.follow(handle);
    return {
      handle: handle as unknown as CountingHandle,
      get nowMs() {
        return clock.nowMs;
      },
      hasThread: false,
      get isGone() {
        return workers.used?.hasEnded() === true;
      },
      mayLoseInputs: false,
      advance: (ms) => clock.advance(ms),
      settles: async (call, withinMs) => {
        if (withinMs === undefined) return settlesPatiently(clock, call);
        // By the clock: a simulation that is overloaded spends more than a second in a ms of that.
        const endMs = clock.nowMs + withinMs;
        while (clock.nowMs < endMs) if (await clock.settles(call, 1)) return true;
        return false;
      },
      timePasses: (ms) => clock.spend(ms),
      look: () => clock.advance(LOOK_MS),
      openGate: () => {},
      kill: () => workers.last?.kill(),
      close: async () => clock.giveBack(),
    };
  } catch (error) {
    clock.giveBack();
    throw error;
  }
}

/**
 * Modules load in real time, even those that were loaded before, and longer on a busy machine. No
 * virtual limit can cover that.
 */
async function settlesPatiently(clock: VirtualClock, call: Promise<unknown>): Promise<boolean> {
  const startNs = process.hrtime.bigint();
  const elapsedMs = (): number => Number(process.hrtime.bigint() - startNs) / 1e6;
  do if (await clock.settles(call, VIRTUALLY_MS)) return true;
  while (elapsedMs() < GIVEN_UP_AFTER_MS);
  return false;
}

/**
 * As `runLocally`, and can end by itself as a Node thread does: messages that it has already posted
 * arrive.
 */
function mortal(walk: Walk, busy: (ms: number) => void, isSilent: () => boolean) {
  const { port1: page, port2: own } = new MessageChannel();
  let isOver = false;
  let isKilled = false;
  let attachedMemory: ArrayBufferLike | undefined;
  const end = (): never => {
    kill();
    throw new Error('this worker has ended');
  };
  runSimulation(createCounting({ ...walk, end }, busy), {
    endpoint: own as unknown as WorkerHost['endpoint'],
    // The loop of this worker has no thread that could end: it gets no more turns. But its timers still fire, and
    // modules that it loads still arrive. Whatever it begins then, it reads the clock first.
    now: () => {
      if (isOver) throw new Error('this worker has ended');
      return performance.now();
    },
    timeOrigin: performance.timeOrigin,
    createTurn: () =>
      immediateTurn((resume) => setImmediate(() => (isOver ? undefined : resume()))),
    attachedMemory: () => attachedMemory,
  });
  own.addEventListener('message', ({ data }) => {
    port = (data as { readonly port?: MessagePort }).port;
  });
  own.start();
  page.start();
  const listeners = new Set<(event: Event) => void>();
  /** The worker's end of the library's port, which came with the first message. */
  let port: MessagePort | undefined;
  const terminate = (): void => {
    isOver = true;
    page.close();
    own.close();
    port?.close();
  };
  const worker: WorkerLike = {
    attachMemory: (buffer) => {
      attachedMemory = buffer;
    },
    postMessage: (message, transfer = []) => page.postMessage(message, transfer),
    addEventListener: (type, listener) => {
      if (type === 'exit') {
        listeners.add(listener);
        // Killed in the task that created it, before the page listened.
        if (isKilled) setImmediate(() => listeners.has(listener) && listener(new Event('exit')));
      } else page.addEventListener(type, listener);
    },
    removeEventListener: (type, listener) => {
      if (type === 'exit') listeners.delete(listener);
      else page.removeEventListener(type, listener);
    },
    terminate,
  };
  function kill(): void {
    if (isOver) return;
    isKilled = true;
    terminate();
    if (isSilent()) return;
    for (const listener of listeners) listener(new Event('exit'));
  }
  return { worker, kill, hasEnded: () => isKilled };
}

/** In a separate thread. */
export async function openThreadWorld(
  walk: Walk,
  transport: 'shared' | 'transfer',
): Promise<World> {
  const gate = createGate();
  const clock = new ThreadClock();
  const workers = new Workers<Worker>(walk);
  /** Exit codes of the threads that have ended. */
  const exitCodes = new Map<Worker, number>();
  let threads = 0;
  const workerData: CountingOptions = {
    cannotSave: walk.cannotSave,
    cannotReset: walk.cannotReset,
    stepCostMs: walk.stepCostMs,
    gate,
  };
  const createWorker = () => {
    const made = startThread('counting', workerData);
    const emit = made.emit.bind(made);
    made.emit = (type: string, ...given: unknown[]) => {
      if (type === 'exit') exitCodes.set(made, given[0] as number);
      return !(type === 'exit' && workers.isSilent(made)) && emit(type, ...given);
    };
    workers.last = made;
    threads += 1;
    // The worker before is no longer waited for.
    openGate(gate);
    return fromNodeWorker(made);
  };
  const resolved = optionsOf(walk, transport);
  const first = await createWith(createWorker, transport);
  const handle = await openSimulation(createWorker, resolved, first, clock);
  workers.follow(handle);
  return {
    handle: handle as unknown as CountingHandle,
    get nowMs() {
      return performance.now();
    },
    hasThread: true,
    get isGone() {
      return exitCodes.has(workers.used as Worker) || (walk.endsSilently && isHeld(gate));
    },
    get mayLoseInputs() {
      return transport === 'shared' && exitCodes.get(workers.used as Worker) !== 0;
    },
    advance: (ms) => sleep(Math.min(ms, 20)),
    settles: async (call, withinMs = GIVEN_UP_AFTER_MS) => {
      const isSettled = settling(call);
      const endMs = performance.now() + withinMs;
      await new Promise((resolve) => setImmediate(resolve));
      while (!isSettled() && performance.now() < endMs) await sleep(1);
      return isSettled();
    },
    timePasses: (ms) => clock.pass(ms),
    look: async () => {
      clock.pass(LOOK_MS);
      await sleep(1);
    },
    openGate: () => {
      if (!walk.endsSilently) openGate(gate);
    },
    kill: () => void workers.last?.terminate(),
    async close() {
      openGate(gate);
      const endMs = performance.now() + GIVEN_UP_AFTER_MS;
      while (exitCodes.size < threads && performance.now() < endMs) await sleep(1);
      const left = threads - exitCodes.size;
      if (left > 0) throw new Error(`${left} threads are left`);
    },
  };
}
