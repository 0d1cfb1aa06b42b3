/** The simulation of the benchmark's worker: a scene in an engine, or steps of known cost. */
import type { BodyId } from '../../src/shared/index.js';
import type { Simulation, SimulationContext } from '../../src/sim-worker/index.js';
import { medianOf } from '../engine/index.js';
import { createBenchWorld, respawnFallen } from '../engines/index.js';
import { createScene } from '../scenes/index.js';
import {
  SCRIPTED_ENGINE,
  type BenchSetup,
  type SceneSetup,
  type ScriptedSetup,
} from './bench-setup.js';

/** The page's queries to the worker. */
export type BenchQueries = {
  /** Name, build and version of the engine. */
  describe: () => string;
  /** Every body of the scene. */
  ids: () => Uint32Array;
};

export type BenchSimulation = Simulation<Record<never, never>, Record<never, never>, BenchQueries>;

interface Runner {
  readonly engineName: string;
  readonly ids: readonly BodyId[];
  step(dt: number, tick: number): void;
}

const SETTLE_STEP_SECONDS = 1 / 60;
/** Settling ends early if the median of this number of ticks is over the limit, and after this time. */
const JUDGED_TICKS = 20;
const MAX_SETTLE_MS = 4000;

export function createBenchSimulation(): BenchSimulation {
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
          ? createScripted(setup, context)
          : await createSceneRunner(setup, context);
    },
    step(dt, tick) {
      running().step(dt, tick);
    },
    engine: () => running().engineName,
    queries: {
      describe: () => running().engineName,
      ids: () => Uint32Array.from(running().ids),
    },
  };
}

async function createSceneRunner(
  { scene: name, engine, bodies: count, seed, settleTicks, settleLimitMs }: SceneSetup,
  { bodies }: SimulationContext,
): Promise<Runner> {
  const scene = createScene(name, count, seed);
  const world = await createBenchWorld(engine, scene, bodies);
  const step = (dt: number, tick: number): void => {
    respawnFallen(world, scene, bodies, tick);
    world.step(dt);
  };
  const endMs = performance.now() + MAX_SETTLE_MS;
  let stepsMs: number[] = [];
  for (let tick = 1; tick <= settleTicks; tick++) {
    const startMs = performance.now();
    step(SETTLE_STEP_SECONDS, tick);
    if (settleLimitMs === null) continue;
    stepsMs.push(performance.now() - startMs);
    if (performance.now() > endMs) break;
    if (stepsMs.length < JUDGED_TICKS) continue;
    if (medianOf(stepsMs) > settleLimitMs) break;
    stepsMs = [];
  }
  return { engineName: world.engineName, ids: world.ids, step };
}

function createScripted(
  { cost, costMs, bodies: count }: ScriptedSetup,
  { bodies, random }: SimulationContext,
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
      stayBusy(costs[cost]());
    },
  };
}

function stayBusy(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}
