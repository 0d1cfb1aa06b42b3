/**
 * The cost of keeping states for going back, compared with the steps of the same ticks, and of going back: in a heap in this
 * thread, in processor time.
 */
import type { KeptMark } from '../../src/shared/index.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import {
  EventReporter,
  KeptStates,
  returnTo,
  SimulationRun,
} from '../../src/sim-worker/api/runs.js';
import { rapierSimulation } from '../../src/rapier/rapier.js';
import { fillRapierWorld } from '../engines/rapier-bench.js';
import { createScene } from '../scenes/index.js';
import type { Figure, FigureTable } from '../tables/figures.js';
import type { PartOptions } from './part.js';

const BODIES = 1000;
const HZ = 60;
/** Until it has fallen, and all that is kept has memory. */
const WARM_UP = 700;
const SECONDS = 10;
const BACK = 300;
const KEPT_MIB = 256;
const REPEAT_TICKS = 512;
/** In each repeat. */
const RETURNS = 8;

/** Processor time of this process, in ms: to a microsecond, and other load does not count. */
const timeMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Boxes that never sleep. */
const heap = rapierSimulation(({ rapier, physics }) => {
  for (const body of fillRapierWorld(rapier, physics.world, createScene('heap', BODIES, 1))) {
    physics.add(body);
  }
  // There is no state besides the engine's.
  return { restoreInPlace: () => {} };
});

export async function measureRewind({ isQuick }: PartOptions): Promise<FigureTable[]> {
  const repeats = isQuick ? 1 : 5;
  const run = new SimulationRun({
    simulation: heap as unknown as Simulation,
    options: {
      capacity: 2048,
      seed: 1,
      setup: null,
      dt: 1 / HZ,
      invalidPosePolicy: 'freeze',
    },
    events: new EventReporter(undefined),
  });
  await run.initialize();
  const kept = new KeptStates(
    run,
    { rewindSeconds: SECONDS, keptBytes: KEPT_MIB * 2 ** 20 },
    timeMs,
  );
  let marks: KeptMark[] = [];
  let [bytes, everyTicks] = [0, 0];
  // As the worker does, after each tick.
  const keep = (): boolean => {
    const report = kept.afterTick();
    if (report === undefined) return false;
    ({ bytes, everyTicks } = report);
    marks = [...marks.filter((mark) => mark.tick >= report.since), report];
    return true;
  };
  for (let count = 0; count < WARM_UP; count++) {
    kept.beforeTick();
    run.runTick(1 / HZ);
    keep();
  }

  const [shares, steps, each]: [number[], number[], number[]] = [[], [], []];
  for (let repeat = 0; repeat < repeats; repeat++) {
    let [stepMs, keepMs, states] = [0, 0, 0];
    for (let count = 0; count < REPEAT_TICKS; count++) {
      const start = timeMs();
      kept.beforeTick();
      run.runTick(1 / HZ);
      const stepped = timeMs();
      if (keep()) states += 1;
      stepMs += stepped - start;
      keepMs += timeMs() - stepped;
    }
    shares.push((keepMs / stepMs) * 100);
    steps.push(stepMs / REPEAT_TICKS);
    each.push(keepMs / states);
  }

  const ticks: number[] = [];
  const backs: number[] = [];
  const saved: number[] = [];
  let differences = 0;
  let firstMs = 0;
  for (let repeat = 0; repeat <= repeats * RETURNS; repeat++) {
    const now = kept.keep();
    const tickNow = run.tick;
    // Anywhere between two states.
    const [before, there] = [poses(run), run.tick - BACK - ((repeat * 7) % 60)];
    const start = timeMs();
    const nearest = kept.find(marks, 0, there);
    if (nearest === undefined) throw new Error('nothing is kept');
    returnTo(run, nearest);
    ticks.push(there - run.tick);
    while (run.tick < there) run.runTick(1 / HZ);
    if (repeat === 0) firstMs = timeMs() - start;
    else backs.push(timeMs() - start);
    while (run.tick < tickNow) run.runTick(1 / HZ);
    differences += differencesOf(before, poses(run));
    if (now !== undefined) kept.release(now);
  }
  for (let repeat = 0; repeat < repeats; repeat++) {
    const state = run.save();
    // On average half of the two seconds.
    for (let count = 0; count < HZ; count++) run.runTick(1 / HZ);
    const start = timeMs();
    run.restore(state);
    while (run.tick < state.tick + HZ) run.runTick(1 / HZ);
    saved.push(timeMs() - start);
  }
  run.dispose();
  const figures = [
    figure('a step', 'ms', steps),
    figure('keeping states, of the steps', '%', shares, 3),
    figure('a state', 'ms', each),
    figure('their memory', 'MiB', [bytes / 2 ** 20]),
    figure('between two of them, at most', 'ticks', [everyTicks]),
    figure(`${BACK} ticks back`, 'ms', backs, 20),
    figure('  the longest', 'ms', [Math.max(...backs)]),
    figure('  the first, which compiles code', 'ms', [firstMs]),
    figure('  ticks that are run again', '', ticks),
    figure('with a state saved every 2 s', 'ms', saved),
    figure('places that differ afterwards', '', [differences], 0),
  ];
  return [{ title: `a heap of ${BODIES}`, figures }];
}

const figure = (what: string, unit: string, ours: readonly number[], limit?: number): Figure => ({
  what,
  unit,
  ours,
  ...(limit !== undefined && { limit }),
});

const poses = (run: SimulationRun): Int32Array => run.bodies.lanes.slice();

const differencesOf = (one: Int32Array, other: Int32Array): number =>
  one.filter((word, index) => word !== other[index]).length;
