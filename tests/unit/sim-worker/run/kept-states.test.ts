/** Which states are kept, in scripted time: what steps and states take is given. */
import { expect, test } from 'vitest';
import type { Simulation } from '../../../../src/sim-worker/index.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { KeptStates } from '../../../../src/sim-worker/run/kept-states.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';

const HZ = 60;

interface Script {
  readonly stepMs: (tick: number) => number;
  readonly keepMs: (count: number) => number;
  /** Size of each state. */
  readonly bytes?: number;
  readonly keptBytes?: number;
}

async function play(ticks: number, script: Script) {
  const { stepMs, keepMs, bytes = 1, keptBytes = 1000 } = script;
  let nowMs = 0;
  let [keepingMs, steppingMs, count] = [0, 0, 0];
  const simulation: Simulation = {
    init() {},
    step(_dt, tick) {
      nowMs += stepMs(tick);
      steppingMs += stepMs(tick);
    },
    keep() {
      nowMs += keepMs(count);
      keepingMs += keepMs(count);
      count += 1;
      return { bytes, canRestore: () => true, restore() {} };
    },
  };
  const run = new SimulationRun({
    simulation,
    options: { capacity: 1, seed: 1, setup: null, dt: 1 / HZ, invalidPosePolicy: 'freeze' },
    events: new EventReporter(undefined),
  });
  await run.initialize();
  const kept = new KeptStates(run, { rewindSeconds: 10, keptBytes }, () => nowMs);
  const reports = [];
  for (let tick = 1; tick <= ticks; tick++) {
    kept.beforeTick();
    run.runTick(1 / HZ);
    const report = kept.afterTick();
    if (report !== undefined) reports.push(report);
  }
  const found = reports.filter((mark) => kept.find([mark], 0, ticks) !== undefined);
  return {
    reports,
    kept,
    /** Ticks of the states that can be restored. */
    ticks: found.map(({ tick }) => tick),
    share: keepingMs / steppingMs,
    count,
  };
}

const intervalsOf = (ticks: readonly number[]): number[] =>
  ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));

test.each([
  [2, 0.5, 9, 3],
  [0.2, 0.05, 9, 3],
  [12, 0.5, 2, 3],
  [20, 0.5, 1, 3],
  // Longer states: about 32 ms run again.
  [2.1, 1.2, 16, 6],
  [1.5, 1.8, 22, 6],
  [2, 2.35, 20, 6],
  [40, 5, 3, 6],
])(
  'with steps of %d ms and states of %d ms, the state of one of %d ticks is kept, for about %d percent of the time at most',
  async (step, keep, interval, percent) => {
    const { ticks, share, reports } = await play(600, { stepMs: () => step, keepMs: () => keep });
    // The first two are there at once: what a state takes is not known before.
    expect(new Set(intervalsOf(ticks.slice(2)))).toEqual(new Set([interval]));
    expect(share).toBeLessThan((percent + 0.4) / 100);
    expect(reports.at(-1)).toMatchObject({ everyTicks: interval });
  },
);

test.each<[string, number, Script, number]>([
  [
    'first ones that take long make none of the later ones late',
    6,
    { stepMs: () => 2, keepMs: (count) => (count < 4 ? 15 : 0.5) },
    9,
  ],
  [
    'one a second, if steps take next to nothing',
    2,
    { stepMs: () => 0.001, keepMs: () => 0.5 },
    HZ,
  ],
  [
    'an interruption while one is kept makes none of the next ones late',
    2,
    { stepMs: () => 2, keepMs: (count) => (count === 20 ? 400 : 0.5) },
    9,
  ],
])('of the states that are kept, %s', async (_, from, script, interval) => {
  const { ticks } = await play(600, script);
  expect(new Set(intervalsOf(ticks.slice(from)))).toEqual(new Set([interval]));
});

test('the states of the newest seconds are kept, and one before', async () => {
  const { reports, kept, ticks } = await play(2000, { stepMs: () => 20, keepMs: () => 0.5 });
  expect(reports.at(-1)).toMatchObject({ tick: 2000, since: 1400 });
  expect(ticks[0]).toBe(1400);
  expect(ticks).toHaveLength(601);
  expect(kept.bytes).toBe(601);
});

test('as many states are kept as fit, the newest in shorter intervals, and the oldest tick can be reached', async () => {
  const { ticks, kept } = await play(2000, {
    stepMs: () => 20,
    keepMs: () => 0.5,
    bytes: 10,
    keptBytes: 10 * 60,
  });
  expect(kept.bytes).toBeLessThanOrEqual(600);
  expect(kept.bytes).toBeGreaterThan(450);
  expect(ticks[0]).toBeLessThanOrEqual(1400);
  expect(ticks.at(-1)).toBe(2000);
  // Even would be ten.
  const intervals = intervalsOf(ticks);
  expect(Math.max(...intervals)).toBeLessThanOrEqual(32);
  expect(intervals.at(-1)).toBeLessThan(Math.max(...intervals));
});

test('no states are kept if there is no room for two', async () => {
  const script = { stepMs: () => 20, keepMs: () => 0.5, bytes: 10 };
  const none = await play(100, { ...script, keptBytes: 19 });
  expect(none).toMatchObject({ ticks: [], count: 2 });
  expect(none.kept.bytes).toBe(0);
  const two = await play(100, { ...script, keptBytes: 30 });
  expect(two.ticks.length).toBeGreaterThan(1);
});
