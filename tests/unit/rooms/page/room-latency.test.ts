/** How soon a page draws what a key does, and what it says about that, whatever the page itself was busy with. */
import { expect, onTestFinished, test } from 'vitest';
import { connectRoom, type ConnectRoomOptions } from '../../../../src/rooms/page/index.js';
import { runLocally } from '../../../../src/sim-worker/local.js';
import { predictRoom } from '../../../../src/rooms/run/index.js';
import { inputValues } from '../../../fixtures/input-values.js';
import { present } from '../../../fixtures/present.js';
import { CountingSimulation, openVirtualRoom } from '../../../fixtures/rooms/virtual-room.js';

const TICK_MS = 1000 / 60;
/** A frame of a display at 59.9 Hz: its frames have no fixed place between the ticks. */
const FRAME_MS = 1000 / 59.9;
const LOOPBACK = { delayMs: 0.75, jitterMs: 0 };
const FAR = { delayMs: 60, jitterMs: 80 };

const predicting = (): ConnectRoomOptions => ({
  mode: 'predict',
  createWorker: () => runLocally(predictRoom(new CountingSimulation())),
});

type FarRoom = Awaited<ReturnType<typeof openVirtualRoom>>;

/** A page that draws frames, and measures what they show against the room itself. */
async function watch(far: FarRoom, options: ConnectRoomOptions = {}) {
  const handle = await far.until(connectRoom<CountingSimulation>(far.join(), options));
  onTestFinished(() => far.until(handle.dispose()));
  const joinedMs = far.time.nowMs;
  const out = new Float64Array(7);
  let frameMs = far.time.nowMs;
  let pressed = 0;
  let pressedMs = Number.NaN;
  let latencies: number[] = [];
  const offBy: number[] = [];
  const lookAt = (nowMs: number): void => {
    handle.sample(nowMs);
    const [id] = handle.bodies.keys();
    const [count = 0, tick = 0] = (id !== undefined && handle.pose(id, out)) || [];
    offBy.push(handle.room.behindMs - (tick === 0 ? 0 : far.roomMs() - tick * TICK_MS));
    // Positions are sent in steps of a mm.
    if (Number.isNaN(pressedMs) || count < pressed - 0.99) return;
    latencies.push(nowMs - pressedMs);
    pressedMs = Number.NaN;
  };
  /** Draws for a while, and presses a key from time to time. @returns How long each took to be drawn, in ms. */
  const press = async (durationMs: number, everyMs = 93): Promise<readonly number[]> => {
    latencies = [];
    let nextMs = far.time.nowMs + everyMs;
    await far.pass(durationMs, () => {
      const nowMs = far.time.nowMs;
      if (nowMs >= nextMs && Number.isNaN(pressedMs)) {
        nextMs = nowMs + everyMs;
        pressedMs = nowMs;
        pressed += 1;
        handle.inputs.push(inputValues('keydown'), nowMs);
      }
      if (nowMs < frameMs) return;
      frameMs = Math.max(frameMs + FRAME_MS, nowMs);
      lookAt(nowMs);
    });
    return latencies;
  };
  const draw = (durationMs: number) => press(durationMs, Number.POSITIVE_INFINITY);
  /** The first 2 s after joining, in which the page loads and stalls. */
  const settle = async (): Promise<void> => {
    for (const stallMs of [300, 1500]) {
      await draw(50);
      far.block(stallMs);
    }
    await draw(joinedMs + 2000 - far.time.nowMs);
    expect(offBy.filter((ms) => !Number.isFinite(ms))).toEqual([]);
    offBy.length = 0;
  };
  return { handle, press, draw, settle, offBy };
}

const STREAMS = [
  ['loopback', LOOPBACK, 80],
  ['100 ± 40 ms each way', FAR, 350],
] as const;

/** How a page that plays is busy. */
const BUSY: readonly (readonly [what: string, block: (far: FarRoom) => Promise<void>])[] = [
  ['was busy for 0.2 s', async (far) => far.block(200)],
  ['was busy for 3 s', async (far) => far.block(3000)],
  [
    'was hidden, with timers once a second',
    async (far) => {
      for (let count = 0; count < 6; count++) {
        far.block(1000);
        await far.pass(1);
      }
    },
  ],
];

