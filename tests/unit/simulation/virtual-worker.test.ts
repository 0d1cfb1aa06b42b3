/** The virtual worker of the timeline's tests publishes what the worker's own loop publishes. */
import { expect, test, vi } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { CONTROL } from '../../../src/shared/memory/layout.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import { TappedWorker } from '../../fixtures/tapped-worker.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { VirtualWorker } from '../../fixtures/virtual-worker.js';

/** An action of the page, at a page time in ms. `block` keeps the thread busy for as long. */
type Action = { readonly atMs: number } & (
  | { readonly kind: 'pause' | 'resume' | 'restart' }
  | { readonly kind: 'step' | 'setTickRate' | 'setTimeScale' | 'block'; readonly value: number }
);

interface Scenario {
  /** Random, up to this. */
  readonly stepCostMs: number;
  readonly actions: readonly Action[];
  /** Frames for which ticks wait: when one is, and how often, in ms. */
  readonly frames?: { readonly atMs: number; readonly periodMs: number };
}

const TICK_RATE_HZ = 60;
const END_MS = 4000;

/** Records the states that are published from now on, and when. */
function recordStates(now: () => number): number[][] {
  const published: number[][] = [];
  const { publishState } = SnapshotWriter.prototype;
  vi.spyOn(SnapshotWriter.prototype, 'publishState').mockImplementation(function record(
    this: SnapshotWriter,
    state,
    schedule,
    cut = false,
  ) {
    const { tick, virtualMs, simulatedSeconds, latenessMs } = state;
    const { shiftMs, pausedVirtualMs } = schedule;
    const pausedMs = schedule.isPaused ? pausedVirtualMs : -1;
    const times = [now(), virtualMs, latenessMs, shiftMs, pausedMs];
    published.push([tick, Number(cut), simulatedSeconds, ...times]);
    return publishState.call(this, state, schedule, cut);
  });
  return published;
}

const showFrames = (control: Int32Array | undefined, { frames }: Scenario): void => {
  if (control === undefined || frames === undefined) return;
  control[CONTROL.frameUs] = 1000 * frames.atMs;
  control[CONTROL.framePeriodUs] = 1000 * frames.periodMs;
};

/** A step that the end interrupts is not compared. */
const isWithin = ([, , , atMs = 0]: number[]): boolean => atMs < END_MS - 100;

type Costs = (tick: number) => number;

/** A page with its worker in this thread. @returns The actions at the times at which they came. */
async function runLoop(scenario: Scenario, stepCostMs: Costs, time: VirtualTime) {
  let worker: TappedWorker | undefined;
  let context: SimulationContext | undefined;
  const simulation = await connect(
    () =>
      (worker = new TappedWorker(
        runLocally({
          init: (given) => void (context = given),
          step: (_dt, tick) => time.spend(stepCostMs(tick)),
          reset: () => {},
          queries: { restart: () => context?.restart() },
        }),
        true,
      )),
    { transport: 'local', capacity: 1, tickRateHz: TICK_RATE_HZ },
  );
  showFrames(worker?.views?.control, scenario);
  const came: Action[] = [];
  for (const action of scenario.actions) {
    await time.advance(action.atMs - time.nowMs);
    came.push({ ...action, atMs: time.nowMs });
    if (action.kind === 'block') time.spend(action.value);
    else if (action.kind === 'restart') void simulation.queries['restart']?.();
    else if ('value' in action) void simulation[action.kind](action.value);
    else void simulation[action.kind]();
    await time.advance(0);
  }
  await time.advance(END_MS - time.nowMs);
  await time.until(simulation.dispose());
  return came;
}

function runVirtualWorker(
  worker: VirtualWorker,
  scenario: Scenario,
  came: readonly Action[],
): void {
  // Timers of the loop fire at whole ms after they are set, and when the thread is no longer busy.
  worker.wakeDelayMs = () => {
    const { nextDueMs } = worker.pacer;
    const firesMs = worker.nowMs + Math.ceil(nextDueMs - worker.nowMs);
    const busy = came.find(
      (action) =>
        action.kind === 'block' && action.atMs < firesMs && firesMs < action.atMs + action.value,
    );
    return (busy?.kind === 'block' ? busy.atMs + busy.value : firesMs) - nextDueMs;
  };
  showFrames(worker.views.control, scenario);
  for (const action of came) {
    if (action.kind === 'block') continue;
    if ('value' in action) worker[action.kind](action.value, action.atMs);
    else worker[action.kind](action.atMs);
  }
  worker.advanceTo(END_MS);
}

const ACTIONS: readonly Action[] = [
  { atMs: 1205, kind: 'pause' },
  { atMs: 1300, kind: 'step', value: 3 },
  { atMs: 1404, kind: 'resume' },
  { atMs: 1511, kind: 'setTickRate', value: 90 },
  { atMs: 1623, kind: 'setTimeScale', value: 0.4 },
  { atMs: 1777, kind: 'restart' },
  { atMs: 1901, kind: 'pause' },
  { atMs: 1950, kind: 'setTickRate', value: 30 },
  { atMs: 2003, kind: 'resume' },
  { atMs: 2100, kind: 'setTimeScale', value: 2 },
];

test.each<[string, Scenario]>([
  ['as a quiet machine runs it', { stepCostMs: 0, actions: [] }],
  ['paused, stepped, resumed, restarted, at other rates', { stepCostMs: 6, actions: ACTIONS }],
  ['overloaded: it drops ticks', { stepCostMs: 60, actions: [] }],
  ['after a gap', { stepCostMs: 0, actions: [{ atMs: 1340, kind: 'block', value: 700 }] }],
  [
    'with ticks that wait for frames',
    { stepCostMs: 3, actions: ACTIONS, frames: { atMs: 1003, periodMs: 7 } },
  ],
])('the virtual worker publishes what the loop does: %s', async (_, scenario) => {
  const random = seededRandom(1);
  const costs = Array.from({ length: 1000 }, () => scenario.stepCostMs * random());
  const stepCostMs: Costs = (tick) => costs[tick] ?? 0;
  const time = new VirtualTime();
  // Due times round, so a clock has to advance by itself.
  time.readingMs = 1e-6;
  let now = () => time.nowMs;
  const published = recordStates(() => now());
  const startMs = time.nowMs;
  const came = await runLoop(scenario, stepCostMs, time);
  const byLoop = published.splice(0).filter(isWithin);
  now = () => startMs;
  const worker = new VirtualWorker({ tickRateHz: TICK_RATE_HZ, startMs, stepCostMs });
  now = () => worker.nowMs;
  runVirtualWorker(worker, scenario, came);
  const byWorker = published.filter(isWithin);
  expect(byLoop.length).toBeGreaterThan(30);
  const close = byLoop.map((state) => state.map((value) => expect.closeTo(value, 1)));
  expect(byWorker).toEqual(close);
});
