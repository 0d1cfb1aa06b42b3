/** The simulation of the benchmark's worker: a scene in an engine, or steps of known cost. */
import type { BodyId } from '../../src/shared/index.js';
import type { Simulation, SimulationContext } from '../../src/sim-worker/index.js';
import { createBenchWorld, respawnFallen } from '../engines/index.js';
import { createScene } from '../scenes/index.js';
import {
  SCRIPTED_ENGINE,
  type BenchSetup,
  type SceneSetup,
  type ScriptedSetup,
} from './bench-setup.js';
import type { LoggedTicks, TickLog } from './tick-log.js';

/** The page's queries to the worker. */
export type BenchQueries = {
  /** Name, build and version of the engine. */
  describe: () => string;
  /** Every body of the scene. */
  ids: () => Uint32Array;
  /** Begins to note ticks. The buffer is the shared one. */
  beginTicks: (buffer: ArrayBufferLike) => void;
  endTicks: () => LoggedTicks;
  /** Memory of the engine and the rest of this thread, in MB of 10^6 bytes; null if unknown. */
  memoryMB: () => number | null;
};

export type BenchSimulation = Simulation<Record<never, never>, Record<never, never>, BenchQueries>;

interface Runner {
  readonly engineName: string;
  readonly ids: readonly BodyId[];
  step(dt: number, tick: number): void;
}

const SETTLE_STEP_SECONDS = 1 / 60;

export interface BenchSimulationParts {
  readonly log: TickLog;
  readonly memoryMB?: () => number | null;
  /** Spends the cost of a scripted step, in ms. Default: blocks the thread for that long. */
  readonly spend?: (costMs: number) => void;
}

export function createBenchSimulation({
  log,
  memoryMB = () => null,
  spend = (costMs) => stayBusy(log, costMs),
}: BenchSimulationParts): BenchSimulation {
  let runner: Runner | undefined;
  const running = (): Runner => {
    if (runner === undefined) throw new Error('the simulation has not been started');
    return runner;
  };
  return {
    async init(context) {
      const setup = context.setup as unknown as BenchSetup;
      runner =
        setup.kind === 'scripted'
          ? createScripted(setup, context, spend)
          : await createSceneRunner(setup, context, log);
    },
    step(dt, tick) {
      const now = running();
      log.stepBegins(tick);
      now.step(dt, tick);
      log.stepEnds();
    },
    engine: () => running().engineName,
    queries: {
      describe: () => running().engineName,
      ids: () => Uint32Array.from(running().ids),
      beginTicks: (buffer) => log.begin(buffer),
      endTicks: () => log.end(),
      memoryMB,
    },
  };
}

async function createSceneRunner(
  { scene: name, engine, bodies: count, seed, settleTicks, settleLimitMs }: SceneSetup,
  { bodies }: SimulationContext,
  log: TickLog,
): Promise<Runner> {
  const scene = createScene(name, count, seed);
  const world = await createBenchWorld(engine, scene, bodies);
  const step = (dt: number, tick: number): void => {
    respawnFallen(world, scene, bodies, tick);
    world.step(dt);
  };
  const endMs = log.now() + (settleLimitMs ?? Number.POSITIVE_INFINITY);
  for (let tick = 1; tick <= settleTicks; tick++) {
    step(SETTLE_STEP_SECONDS, tick);
    if (log.now() < endMs) continue;
    throw new Error(
      `${count} bodies took over ${settleLimitMs} ms to settle, ${tick} ticks so far`,
    );
  }
  return { engineName: world.engineName, ids: world.ids, step };
}

function createScripted(
  { cost, costMs, bodies: count }: ScriptedSetup,
  { bodies, random }: SimulationContext,
  spend: (costMs: number) => void,
): Runner {
  const ids = Array.from({ length: count }, (_, index) =>
    bodies.spawn({ x: index, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 }),
  );
  const costs = {
    constant: () => costMs,
    linear: () => (costMs * count) / 1000,
    noisy: () => costMs * random.between(0.5, 1.5),
  };
  return {
    engineName: SCRIPTED_ENGINE,
    ids,
    step(_dt, tick) {
      for (const [index, id] of ids.entries()) bodies.setPose(id, index, tick % 8, 0, 0, 0, 0, 1);
      spend(costs[cost]());
    },
  };
}

function stayBusy(log: TickLog, durationMs: number): void {
  const endMs = log.now() + durationMs;
  while (log.now() < endMs);
}
