/** A page and its room in one process: the real clock, and messages that take a turn of the event loop. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRoom, type ConnectRoomOptions } from '../../src/colyseus/client/index.js';
import { predictRoom } from '../../src/sim-worker/room/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import type { BodyId } from '../../src/shared/index.js';
import { eventually } from '../fixtures/eventually.js';
import { openLocalRoom, type LocalClient } from '../fixtures/local-room.js';
import { SeatedToy } from '../../bench/rooms/seated-toy.js';

/** Saves more than the queue of inputs has room for. */
class HeavyToy extends SeatedToy {
  override save(): Uint8Array {
    const own = super.save();
    const all = new Uint8Array(700_000 + own.length);
    // Some pattern: what is lost or exchanged on the way shows.
    for (let at = 0; at < 700_000; at++) all[at] = at % 251;
    all.set(own, 700_000);
    return all;
  }

  override restore(bytes: Uint8Array): void {
    const at = bytes.subarray(0, 700_000).findIndex((byte, index) => byte !== index % 251);
    if (at >= 0) throw new RangeError(`byte ${at} is another one`);
    super.restore(bytes.subarray(700_000));
  }
}

/** One for the running test. */
async function openRoom(toy?: SeatedToy) {
  const opened = await openLocalRoom(setImmediate, toy);
  onTestFinished(opened.close);
  return opened;
}

async function connectTo(client: LocalClient, options: ConnectRoomOptions = {}) {
  const handle = await connectRoom<SeatedToy>(client, options);
  onTestFinished(() => handle.dispose());
  return handle;
}

const MODES: readonly ConnectRoomOptions[] = [
  { mode: 'stream' },
  { mode: 'predict', createWorker: () => runLocally(predictRoom(new SeatedToy())) },
];

describe.each(MODES)('a page that shows a room in the mode $mode', (options) => {
  test('draws its bodies, and its commands reach the room', async () => {
    const { room, join } = await openRoom();
    const handle = await connectTo(join(), options);
    expect(handle.room).toMatchObject({ seat: 0, mode: options.mode, error: undefined });
    expect(handle).toMatchObject({ tickRateHz: 60, timeScale: 1 });
    expect(handle.stats()).toMatchObject({ tickRateHz: 60, timeScale: 1 });
    expect(Object.keys(handle.commands)).toEqual(expect.arrayContaining(['push', 'shift', 'jump']));
    join();
    const out = new Float32Array(7);
    const poseOf = (id: BodyId): Float32Array | undefined => {
      handle.sample(performance.now());
      return handle.pose(id, out);
    };
    const [id] = await eventually(() => {
      handle.sample(performance.now());
      expect([...handle.bodies.values()]).toEqual([
        { seat: 0, name: 'player 0' },
        { seat: 1, name: 'player 1' },
      ]);
      return [...handle.bodies.keys()];
    });
    await handle.commands.jump(15);
    // It drifts, so a page that is late may not see it there.
    await eventually(() => expect(poseOf(id as BodyId)?.[0]).toBeGreaterThan(10));
    // And all following ticks.
    const height = poseOf(id as BodyId)?.[1] ?? 0;
    await eventually(() => expect(poseOf(id as BodyId)?.[1]).toBeGreaterThan(height + 0.5));
    await eventually(() => expect(handle.room.roundTripMs).toBeGreaterThan(0));
    // A prediction shows it before the room has it.
    await eventually(() => expect(room.countersOf(0)?.actions).toBe(1));
    expect(room.countersOf(0)?.malformed).toBe(0);
    // A thread that was held up asks for the state again, and that may count as a flood.
    const askedAgain = handle.room.stateRequests - 1;
    expect(room.countersOf(0)?.flooded).toBeLessThanOrEqual(askedAgain);
  });

  test('receives its events, inputs reach the room, and nothing else can be decided here', async () => {
    const { room, join } = await openRoom();
    const handle = await connectTo(join(), options);
    const seats: unknown[] = [];
    handle.on('out', ({ value }) => seats.push(value), { when: 'now' });
    const input = { kind: 'custom', code: 0, device: 0, x: 500, y: 0, z: 0, w: 0 } as const;
    await eventually(() => {
      handle.sample(performance.now());
      expect(handle.bodies.size).toBe(1);
    });
    handle.inputs.push(input, performance.now());
    await eventually(() => {
      handle.sample(performance.now());
      expect(seats).toContainEqual({ seat: 0 });
    });
    await eventually(() => expect(room.countersOf(0)?.actions).toBe(1));
    await expect(handle.pause()).rejects.toThrow('pause() is for the room to decide');
    expect(() => handle.recording()).toThrow('recording() is for the room to decide');
    expect(handle.timeScale).toBe(1);
  });

  test('knows where the room has confirmed bodies to be, if that is asked for', async () => {
    const { join } = await openRoom();
    const handle = await connectTo(join(), { ...options, confirmedPoses: true });
    const other = await connectTo(join(), options);
    const confirmed = (id: BodyId): number | undefined =>
      handle.room.confirmedPose(id, new Float64Array(7))?.[0];
    await handle.commands.jump(15);
    const id = await eventually(() => {
      handle.sample(performance.now());
      const [first] = handle.bodies.keys();
      // It drifts, so a page that is late may not see it there.
      expect(confirmed(first as BodyId)).toBeGreaterThan(10);
      return first as BodyId;
    });
    expect(confirmed((id + 1000) as BodyId)).toBeUndefined();
    await handle.commands.jump(-15);
    await eventually(() => expect(confirmed(id)).toBeLessThan(-10));
    expect(() => other.room.confirmedPose(id, new Float64Array(7))).toThrow(/confirmedPoses: true/);
  });

  test('sends nothing while the connection is lost', async () => {
    const { room, join } = await openRoom();
    const client = join();
    const handle = await connectTo(client, options);
    await handle.commands.jump(15);
    await eventually(() => expect(room.countersOf(0)?.actions).toBe(1));
    const sent: number[] = [];
    const { sendBytes } = client;
    client.sendBytes = (type, bytes) => {
      sent.push(bytes.length);
      sendBytes(type, bytes);
    };
    client.connection.isOpen = false;
    await handle.commands.jump(-15);
    const { tick } = room;
    await eventually(() => expect(room.tick).toBeGreaterThan(tick + 60));
    expect(sent).toEqual([]);
    client.connection.isOpen = true;
    await eventually(() => expect(sent.length).toBeGreaterThan(2));
    expect(room.countersOf(0)?.actions).toBe(1);
  });

  test('asks again when the room does not answer', async () => {
    const { join } = await openRoom();
    const client = join();
    const { sendBytes } = client;
    // Its first message asks for the state.
    client.sendBytes = () => {
      client.sendBytes = sendBytes;
    };
    const handle = await connectTo(client, options);
    expect(handle.room.stateRequests).toBeGreaterThan(1);
  });

  test('says when the room was left', async () => {
    const { join } = await openRoom();
    const client = join();
    const handle = await connectTo(client, options);
    client.leave(4000);
    expect(handle.room.error?.message).toBe('the room was left, with code 4000');
    expect(handle.state).toBe('running');
  });
});

