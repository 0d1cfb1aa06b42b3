/** A page and its room in one thread, in virtual time: a message takes 20 ms one way, unless a test says otherwise. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { SeatedToy, TOY_COMMANDS } from '../../../fixtures/rooms/seated-toy.js';
import {
  RoomConnectionError,
  connectRoom,
  type ConnectRoomOptions,
  type RoomHandle,
} from '../../../../src/rooms/page/index.js';
import {
  decodeRoomMessage,
  encodePacket,
  encodeWelcome,
  type RoomMessage,
} from '../../../../src/rooms/shared/room-messages.js';
import { bodyId, slotOf, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { TickInput } from '../../../../src/shared/input/tick-inputs.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { runLocally } from '../../../../src/sim-worker/local.js';
import { predictRoom } from '../../../../src/rooms/run/index.js';
import { inputValues } from '../../../fixtures/input-values.js';
import { openVirtualRoom, type VirtualRoomClient } from '../../../fixtures/rooms/virtual-room.js';
import { present } from '../../../fixtures/present.js';

const FRAME_MS = 16;
const DELAY_MS = 20;

/** A toy whose second value jumps now and then, and all are cut there. */
class JumpingToy extends SeatedToy {
  #values: SimulationContext | undefined;

  override init(context: SimulationContext): void {
    super.init(context);
    this.#values = context;
  }

