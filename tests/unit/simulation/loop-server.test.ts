/** The worker's loop with its control server and without a page, on a clock that the test and the step advance. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import type { WorkerMessage } from '../../../src/shared/protocol/control-protocol.js';
import { Histogram } from '../../../src/shared/statistics/histogram.js';
import {
  CONTROL,
  HISTOGRAM_SHAPE,
  SLOT_HEADER,
  STATE_HEADER,
  STATISTICS,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  type HistogramName,
} from '../../../src/shared/memory/layout.js';
import { SnapshotReader, StatusReader } from '../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import { firstPace, paceOf } from '../../fixtures/page-pace.js';
import { callsOfPage } from '../../fixtures/page-port.js';
import { scriptedHost, takeTurn, turnsUntil } from '../../fixtures/scripted-host.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

const PERIOD_MS = 20;
const LATE_MS = 6;
const STEP_MS = 3;
const PUBLISH_MS = 2;
const AWAY_MS = 1500;
/** Most ticks that a pass catches up. */
const CATCH_UP = DEFAULT_WORKER_OPTIONS.maxCatchUpTicks;

/** A simulation at 50 Hz in this thread. */
async function start(
  step: (tick: number, time: VirtualTime) => void = () => {},
  take?: (time: VirtualTime, deliver: () => void) => Promise<void>,
) {
  const time = new VirtualTime();
  const views = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const posted: WorkerMessage[] = [];
  const { calls, deliver } = callsOfPage();
  const host = scriptedHost(() => time.nowMs, {
    attachedMemory: () => views.buffer,
    ...(take !== undefined && { take: () => take(time, deliver) }),
  });
  const server = createControlServer({
    host,
    simulation: { init: () => {}, step: (_dt, tick) => step(tick, time) },
    calls,
    post: (message) => posted.push(message),
  });
  const options = { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 1000 / PERIOD_MS };
  await server.initialize({ transport: 'local' }, options);
  const pace = paceOf(server, firstPace(options));
  pace.start();
  onTestFinished(() => server.stop());
  const status = new StatusReader(views);
  return {
    time,
    server,
    pace,
    posted,
    control: views.control,
    phase: () => Atomics.load(views.control, CONTROL.phase),
    tick: () => status.read()[SLOT_HEADER.newestTick],
    status: (name: keyof typeof SLOT_HEADER) => status.read()[SLOT_HEADER[name]],
    count: (name: keyof typeof STATISTICS) => views.statistics[STATISTICS[name]] ?? 0,
    /** A message has arrived. */
    interrupt: deliver,
    times: (name: HistogramName) => new Histogram(HISTOGRAM_SHAPE, views.histograms[name]),
    newestState: () => {
      const reader = new SnapshotReader(views);
      reader.fetch();
      return reader.slot;
    },
  };
}

const startSlow = () => start((_tick, time) => time.spend(STEP_MS));
const noticesIn = (posted: readonly WorkerMessage[]): string[] =>
  posted.flatMap((message) => (message.type === 'betwixt:notice' ? [message.notice.kind] : []));

test.each([
  ['answers a call is load, whose ticks are dropped', 1],
  ['has no call is a gap, in which no ticks were due', 0],
])('a turn of 1.5 s that %s', async (_, messages) => {
  let turns = 0;
  const { count, posted } = await start(undefined, async (time, deliver) => {
    turns += 1;
    time.spend(turns === 3 ? AWAY_MS : PERIOD_MS);
    if (turns === 3) for (let message = 0; message < messages; message++) deliver();
    await takeTurn();
  });
  await turnsUntil(() => turns >= 6);
  const isLoad = messages > 0;
  expect(count('gaps')).toBe(isLoad ? 0 : 1);
  expect(noticesIn(posted).includes('gap')).toBe(!isLoad);
  expect(count('droppedTicks') > AWAY_MS / PERIOD_MS - 10).toBe(isLoad);
  expect(count('droppedTicks') > 0).toBe(isLoad);
});

test('lateness is from the due time to the wake-up; the step is measured separately', async () => {
  const { time, times, newestState } = await startSlow();
  expect(times('lateness').total).toBe(0);
  await time.wakeLate(PERIOD_MS + LATE_MS);
  expect(times('lateness').total).toBe(1);
  expect(times('lateness').quantile(1)).toBeCloseTo(LATE_MS, 1);
  expect(times('step').total).toBe(1);
  expect(times('step').quantile(1)).toBeCloseTo(STEP_MS, 1);
  // Nothing advances the clock in a publication.
  expect([times('publish').total, times('publish').quantile(1)]).toEqual([1, 0]);
  // The page's margin adapts to the time when the state was available: after the wake-up and the
  // step.
  const header = newestState().stateHeaders[1];
  expect(header?.[STATE_HEADER.tick]).toBe(1);
  expect(header?.[STATE_HEADER.latenessMs]).toBeCloseTo(LATE_MS + STEP_MS, 9);
});