test('a page that draws a room counts no starved ticks after its end', async () => {
  const { join } = await openRoom();
  const client = join();
  const handle = await connectTo(client);
  await eventually(() => expect(handle.room.stream?.shown).toBeGreaterThan(5));
  client.leave(4000);
  const starved = handle.room.stream?.starved;
  const { tick } = handle.stats();
  await eventually(() => expect(handle.stats().tick).toBeGreaterThan(tick + 60));
  expect(handle.room.stream?.starved).toBe(starved);
});

test('a page that predicts its room has its hashes', async () => {
  const { join } = await openRoom();
  const [first, second] = [join(), join()];
  const handle = await connectTo(first, MODES[1]);
  const other = await connectTo(second, MODES[1]);
  // What arrives before a page is ahead of the room rolls nothing back there.
  await eventually(async () => {
    await handle.commands.push(3);
    await other.commands.push(-3);
    for (const { room } of [handle, other]) {
      expect(room.prediction?.hashes).toBeGreaterThan(2);
      expect(room.prediction?.rollbacks).toBeGreaterThan(0);
    }
  });
  expect(handle.room.prediction?.desyncs).toBe(0);
  expect(other.room.prediction?.desyncs).toBe(0);
});

test('a page predicts a room whose state is larger than its queue of inputs', async () => {
  const { join, room } = await openRoom(new HeavyToy());
  const handle = await connectTo(join(), {
    mode: 'predict',
    createWorker: () => runLocally(predictRoom(new HeavyToy())),
  });
  await eventually(() => {
    handle.sample(performance.now());
    expect([...handle.bodies.values()]).toEqual([{ seat: 0, name: 'player 0' }]);
    expect(handle.room.prediction?.hashes).toBeGreaterThan(0);
  });
  expect(handle.room.prediction?.desyncs).toBe(0);
  await handle.commands.push(2);
  await eventually(() => expect(room.countersOf(0)?.actions).toBe(1));
});

const unused = (): never => {
  throw new Error('unused');
};

test('a page refuses what cannot be, and a room that is left while it connects', async () => {
  const { join } = await openRoom();
  await expect(connectRoom(join(), { mode: 'predict' })).rejects.toThrow(/needs createWorker/);
  await expect(connectRoom(join(), { createWorker: unused })).rejects.toThrow(/no effect/);
  await expect(connectRoom(join(), { mod: 'x' } as ConnectRoomOptions)).rejects.toThrow(/"mode"/);
  const client = join();
  const connecting = connectRoom(client);
  client.leave(1006);
  await expect(connecting).rejects.toThrow('the room was left, with code 1006');
  const stopped = connectRoom(join(), { signal: AbortSignal.abort(new Error('stopped')) });
  await expect(stopped).rejects.toThrow('stopped');
});