test.each(STREAMS)(
  'a key is drawn soon over %s, 2 s after joining and after the page was busy, and the statistics say when',
  async (_, delays, limitMs) => {
    const far = await openVirtualRoom(delays);
    const { handle, press, draw, settle, offBy } = await watch(far);
    await settle();
    handle.resetStats();
    const latencies = await press(2500);
    expect(latencies.length).toBeGreaterThan(5);
    expect(Math.max(...latencies)).toBeLessThanOrEqual(limitMs);
    const saidMs = handle.stats().inputToFrameMs.max;
    // Modules load in an unknown number of turns, which shifts the clocks against each other by some ms.
    expect(Math.abs(saidMs - Math.max(...latencies))).toBeLessThan(5);
    // As far as the clock of the room can be known.
    for (const ms of offBy) expect(Math.abs(ms)).toBeLessThanOrEqual(1 + delays.jitterMs / 2);
    const { actions, late, early } = far.room.countersOf(0) ?? { actions: 0, late: 0, early: 0 };
    expect({ isLate: late / actions > 0.2, early }).toEqual({ isLate: false, early: 0 });
    for (const [what, block] of BUSY) {
      await block(far);
      await draw(2000);
      const again = await press(800);
      expect(again.length).toBeGreaterThan(1);
      expect([what, ...again.filter((ms) => ms > limitMs)]).toEqual([what]);
    }
  },
);

test.each([
  [45, 0.1],
  [120, 1],
])('a page that is always busy for %d ms draws keys soon', async (busyMs, starvedShare) => {
  const far = await openVirtualRoom(LOOPBACK);
  const { handle, press } = await watch(far);
  const playSlowly = async (durationMs: number): Promise<void> => {
    for (let ms = 0; ms < durationMs; ms += busyMs + 10) {
      far.block(busyMs);
      await press(10, 7);
    }
  };
  await playSlowly(2000);
  const before = handle.room.stream?.starved ?? 0;
  handle.resetStats();
  await playSlowly(2000);
  expect(handle.stats().inputToFrameMs.max).toBeLessThan(3 * busyMs + 80);
  // Starved ones among 60 packets.
  const starved = (handle.room.stream?.starved ?? Number.NaN) - before;
  expect(starved / 60).toBeLessThanOrEqual(starvedShare);
});

test('a page whose network gets worse waits for its packets soon, and as long as they need', async () => {
  const far = await openVirtualRoom(LOOPBACK);
  const { handle, draw } = await watch(far);
  await draw(1000);
  far.network.jitterMs = 120;
  await draw(3000);
  const { starved = Number.NaN } = handle.room.stream ?? {};
  await draw(4000);
  expect(handle.room.stream?.starved).toBeLessThan(starved + 3);
  expect(handle.room.behindMs).toBeGreaterThan(120);
  expect(handle.room.behindMs).toBeLessThan(200);
});

test.each([
  ['no loss', 0, 125],
  ['5 % loss', 0.05, 335],
])('over 100 ± 40 ms and %s, a page shows packets at an even speed', async (_, loss, mostMs) => {
  const far = await openVirtualRoom({ delayMs: 30, jitterMs: 40 });
  far.network.loss = loss;
  const { handle, draw } = await watch(far);
  await draw(15_000);
  const before = { ...present(handle.room.stream) };
  for (let second = 0; second < 25; second++) {
    const { behindMs } = handle.room;
    await draw(1000);
    expect(Math.abs(handle.room.behindMs - behindMs)).toBeLessThan(20);
  }
  const { shown, starved, merged } = present(handle.room.stream);
  const ticks = shown - before.shown + starved - before.starved;
  expect((starved - before.starved) / ticks).toBeLessThan(0.005);
  expect((merged - before.merged) / ticks).toBeLessThan(0.005);
  expect(handle.room.behindMs).toBeLessThan(mostMs);
});

test.each([
  ['loopback', LOOPBACK, 0],
  ['100 ± 40 ms each way', FAR, 165],
] as const)('a prediction over %s is as far ahead as actions need', async (_, delays, aheadMs) => {
  const far = await openVirtualRoom(delays);
  const { handle, press, draw, settle, offBy } = await watch(far, predicting());
  await settle();
  for (const [what, block] of BUSY) {
    offBy.length = 0;
    const late = (await press(500)).filter((ms) => ms > 40);
    const wrong = offBy.filter((ms) => Math.abs(ms) > 1 + delays.jitterMs / 2);
    const tooFar = handle.room.behindMs < -aheadMs;
    expect({ what, late, wrong, tooFar }).toEqual({ what, late: [], wrong: [], tooFar: false });
    await block(far);
    await draw(2000);
  }
  const { actions, late } = far.room.countersOf(0) ?? { actions: 0, late: Number.NaN };
  expect(late / actions).toBeLessThan(0.2);
});

test('a prediction that is far too far ahead waits until it is not', async () => {
  const far = await openVirtualRoom({ delayMs: 400, jitterMs: 0 });
  const { handle, draw } = await watch(far, predicting());
  await draw(3000);
  expect(handle.room.behindMs).toBeLessThan(-350);
  far.network.delayMs = 1;
  // Until the last of the slow pings no longer counts.
  await draw(7000);
  expect(handle.room.behindMs).toBeGreaterThan(-20);
});
