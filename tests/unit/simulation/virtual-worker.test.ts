/** The virtual worker of the timeline's tests publishes what the worker's own loop publishes. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import type { WorkerMessage } from '../../../src/shared/protocol/control-protocol.js';
import { CONTROL, WORKER_ACTIVITY, WORKER_PHASE } from '../../../src/shared/memory/layout.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { firstPace, paceOf } from '../../fixtures/page-pace.js';
import { callsOfPage } from '../../fixtures/page-port.js';
import { scriptedHost, takeTurn } from '../../fixtures/scripted-host.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import { VirtualWorker, type VirtualWorkerOptions } from '../../fixtures/virtual-worker.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

/** An action of the page at a time in ms. */
type Action = { readonly atMs: number } & (
  | { readonly kind: 'pause' | 'resume' | 'restart' }
  | { readonly kind: 'step' | 'setTickRate' | 'setTimeScale'; readonly value: number }
);

interface Scenario {
  readonly worker: VirtualWorkerOptions &
    Required<Pick<VirtualWorkerOptions, 'stepCostMs' | 'wakeDelayMs'>>;
  /** In the order of their times. */
  readonly actions: readonly Action[];
  readonly endMs: number;
  /** Frames for which ticks wait: when one is, and how often, in ms. */
  readonly frames?: { readonly atMs: number; readonly periodMs: number };
}

/** A published state and the schedule with it; times are in ms. */
interface Published {
  readonly atMs: number;
  readonly tick: number;
  readonly virtualMs: number;
  readonly simulatedSeconds: number;
  readonly latenessMs: number;
  readonly shiftMs: number;
  readonly pausedVirtualMs: number;
  readonly cut: boolean;
}

const START_MS = 1000;
/** How much later it is each time that the loop reads its clock: due times round, so a clock has to advance by itself. */
const READ_MS = 1e-6;

/** Records what is published from now on. @param now Page time. */
function recordStates(now: () => number): Published[] {
  const published: Published[] = [];
  const { publishState } = SnapshotWriter.prototype;
  const spy = vi.spyOn(SnapshotWriter.prototype, 'publishState').mockImplementation(function record(
    this: SnapshotWriter,
    state,
    schedule,
    cut = false,
  ) {
    const { tick, virtualMs, simulatedSeconds, latenessMs } = state;
    const { shiftMs, pausedVirtualMs } = schedule;
    const stamps = { tick, virtualMs, simulatedSeconds, latenessMs };
    published.push({ atMs: now(), ...stamps, shiftMs, pausedVirtualMs, cut });
    return publishState.call(this, state, schedule, cut);
  });
  onTestFinished(() => spy.mockRestore());
  return published;
}

function showFrames(control: Int32Array, frames: Scenario['frames']): void {
  if (frames === undefined) return;
  control[CONTROL.frameUs] = 1000 * frames.atMs;
  control[CONTROL.framePeriodUs] = 1000 * frames.periodMs;
}

function publishedByVirtualWorker({ worker, actions, endMs, frames }: Scenario): Published[] {
  let now = (): number => START_MS;
  const published = recordStates(() => now());
  const virtual = new VirtualWorker({ ...worker, startMs: START_MS });
  now = () => virtual.nowMs;
  showFrames(virtual.views.control, frames);
  for (const action of actions) {
    if ('value' in action) virtual[action.kind](action.value, action.atMs);
    else virtual[action.kind](action.atMs);
  }
  virtual.advanceTo(endMs);
  return published;
}

/** The loop with its control server, in this thread: it sleeps and steps by advancing a clock. */
async function publishedByLoop({ worker, actions, endMs, frames }: Scenario): Promise<Published[]> {
  const { stepCostMs, wakeDelayMs } = worker;
  let nowMs = START_MS;
  const readClock = (): number => (nowMs += READ_MS);
  const published = recordStates(() => nowMs);
  const views = createBuffer(4, 4);
  const { control } = views;
  showFrames(control, frames);
  const { calls, deliver } = callsOfPage();
  let context: SimulationContext | undefined;
  let lastTick = 0;
  const posted: WorkerMessage[] = [];
  const server = createControlServer({
    host: scriptedHost(readClock, { take: async () => takeRung() }),
    simulation: {
      init: (given) => {
        context = given;
      },
      step(_dt, tick) {
        lastTick = tick;
        passTo(nowMs + stepCostMs(tick));
      },
      reset: () => {},
      queries: { restart: () => context?.restart() },
    },
    calls,
    post: (message) => void posted.push(message),
  });
  const options = {
    ...DEFAULT_WORKER_OPTIONS,
    tickRateHz: worker.tickRateHz,
    timeScale: worker.timeScale ?? 1,
    turnsPerSecond: 1,
  };
  const pace = paceOf(server, firstPace(options));
  const waiting = [...actions];
  const rung: Action[] = [];

  const passTo = (untilMs: number): void => {
    nowMs = Math.max(nowMs, untilMs);
    while (waiting[0] !== undefined && waiting[0].atMs <= nowMs) {
      rung.push(waiting.shift() as Action);
      Atomics.add(control, CONTROL.doorbell, 1);
    }
    if (nowMs > endMs) Atomics.store(control, CONTROL.stopRequest, 1);
  };
  const act = (action: Action): void => {
    if (action.kind === 'pause') pace.pause();
    else if (action.kind === 'resume') pace.resume();
    else if (action.kind === 'step') void server.step(action.value).catch(() => {});
    else if (action.kind === 'setTickRate') pace.set({ tickRateHz: action.value });
    else if (action.kind === 'setTimeScale') pace.set({ timeScale: action.value });
    else {
      void server.query('restart', []);
      lastTick = 0;
    }
  };
  const takeRung = (): void => {
    for (const action of rung.splice(0)) {
      deliver();
      act(action);
    }
  };
  const waitSpy = vi
    .spyOn(Atomics, 'wait')
    .mockImplementation((_words, _index, _value, timeoutMs = 0) => {
      const wakeMs = nowMs + timeoutMs + wakeDelayMs(lastTick + 1);
      passTo(Math.min(wakeMs, waiting[0]?.atMs ?? Infinity));
      return 'timed-out';
    });
  onTestFinished(() => waitSpy.mockRestore());
  await server.initialize({ transport: 'shared', buffer: views.buffer }, options);
  pace.start();
  while (Atomics.load(control, CONTROL.phase) !== WORKER_PHASE.stopped) {
    // Its turns are microtasks: now it sleeps in the event loop, or has ended.
    await takeTurn();
    const failure = posted.find(({ type }) => type === 'betwixt:failure');
    if (failure !== undefined) throw new Error('the loop has failed', { cause: failure });
    if (Atomics.load(control, CONTROL.activity) !== WORKER_ACTIVITY.idle) continue;
    passTo(waiting[0]?.atMs ?? endMs + 1);
    if (rung.length > 0) takeRung();
    else server.stop();
  }
  return published;
}

