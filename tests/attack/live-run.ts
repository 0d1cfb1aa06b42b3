/**
 * One live run: a real thread, in real time, with random events; and its recording, replayed in
 * this thread.
 */
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { createDemoSimulation } from '../../demo/simulation/demo-simulation.js';
import {
  connect,
  fromNodeWorker,
  type ConnectOptions,
  type SimulationHandle,
} from '../../src/render-main/index.js';
import { decodeRecording, encodeRecording, type Recording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { sleep, stayBusy } from '../fixtures/busy.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { stepsOf, walk, type Operations } from '../fixtures/walk.js';
import type { SceneName } from '../../demo/contract/scene-contract.js';
import { tuned } from '../../src/render-main/api/connect-options.js';

const RATES = [20, 60, 144, 500];
const SCALES = [0.25, 1, 4];
/** The build of the engine, live and in the replay. */
const workerData = { build: 'deterministic' } as const;

/** The two kinds of simulations have different commands: each is called by name. */
type AnyCommands = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Few bodies: a run is short, so that there are many. */
const SCENES = {
  tower: 60,
  dominoes: 50,
  bridge: 20,
  vehicle: 20,
  tops: 8,
} as const satisfies Partial<Record<SceneName, number>>;

interface Live {
  readonly handle: SimulationHandle;
  readonly isToy: boolean;
}

const OPERATIONS: Operations<Live, { readonly waitMs: number }> = {
  input: [
    6,
    ({ handle }, n) => {
      const input = { kind: 'custom', code: 1 + (n % 3), device: 0, x: n / 50 - 1 } as const;
      // Some of them are late.
      handle.inputs.push({ ...input, y: 0, z: 0, w: 0 }, performance.now() - (n % 30));
    },
  ],
  command: [6, ({ handle, isToy }, n) => command(handle.commands as never, n, isToy)],
  /** The worker is busy between two ticks, or its next step takes longer. */
  stall: [3, ({ handle }, n) => (handle.queries as unknown as AnyCommands)['stall']?.(n)],
  /** This thread is busy, as a page may be. */
  busyPage: (_, n) => stayBusy(n / 2),
  pause: [2, ({ handle }) => handle.pause()],
  resume: [4, ({ handle }) => handle.resume()],
  step: [2, ({ handle }, n) => handle.step(1 + (n % 10))],
  rate: [2, ({ handle }, n) => handle.setTickRate(RATES[n % RATES.length] ?? 60)],
  scale: ({ handle }, n) => handle.setTimeScale(SCALES[n % SCALES.length] ?? 1),
  catchUp: ({ handle }, n) => handle.setMaxCatchUpTicks(1 + (n % 8)),
  save: ({ handle }) => handle.save(),
  goBack: ({ handle }, n) => handle.seek(Math.max(0, handle.stats().tick - (n % 40))),
};

export const liveRuns = fc.record({
  simulated: fc.oneof(
    fc.constant('toy' as const),
    fc.constantFrom(...(Object.keys(SCENES) as (keyof typeof SCENES)[])),
  ),
  transport: fc.constantFrom('shared' as const, 'transfer' as const),
  tickRateHz: fc.constantFrom(60, 240, 500),
  seed: fc.nat(),
  hashEveryTicks: fc.constantFrom(1, 5),
  steps: stepsOf(OPERATIONS, {
    maxLength: 100,
    max: 99,
    /** Real time to the next one. */
    more: { waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 20 }), fc.nat({ max: 60 })) },
  }),
});
type LiveRun = typeof liveRuns extends fc.Arbitrary<infer Run> ? Run : never;

/** There is no time limit here: only a different hash counts. */
const PATIENT: ConnectOptions = tuned(
  {},
  { startTimeoutMs: 600_000, hangLimitMs: Number.POSITIVE_INFINITY },
);

/** @param scriptOf Compiled worker of a name. @returns Ticks that were run. @throws Error with the difference. */
export async function tryLive(
  run: LiveRun,
  scriptOf: (name: 'toy' | 'demo') => Promise<URL>,
): Promise<number> {
  const { simulated, transport, tickRateHz, seed, hashEveryTicks } = run;
  const isToy = simulated === 'toy';
  const script = await scriptOf(isToy ? 'toy' : 'demo');
  const setup = isToy ? null : { name: simulated, bodies: SCENES[simulated], seed };
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
    await walk(OPERATIONS, { handle, isToy }, run.steps, ({ waitMs }, call) => {
      // Steps of a run that is not paused, a ray that hits no body: refused, and nothing more.
      calls.push(Promise.resolve(call).catch(() => {}));
      return sleep(waitMs);
    });
    const result = await compare(handle, run);
    // A command waits for a tick, and has had one.
    await Promise.all(calls);
    return result;
  } finally {
    await handle.dispose();
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
async function compare(handle: SimulationHandle, run: LiveRun): Promise<number> {
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
  return last;
}

function hashAt({ entries }: Recording, tick: number): string | undefined {
  const entry = entries.findLast((one) => one.kind === 'hash' && one.tick === tick);
  return entry?.kind === 'hash' ? entry.hash : undefined;
}