  override step(dt: number, tick: number, inputs: readonly TickInput[]): void {
    super.step(dt, tick, inputs);
    const { values, cutValues } = present(this.#values);
    values[1] = 100 * (Math.floor(tick / 5) % 2);
    if (tick % 5 === 0) cutValues();
  }
}

const predicting = (createToy = () => new SeatedToy()): ConnectRoomOptions => ({
  mode: 'predict',
  createWorker: () => runLocally(predictRoom(createToy())),
});
const MODES: readonly ConnectRoomOptions[] = [{ mode: 'stream' }, predicting()];

type Handle = Awaited<ReturnType<typeof connectRoom<SeatedToy>>>;

/** A room for the running test, and pages that show it. */
async function openRoom(
  toy = new SeatedToy(),
  { delayMs = DELAY_MS, capacity = 64, values = 1 } = {},
) {
  const precision = { positionStep: 1 / 256 };
  const roomOptions = { capacity, values, precision };
  const opened = await openVirtualRoom({ delayMs, jitterMs: 0 }, toy, roomOptions);
  const { time, join, pass, until } = opened;
  const handles: Handle[] = [];
  const connect = async (options: ConnectRoomOptions) => {
    const client = join();
    const handle = await until(connectRoom<SeatedToy>(client, options));
    onTestFinished(() => until(handle.dispose()));
    handles.push(handle);
    return { client, handle };
  };
  /** Lets time pass, in which pages draw frames. */
  const draw = async (durationMs: number, onFrame: () => void = () => undefined): Promise<void> => {
    for (let ms = 0; ms < durationMs; ms += FRAME_MS) {
      await pass(FRAME_MS);
      for (const handle of handles) handle.sample(time.nowMs);
      onFrame();
    }
  };
  return { ...opened, connect, draw };
}

/** The lengths of the messages that a client sends from now on. */
function lengthsOfSent(client: VirtualRoomClient): readonly number[] {
  const lengths: number[] = [];
  const { sendBytes } = client;
  client.sendBytes = (type, bytes) => {
    lengths.push(bytes.length);
    sendBytes(type, bytes);
  };
  return lengths;
}

const idOf = (handle: RoomHandle | Handle, seat: number): BodyId =>
  present([...handle.bodies.keys()][seat]);

/** Where a page draws the ball of a seat. */
const drawn = (handle: Handle, seat: number) =>
  present(handle.pose(idOf(handle, seat), new Float32Array(7)));
const xOf = (handle: Handle, seat: number): number => drawn(handle, seat)[0] ?? Number.NaN;

test.each(MODES)('a page in the mode $mode shows its room and acts in it', async (options) => {
  const toy = new SeatedToy();
  const step = vi.spyOn(toy, 'step');
  const { time, room, join, connect, draw, until } = await openRoom(toy);
  const { handle } = await connect(options);
  expect(handle.room).toMatchObject({ seat: 0, mode: options.mode, error: undefined });
  expect(handle).toMatchObject({ tickRateHz: 60, timeScale: 1 });
  expect(handle.stats()).toMatchObject({ tickRateHz: 60, timeScale: 1 });
  expect(Object.keys(handle.commands)).toEqual(expect.arrayContaining(['push', 'shift', 'jump']));
  expect(handle.commands).not.toHaveProperty('join');
  const shown = new Set<BodyId>();
  handle.on('spawn', ({ id }) => shown.add(id));
  handle.on('despawn', ({ id }) => shown.delete(id));
  const seats: unknown[] = [];
  handle.on('out', ({ value }) => seats.push(value), { when: 'now' });
  join();
  // A prediction gets ahead of the room slowly, so that no one sees it.
  await draw(2000);
  expect(shown).toEqual(new Set(handle.bodies.keys()));
  expect([...handle.bodies.values()]).toEqual([
    { seat: 0, name: 'player 0' },
    { seat: 1, name: 'player 1' },
  ]);
  await until(handle.commands.jump(15));
  await draw(300);
  const [x, y] = drawn(handle, 0);
  expect(x).toBeCloseTo(15, 0);
  expect(handle.sample(time.nowMs).newestValues?.[0]).toBeGreaterThan(room.tick - 20);
  // The body's height says how many ticks there were.
  await draw(1000);
  expect((drawn(handle, 0)[1] ?? 0) - (y ?? 0)).toBeCloseTo(1, 1);
  expect(handle.room.roundTripMs).toBeCloseTo(2 * DELAY_MS, 0);
  expect(handle.room.stateRequests).toBe(1);
  expect(handle.timeScale).toBe(1);
  // Also a press that is over at once.
  const kinds = ['custom', 'keydown', 'keyup'] as const;
  for (const kind of kinds) handle.inputs.push(inputValues(kind, { x: 500 }), time.nowMs);
  await draw(300);
  expect(seats).toContainEqual({ seat: 0 });
  expect(step.mock.calls.flatMap(([, , inputs]) => inputs.map(({ kind }) => kind))).toEqual(kinds);
  expect(room.countersOf(0)).toEqual({ actions: 4, late: 0, early: 0, flooded: 0, malformed: 0 });
  room.leave(1);
  await draw(500);
  expect(shown).toEqual(new Set([idOf(handle, 0)]));
});

test.each<ConnectRoomOptions>([{ mode: 'stream' }, predicting(() => new JumpingToy())])(
  'a page in the mode $mode draws the values of its room between two states, except where they are cut',
  async (options) => {
    const { time, connect, draw } = await openRoom(new JumpingToy(), { values: 2 });
    const { handle } = await connect(options);
    const { handle: other } = await connect(options);
    await draw(1000);
    const shown = new Float32Array(2);
    const jumping = new Set<number | undefined>();
    let between = 0;
    await draw(2000, () => {
      // The other page is ahead of what this one knows: it goes back.
      other.commands.shift(0.1).catch(() => undefined);
      handle.sample(time.nowMs).writeValues(shown);
      jumping.add(shown[1]);
      if (!Number.isInteger(shown[0])) between += 1;
    });
    expect(jumping).toEqual(new Set([0, 100]));
    expect(between).toBeGreaterThan(50);
  },
);

test('a page cannot decide what its room decides', async () => {
  const { connect } = await openRoom();
  const { handle } = await connect({ mode: 'stream' });
  for (const name of ['pause', 'setTickRate', 'restore', 'seek', 'replaceWorker'] as const) {
    const call = handle[name] as () => Promise<unknown>;
    await expect(call()).rejects.toThrow(`${name}() is for the room to decide`);
  }
  expect(() => handle.recording()).toThrow('recording() is for the room to decide');
});

test.each(MODES)('a page in the mode $mode knows confirmed poses if it asks', async (options) => {
  const { connect, draw, until } = await openRoom();
  const { handle } = await connect({ ...options, confirmedPoses: true });
  const { handle: other } = await connect(options);
  const confirmed = (id: BodyId) => handle.room.confirmedPose(id, new Float64Array(7))?.[0];
  await draw(1000);
  for (const x of [15, -15]) {
    await until(handle.commands.jump(x));
    await draw(300);
    expect(confirmed(idOf(handle, 0))).toBeCloseTo(x, 0);
  }
  // One that has never been, and one that has had the slot of another.
  expect(confirmed(bodyId(30, 1))).toBeUndefined();
  expect(confirmed(bodyId(slotOf(idOf(handle, 0)), 999))).toBeUndefined();
  const unasked = () => other.room.confirmedPose(idOf(handle, 0), new Float64Array(7));
  expect(unasked).toThrow(/confirmedPoses: true/);
});

test.each(MODES)('a page in the mode $mode is silent while it is offline', async (options) => {
  const { room, connect, draw, until } = await openRoom();
  const { client, handle } = await connect(options);
  const sent = lengthsOfSent(client);
  client.connection.isOpen = false;
  await until(handle.commands.jump(-15));
  await draw(1000);
  expect(sent).toEqual([]);
  client.connection.isOpen = true;
  await draw(1000);
  expect(sent.length).toBeGreaterThan(2);
  expect(room.countersOf(0)?.actions).toBe(0);
});

test('a page whose room was left says so, stays as it is, and counts no starved ticks', async () => {
  const { connect, draw } = await openRoom();
  const { client, handle } = await connect({ mode: 'stream' });
  await draw(500);
  client.leave(4000);
  const { starved, shown } = present(handle.room.stream);
  expect(shown).toBeGreaterThan(5);
  await draw(1000);
  expect(handle.room.error?.message).toBe('the room was left, with code 4000');
  expect(handle.state).toBe('running');
  expect(handle.room.stream?.starved).toBe(starved);
  await expect(handle.commands.push(1)).rejects.toBe(handle.room.error);
});

test('a page that draws a room has no packets to show while its messages are held up, and then shows several at once', async () => {
  const { connect, draw } = await openRoom();
  const { client, handle } = await connect({ mode: 'stream' });
  await draw(1000);
  const before = { ...present(handle.room.stream) };
  const held: Uint8Array[] = [];
  const { handler } = client;
  client.handler = (bytes) => held.push(bytes);
  await draw(500);
  client.handler = handler;
  for (const bytes of held) handler?.(bytes);
  await draw(100);
  // There are 30 packets a second, of which it has few in advance.
  const { starved, merged } = present(handle.room.stream);
  expect(starved - before.starved).toBeGreaterThan(8);
  expect(merged - before.merged).toBe(starved - before.starved);
});

test('two pages that predict their room have its hashes, show what their own player does at once, and hide corrections', async () => {
  const { room, connect, draw, until } = await openRoom(undefined, { delayMs: 150 });
  const { handle: first } = await connect(predicting());
  const { handle: second } = await connect(predicting());
  const pages = [first, second] as const;
  // The pages get ahead of the room, by more than actions take.
  await draw(2000);
  for (let count = 0; count < 6; count++) {
    const seat = count % 2;
    const page = present(pages[seat]);
    const other = present(pages[1 - seat]);
    const from = xOf(page, seat);
    await until(page.commands.shift(2));
    await draw(100);
    expect(xOf(page, seat) - from).toBeGreaterThan(1.6);
    let before = xOf(other, seat);
    await draw(500, () => {
      const now = xOf(other, seat);
      // The body was shifted at once. The picture moves there, at 15 % per tick at most.
      expect(Math.abs(now - before)).toBeLessThan(0.5);
      before = now;
    });
  }
  await draw(1000);
  for (const [seat, page] of pages.entries()) {
    expect(xOf(pages[0], seat)).toBeCloseTo(xOf(pages[1], seat), 1);
    const state = present(page.room.prediction);
    expect(state.rollbacks).toBeGreaterThanOrEqual(3);
    expect(state.desyncs).toBe(0);
    expect(state.hashes).toBeGreaterThan(3);
    expect(state.tick).toBeGreaterThan(room.tick);
    expect(state.confirmedTick).toBeLessThanOrEqual(room.tick);
    expect(room.countersOf(seat)).toMatchObject({ actions: 3, late: 0 });
  }
});

test('a page that predicts reports each event once, also those of ticks that it runs again', async () => {
  const { connect, draw, until } = await openRoom();
  const { handle: predicted } = await connect(predicting());
  const { handle: streamed } = await connect({ mode: 'stream' });
  const reported = [predicted, streamed].map((page) => {
    const values: unknown[] = [];
    page.on('out', ({ value }) => values.push(value), { when: 'now' });
    return values;
  });
  await draw(2000);
  await until(predicted.commands.push(300));
  // Each makes the prediction go back by some ticks.
  for (let count = 0; count < 20; count++) {
    await until(streamed.commands.shift(0.1));
    await draw(100);
  }
  await draw(500);
  expect(predicted.room.prediction?.rollbacks).toBeGreaterThan(15);
  expect(reported[1]?.length).toBeGreaterThan(2);
  expect(reported[0]).toEqual(reported[1]);
});

/** Bodies that one event has no room for. */
const CROWD = 5000;

class CrowdedToy extends SeatedToy {
  override init(context: SimulationContext): void {
    super.init(context);
    for (let index = 0; index < CROWD; index++) {
      context.bodies.spawn({ x: index, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    }
  }
}

test('a page that predicts knows where more bodies are confirmed to be than one event has room for', async () => {
  const { connect, draw } = await openRoom(new CrowdedToy(), { capacity: 5100 });
  const options = { ...predicting(() => new CrowdedToy()), confirmedPoses: true };
  const { handle } = await connect(options);
  await draw(400);
  const ids = [...handle.bodies.keys()];
  expect(ids).toHaveLength(CROWD + 1);
  const xs = ids.map((id) => handle.room.confirmedPose(id, new Float64Array(7))?.[0]);
  expect(xs.slice(0, CROWD)).toEqual(Array.from({ length: CROWD }, (_, index) => index));
});

/** In place of a number. */
const data = (length: number) => new Uint8Array(length) as never;

test.each(MODES)('a page in the mode $mode sends nothing its room refuses', async (options) => {
  const { room, connect, draw, until } = await openRoom();
  const { client, handle } = await connect(options);
  await draw(500);
  const lengths = lengthsOfSent(client);
  let taken = 0;
  /** In the same tick. @returns What the first refusal says. */
  const push = async (count: number, value: never): Promise<string> => {
    const calls = Array.from({ length: count }, () => handle.commands.push(value));
    const results = await until(Promise.allSettled(calls));
    await draw(1500);
    const refusals = results.filter((result) => result.status === 'rejected');
    taken += count - refusals.length;
    expect(refusals.map(({ reason }) => reason as unknown)).toEqual([expect.any(RangeError)]);
    return (present(refusals[0]).reason as Error).message;
  };
  expect(await push(1, data(4080))).toMatch(
    /^the command "push" was refused: it takes 4\d+ bytes, and a message to this room has at most 4080\. Send less/,
  );
  expect(await push(65, 0 as never)).toMatch('at most 64 inputs and commands of a client');
  expect(await push(9, 'n'.repeat(3900) as never)).toMatch('at most 65536 bytes per second');
  expect(room.countersOf(0)).toMatchObject({
    actions: taken,
    flooded: 0,
    malformed: 0,
    early: 0,
  });
  expect(taken).toBe(64 + 8);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(4080);
});

test('a page that draws a room refuses inputs that are too many for a tick, and sends the others', async () => {
  const { time, room, connect, draw } = await openRoom();
  const { handle } = await connect({ mode: 'stream' });
  await draw(500);
  const pushed = Array.from({ length: 70 }, () =>
    handle.inputs.push(inputValues('custom'), time.nowMs),
  );
  expect(pushed.filter(Boolean)).toHaveLength(64);
  expect(handle.inputs.refused).toBe(6);
  await draw(300);
  expect(room.countersOf(0)).toMatchObject({ actions: 64, flooded: 0, malformed: 0 });
});

/** Returns what comes in place of a message. */
type Change = (message: RoomMessage, bytes: Uint8Array) => Uint8Array;
const flipped: Change = (_, bytes) => bytes.with(3, (bytes[3] ?? 0) ^ 4);
const endless: Change = (message, bytes) =>
  message.kind === 'packet'
    ? encodePacket({ ...message, bodies: Uint8Array.of(1, 1) }, [], 0)
    : bytes;
const stateless: Change = (message, bytes) =>
  message.kind === 'welcome' ? encodeWelcome({ ...message, state: data(20) }) : bytes;
const LATEST: ConnectRoomOptions = { mode: 'stream', confirmedPoses: true };

test.each<[what: string, options: ConnectRoomOptions, change: Change, error: string]>([
  ['a flipped bit', { mode: 'stream' }, flipped, 'cannot be read: it was damaged on its way'],
  ['a flipped bit to a prediction', predicting(), flipped, 'cannot be read: it was damaged'],
  ['bodies that do not end', { mode: 'stream' }, endless, 'cannot be read: it ends in the middle'],
  ['such bodies if the newest are asked for', LATEST, endless, 'cannot be read: it ends in the'],
  ['an invalid state', predicting(), stateless, 'the worker cannot take a message of the room: '],
])(
  'a page whose room sends %s says so once, and its picture stays as it was',
  async (_, options, change, error) => {
    const { room, connect, draw } = await openRoom();
    const { client, handle } = await connect(options);
    await draw(1000);
    const { handler } = client;
    client.handler = (bytes) => handler?.(change(decodeRoomMessage(bytes, TOY_COMMANDS, 0), bytes));
    client.handler(room.welcome(0, present(options.mode)));
    await draw(1500);
    expect(handle.room.error).toBeInstanceOf(RoomConnectionError);
    expect(handle.room.error?.message).toContain(error);
    expect(handle.state).toBe('running');
    const before = drawn(handle, 0);
    await draw(500);
    expect(drawn(handle, 0)).toEqual(before);
  },
);

test('a page that predicts takes packets in their order, also if its clock is set forward and back', async () => {
  const { time, connect, draw, until } = await openRoom();
  const { client, handle: page } = await connect(predicting());
  const { handle: other } = await connect({ mode: 'stream' });
  await draw(2000);
  const { handler } = client;
  let messages = 0;
  // Every second message comes while the clock is a second ahead.
  client.handler = (bytes) => {
    messages += 1;
    const aheadMs = messages % 2 === 0 ? 1000 : 0;
    time.nowMs += aheadMs;
    handler?.(bytes);
    time.nowMs -= aheadMs;
  };
  for (let count = 0; count < 20; count++) {
    await until(other.commands.push(count % 2 === 0 ? 2 : -2));
    await draw(100);
  }
  client.handler = handler;
  await draw(2500);
  expect(page.room).toMatchObject({ error: undefined, stateRequests: 1 });
  expect(page.room.prediction).toMatchObject({ desyncs: 0 });
  expect(page.room.prediction?.hashes).toBeGreaterThan(4);
});

test.each<[what: string, options: unknown, message: RegExp]>([
  ['a prediction without a worker', { mode: 'predict' }, /needs createWorker/],
  ['a worker that has nothing to do', { createWorker: () => expect.unreachable() }, /no effect/],
  ['an unknown mode', { mode: 'guess' }, /mode/],
  ['an unknown option', { mod: 'x' }, /"mode"/],
  ['a wrong value of confirmedPoses', { confirmedPoses: 1 }, /must be true or false/],
  [
    'a simulation that cannot be saved',
    {
      mode: 'predict',
      createWorker: () => runLocally(predictRoom({ init: () => {}, step: () => {} })),
    },
    /give it save\(\) and restore\(\), or use mode: 'stream'/,
  ],
  ['a connecting that was stopped', { signal: AbortSignal.abort(new Error('stopped')) }, /stopped/],
])('connectRoom refuses %s', async (_, options, message) => {
  const { join, until } = await openRoom();
  const connecting = connectRoom(join(), options as ConnectRoomOptions);
  await expect(until(connecting)).rejects.toThrow(message);
});

test('connectRoom ends when the room is left or the connecting is stopped before the state has come', async () => {
  const { join, until } = await openRoom();
  const client = join();
  const connecting = connectRoom(client);
  client.leave(1006);
  await expect(until(connecting)).rejects.toThrow('the room was left, with code 1006');
  const stopping = new AbortController();
  const stopped = connectRoom(join(), { signal: stopping.signal });
  stopping.abort(new Error('stopped later'));
  await expect(until(stopped)).rejects.toThrow('stopped later');
});