test('the publication is not part of the step, nor the step of the publication', async () => {
  const { time, times } = await startSlow();
  const { publishState } = SnapshotWriter.prototype;
  vi.spyOn(SnapshotWriter.prototype, 'publishState').mockImplementation(function publish(
    this: SnapshotWriter,
    ...state
  ) {
    time.spend(PUBLISH_MS);
    return publishState.apply(this, state);
  });
  await time.wakeLate(PERIOD_MS);
  expect(times('publish').total).toBe(1);
  expect(times('step').quantile(1)).toBeCloseTo(STEP_MS, 1);
  expect(times('publish').quantile(1)).toBeCloseTo(PUBLISH_MS, 1);
});

test('a wake-up for several ticks is late once, by the first of them', async () => {
  const { time, times } = await startSlow();
  await time.wakeLate(3 * PERIOD_MS + LATE_MS);
  expect([times('step').total, times('lateness').total]).toEqual([3, 1]);
  expect(times('lateness').quantile(1)).toBeCloseTo(2 * PERIOD_MS + LATE_MS, 0);
});

test('a pause lets only the ticks run that were due before it, before it is answered', async () => {
  const { time, pace, tick } = await start();
  time.spend(3.5 * PERIOD_MS);
  pace.pause();
  expect(tick()).toBe(3);
  await time.advance(100 * PERIOD_MS);
  expect(tick()).toBe(3);
});

test('a pause drops and counts the ticks beyond one pass, and the time its steps take is not caught up', async () => {
  // Each step takes as long as three periods.
  const { time, server, pace, tick, count } = await start((_tick, clock) =>
    clock.spend(3 * PERIOD_MS),
  );
  time.spend(100.5 * PERIOD_MS);
  pace.pause();
  expect([tick(), count('droppedTicks')]).toEqual([CATCH_UP, 100 - CATCH_UP]);
  // Nothing of it is due later: a manual step is one tick, however many there are.
  expect(await server.step(20)).toBe(CATCH_UP + 20);
  expect(count('droppedTicks')).toBe(100 - CATCH_UP);
});

test('a call that arrives while the loop is in a timer runs one pass, though steps take longer than their period', async () => {
  const { time, control, tick, interrupt } = await start((owed, clock) => {
    if (owed < 50) clock.spend(3 * PERIOD_MS);
  });
  await turnsUntil(() => control[CONTROL.activity] === WORKER_ACTIVITY.idle);
  expect(tick()).toBe(0);
  time.spend(2.5 * PERIOD_MS);
  interrupt();
  expect(tick()).toBe(2);
});

test('an error in a tick that a pause runs fails the simulation, and not the call', async () => {
  const { time, pace, posted, phase } = await start((tick) => {
    if (tick === 2) throw new Error('bad luck');
  });
  time.spend(3.5 * PERIOD_MS);
  expect(() => pace.pause()).not.toThrow();
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  expect(posted.filter(({ type }) => type !== 'betwixt:bodies')).toMatchObject([
    { type: 'betwixt:failure', tick: 2, message: 'bad luck' },
  ]);
});

test('of several changes of the pace, each setting counts as it was set last', async () => {
  const { pace, phase, status } = await start();
  pace.set({ isPaused: true, tickRateHz: 100 });
  pace.set({ timeScale: 0.5 });
  pace.set({ isPaused: false, resumes: 1, tickRateHz: 20 });
  expect(phase()).toBe(WORKER_PHASE.running);
  expect([status('tickRateHz'), status('timeScale')]).toEqual([20, 0.5]);
});

test('ticks that are owed at a pause do not go beyond the end of a replay', async () => {
  const { time, server, pace, posted, tick } = await start();
  pace.pause();
  const run = {
    seed: 1,
    setup: null,
    capacity: 4,
    engine: '',
    invalidPoses: 'freeze',
    generation: 0,
  } as const;
  await server.seek({ run, from: undefined, entries: [], untilTick: 0, shownUntil: 2 });
  pace.resume();
  time.spend(5.5 * PERIOD_MS);
  pace.pause();
  expect(tick()).toBe(2);
  await expect(server.step(1)).resolves.toBe(2);
  expect(noticesIn(posted).filter((kind) => kind === 'replayed')).toHaveLength(1);
});
