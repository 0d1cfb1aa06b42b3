/**
 * `npm run bench:rewind`: what it costs to keep states for going back, and how long going back takes, in a heap of 1,000
 * in this thread, in processor time. What keeping takes is compared with the steps of the same ticks.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseFlags } from '../scripts/cli/arguments.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import type { KeptMark } from '../src/shared/index.js';
import type { RapierBuild } from '../src/rapier/rapier.js';
import type { Simulation } from '../src/sim-worker/index.js';
import { EventReporter, KeptStates, returnTo, SimulationRun } from '../src/sim-worker/api/runs.js';
import { ofBuild } from './engines/load-rapier.js';
import { meanOf } from './engine/samples.js';

const BODIES = 1000;
const HZ = 60;
/** Until it has fallen, and all that is kept has memory. */
const WARM_UP = 700;
const SECONDS = 10;
const BACK = 300;
const REPEAT_TICKS = 512;
/** In each repeat. */
const RETURNS = 8;

/** Processor time of this process, in ms: to a microsecond, and other load does not count. */
const timeMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface Estimate {
  readonly mean: number;
  /** Half the distance between the least and the largest. */
  readonly within: number;
}

interface Result {
  readonly build: RapierBuild;
  readonly stepMs: Estimate;
  /** Share of the step. */
  readonly keeping: Estimate;
  readonly keepMs: Estimate;
  readonly bytes: number;
  readonly everyTicks: number;
  /** The first one, which is not among the others, compiles code. */
  readonly backMs: Estimate & {
    readonly worst: number;
    readonly first: number;
    readonly ticks: number;
  };
  /** With the newest saved state of every two seconds. */
  readonly savedMs: Estimate;
  readonly areBitsEqual: boolean;
}

/** Boxes that never sleep. */
const createHeap = (build: RapierBuild) =>
  ofBuild[build].rapierSimulation(({ rapier, physics, context }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    physics.world.createCollider(ColliderDesc.cuboid(50, 0.5, 50).setTranslation(0, -0.5, 0));
    for (let index = 0; index < BODIES; index++) {
      const [column, row, layer] = [index % 8, (index >> 3) % 8, index >> 6];
      const shift = context.random.between(0, 0.3);
      const place = RigidBodyDesc.dynamic()
        .setTranslation(column * 1.1 - 4 + shift, 1 + layer * 1.1, row * 1.1 - 4)
        .setCanSleep(false);
      const body = physics.world.createRigidBody(place);
      physics.world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), body);
      physics.add(body);
    }
    // It has no state besides the engine's.
    return { restoreInPlace: () => {} };
  });

async function measure(build: RapierBuild, repeats: number, keptBytes: number): Promise<Result> {
  const simulation = createHeap(build) as unknown as Simulation;
  const run = new SimulationRun({
    simulation,
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
  const kept = new KeptStates(run, { rewindSeconds: SECONDS, keptBytes }, timeMs);
  let marks: KeptMark[] = [];
  let [bytes, everyTicks] = [0, 0];
  /** As the worker does, after each tick. */
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
    shares.push(keepMs / stepMs);
    steps.push(stepMs / REPEAT_TICKS);
    each.push(keepMs / states);
  }

  const ticks: number[] = [];
  const backs: number[] = [];
  const saved: number[] = [];
  let areBitsEqual = true;
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
    areBitsEqual &&= isSame(before, poses(run));
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
  return {
    build,
    stepMs: estimateOf(steps),
    keeping: estimateOf(shares),
    keepMs: estimateOf(each),
    bytes,
    everyTicks,
    backMs: {
      ...estimateOf(backs),
      worst: Math.max(...backs),
      first: firstMs,
      ticks: Math.max(...ticks),
    },
    savedMs: estimateOf(saved),
    areBitsEqual,
  };
}

const poses = (run: SimulationRun): Int32Array => run.bodies.lanes.slice();

const isSame = (one: Int32Array, other: Int32Array): boolean =>
  one.every((word, index) => word === other[index]);

function estimateOf(values: readonly number[]): Estimate {
  return { mean: meanOf(values), within: (Math.max(...values) - Math.min(...values)) / 2 };
}

const text = ({ mean, within }: Estimate, unit: string, factor = 1): string =>
  `${(mean * factor).toPrecision(3)} ± ${(within * factor).toPrecision(2)} ${unit}`;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseFlags({
    args: [...args],
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean' },
      mebibytes: { type: 'string' },
      build: { type: 'string' },
    },
    strict: true,
  });
  const [processor] = cpus();
  console.log(
    `${processor?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}\n`,
  );
  const keptBytes = Number(values.mebibytes ?? 256) * 2 ** 20;
  const result = await measure(
    (values.build ?? 'simd') as RapierBuild,
    values.quick === true ? 1 : 5,
    keptBytes,
  );
  const { stepMs, keeping, keepMs, bytes, everyTicks, backMs, savedMs, areBitsEqual } = result;
  console.table({
    'a step': text(stepMs, 'ms'),
    'keeping states': `${text(keeping, '% of it', 100)} (goal: 3 %)`,
    'a state': text(keepMs, 'ms'),
    'their memory': `${(bytes / 2 ** 20).toFixed(0)} MiB, at most ${everyTicks} ticks apart`,
    [`${BACK} ticks back`]: `${text(backMs, 'ms')}, ${backMs.worst.toFixed(1)} at most, with up to ${backMs.ticks} ticks run again; the first ${backMs.first.toFixed(1)} (goal: 20 ms)`,
    'with a state saved every 2 s': text(savedMs, 'ms'),
    'the same bits afterwards': areBitsEqual ? 'yes' : 'NO',
  });
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(result, undefined, 2)}\n`);
  }
  return EXIT_CODES.done;
}

process.exit(await runCommand('bench:rewind', main));
