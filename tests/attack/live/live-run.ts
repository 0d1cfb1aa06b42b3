/**
 * One live run: a real thread, in real time, with random events; and its recording, replayed in
 * this thread.
 */
import { Worker } from 'node:worker_threads';
import { createDemoSimulation } from '../../../demo/simulation/demo-simulation.js';
import {
  connect,
  fromNodeWorker,
  type ConnectOptions,
  type SimulationHandle,
} from '../../../src/render-main/index.js';
import { decodeRecording, encodeRecording, type Recording } from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { sleep, stayBusy } from '../../fixtures/busy.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { LIVE_SCENES, type LiveOperation, type LiveRun } from './operations.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

const RATES = [20, 60, 144, 500];
const SCALES = [0.25, 1, 4];
/** The build of the engine, live and in the replay. */
const workerData = { build: 'deterministic' } as const;

/** The two kinds of simulations have different commands: each is called by name. */
type AnyCommands = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** There is no time limit here: only a different hash counts. */
const PATIENT: ConnectOptions = tuned(
  {},
  { startTimeoutMs: 600_000, hangLimitMs: Number.POSITIVE_INFINITY },
);

export interface LiveResult {
  readonly ticks: number;
  readonly hashes: number;
}

/** @param scriptOf Compiled worker of a name. @throws Error with the difference. */
export async function tryLive(
  run: LiveRun,
  scriptOf: (name: 'toy' | 'demo') => Promise<URL>,
): Promise<LiveResult> {
  const { simulated, transport, tickRateHz, seed, hashEveryTicks } = run;
  const isToy = simulated === 'toy';
  const script = await scriptOf(isToy ? 'toy' : 'demo');
  const setup = isToy ? null : { name: simulated, bodies: LIVE_SCENES[simulated], seed };
  const handle = (await connect(() => fromNodeWorker(new Worker(script, { workerData })), {
    ...PATIENT,
    transport,
    tickRateHz,
    seed,
    setup,
    capacity: 200,
    recording: { hashEveryTicks, rewindSeconds: 10, saveEverySeconds: 0.2 },
  })) as unknown as SimulationHandle;
  try {
    const calls: Promise<unknown>[] = [];
    for (const operation of run.operations) {
      const call = act(handle, operation, isToy);
      // Steps of a run that is not paused, a ray that hits no body: refused, and nothing more.
      calls.push(Promise.resolve(call).catch(() => {}));
      await sleep(operation.waitMs);
    }
    const result = await compare(handle, run);
    // A command waits for a tick, and has had one.
    await Promise.all(calls);
    return result;
  } finally {
    await handle.dispose();
  }
}

function act(handle: SimulationHandle, { kind, n }: LiveOperation, isToy: boolean): unknown {
  switch (kind) {
    case 'input': {
      const input = { kind: 'custom', code: 1 + (n % 3), device: 0, x: n / 50 - 1 } as const;
      // Some of them are late.
      return handle.inputs.push({ ...input, y: 0, z: 0, w: 0 }, performance.now() - (n % 30));
    }
    case 'command':
      return command(handle.commands as unknown as AnyCommands, n, isToy);
    case 'stall':
      return (handle.queries as unknown as AnyCommands)['stall']?.(n);
    case 'busyPage':
      return stayBusy(n / 2);
    case 'pause':
      return handle.pause();
    case 'resume':
      return handle.resume();
    case 'step':
      return handle.step(1 + (n % 10));
    case 'rate':
      return handle.setTickRate(RATES[n % RATES.length] ?? 60);
    case 'scale':
      return handle.setTimeScale(SCALES[n % SCALES.length] ?? 1);
    case 'catchUp':
      return handle.setMaxCatchUpTicks(1 + (n % 8));
    case 'save':
      return handle.save();
    default:
      return handle.seek(Math.max(0, handle.stats().tick - (n % 40)));
  }
}

function command(commands: AnyCommands, n: number, isToy: boolean): unknown {
  if (isToy && n % 3 === 0) return commands['pushBy']?.(new Float64Array(n).fill(n));
  if (isToy) return commands['push']?.(n % 20, n / 100);
  const aside = n / 50 - 1;
  if (n % 4 === 0) return commands['shoot']?.([9 * aside, 4, 15], [0, -0.1, -0.995]);
  if (n % 4 === 1) return commands['grab']?.([aside, 9, aside], [0, -1, 0]);
  if (n % 4 === 2) return commands['drag']?.([3 * aside, 4, 1]);
  return commands['release']?.();
}

/** Its last state has a hash, which the replay must match as well. */
async function compare(handle: SimulationHandle, run: LiveRun): Promise<LiveResult> {
  const every = run.hashEveryTicks;
  await handle.pause();
  // After the earlier steps and seeks.
  const tick = await handle.step();
  const steps = 2 * every - (tick % every);
  const last = await handle.step(steps);
  if (last !== tick + steps) {
    throw new Error(`it was at tick ${tick}, and ${steps} steps ended at ${last}`);
  }
  const recording = decodeRecording(encodeRecording(handle.recording()));
  if (recording.lastTick !== last || hashAt(recording, last) === undefined) {
    throw new Error(`it is at tick ${last}, and its recording has no hash of that`);
  }
  let reached = '';
  const onTick = (at: number, hash: () => string): void => {
    if (at === last) reached = hash();
  };
  const report = await (run.simulated === 'toy'
    ? replay(createToy(), recording, { onTick })
    : replay(createDemoSimulation(workerData.build), recording, { onTick }));
  if (report.differsAt !== undefined) {
    throw new Error(
      `the replay differs at tick ${report.differsAt} of ${last}, equal up to ${report.equalUpTo}`,
    );
  }
  if (reached !== hashAt(recording, last)) {
    throw new Error(
      `the replay ends with ${reached}, and the run was at ${hashAt(recording, last)}`,
    );
  }
  return { ticks: last, hashes: report.hashes };
}

function hashAt({ entries }: Recording, tick: number): string | undefined {
  const entry = entries.findLast((one) => one.kind === 'hash' && one.tick === tick);
  return entry?.kind === 'hash' ? entry.hash : undefined;
}