/** @param span Of each random duration, in ms. */
const randomDurations = (seed: number, ...spans: readonly [number, number]) => {
  const random = seededRandom(seed);
  const durations = Array.from({ length: 1000 }, () => spans.map((span) => span * random()));
  return {
    stepCostMs: (tick: number) => durations[tick % 1000]?.[0] ?? 0,
    wakeDelayMs: (tick: number) => durations[tick % 1000]?.[1] ?? 0,
  };
};

const ACTIONS: readonly Action[] = [
  { atMs: 1205, kind: 'pause' },
  { atMs: 1300, kind: 'step', value: 3 },
  { atMs: 1301, kind: 'step', value: 1 },
  { atMs: 1404, kind: 'resume' },
  { atMs: 1511, kind: 'setTickRate', value: 90 },
  { atMs: 1623, kind: 'setTimeScale', value: 0.4 },
  { atMs: 1777, kind: 'restart' },
  { atMs: 1901, kind: 'pause' },
  { atMs: 1950, kind: 'setTickRate', value: 30 },
  { atMs: 2003, kind: 'resume' },
  { atMs: 2100, kind: 'setTimeScale', value: 2 },
];

const none = { stepCostMs: () => 0, wakeDelayMs: () => 0 };

const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ['as a quiet machine runs it', { worker: { tickRateHz: 60, ...none }, actions: [], endMs: 3000 }],
  [
    'late, with steps of several ms',
    { worker: { tickRateHz: 60, ...randomDurations(1, 9, 7) }, actions: [], endMs: 4000 },
  ],
  [
    'paused, stepped, resumed, restarted, at other rates',
    { worker: { tickRateHz: 60, ...randomDurations(2, 6, 3) }, actions: ACTIONS, endMs: 3000 },
  ],
  [
    'overloaded: it drops ticks',
    {
      worker: { tickRateHz: 60, ...randomDurations(3, 60, 5) },
      // Far apart: the loop runs the ticks that a pause owes before the next action, the virtual worker after it.
      actions: [
        { atMs: 2003, kind: 'pause' },
        { atMs: 3504, kind: 'resume' },
      ],
      endMs: 5000,
    },
  ],
  [
    'after a gap',
    {
      worker: { tickRateHz: 60, ...none, wakeDelayMs: (tick) => (tick === 20 ? 700 : 0.2) },
      actions: [],
      endMs: 4000,
    },
  ],
  [
    'with ticks that wait for frames',
    {
      worker: { tickRateHz: 60, ...randomDurations(4, 3, 1) },
      actions: ACTIONS,
      endMs: 3000,
      frames: { atMs: 1003, periodMs: 7 },
    },
  ],
];

/** Whether all fields are equal, numbers up to 0.05: the loop reads its clock more often. */
const isSame = (a: Published, b: Published): boolean =>
  (Object.keys(a) as (keyof Published)[]).every(
    (name) => Object.is(a[name], b[name]) || Math.abs(Number(a[name]) - Number(b[name])) < 0.05,
  );

test.each(SCENARIOS)('the virtual worker publishes what the loop does: %s', async (_, scenario) => {
  // A step that the end interrupts is not compared.
  const isWithin = ({ atMs }: Published): boolean => atMs < scenario.endMs - 1;
  const byLoop = (await publishedByLoop(scenario)).filter(isWithin);
  vi.restoreAllMocks();
  const byVirtualWorker = publishedByVirtualWorker(scenario).filter(isWithin);
  expect(byLoop.length).toBeGreaterThan(30);
  expect(byVirtualWorker.length).toBe(byLoop.length);
  expect(
    byVirtualWorker.filter((state, index) => !isSame(state, byLoop[index] as Published)),
  ).toEqual([]);
});
