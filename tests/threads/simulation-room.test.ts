import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { getMessageBytes, matchMaker, Protocol, type Client as RoomsClient } from '@colyseus/core';
import { Client } from '@colyseus/sdk';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { recoverRecordings, SimulationRoom } from '../../src/colyseus/server/index.js';
import { resolveSimulationRoomOptions } from '../../src/colyseus/server/simulation-room-options.js';
import { connectRoom, type ConnectRoomOptions } from '../../src/colyseus/client/index.js';
import { INPUT_KINDS } from '../../src/shared/input/input-event.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import type { Action } from '../../src/shared/network/action-entries.js';
import { BodyStreamReader } from '../../src/shared/network/body-stream-reader.js';
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import { ROOM_MESSAGE, type RoomMode } from '../../src/shared/network/room-messages.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import { replay } from '../../src/sim-worker/index.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { predictRoom } from '../../src/sim-worker/room/index.js';
import { PredictedRun } from '../../src/sim-worker/room/predicted-run.js';
import { hashRun } from '../../src/sim-worker/run/journal.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { eventually } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { RoomClient } from '../fixtures/room-client.js';
import { startRoomServer, type RoomServer } from '../fixtures/room-server.js';
import { SeatedToy } from '../../bench/rooms/seated-toy.js';

const POSITION_STEP = 1 / 512;
const folder = mkdtempSync(join(tmpdir(), 'betwixt-rooms-'));

/** Remembers where its players were. */
class WatchedToy extends SeatedToy {
  readonly byTick = new Map<number, SeatedToy['positions']>();

  override step(...args: Parameters<SeatedToy['step']>): void {
    super.step(...args);
    this.byTick.set(args[1], this.positions);
  }
}

class ToyRoom extends SimulationRoom {
  override simulationOptions: SimulationRoom['simulationOptions'] = {
    capacity: 64,
    precision: { positionStep: POSITION_STEP },
    hashEveryTicks: 10,
    recording: { folder },
    // However long a busy machine takes to connect again.
    reconnectSeconds: 3600,
  };
  toy = new WatchedToy();

  override createSimulation() {
    return this.toy;
  }

  override joinData(_client: RoomsClient, options: unknown) {
    const { name } = options as { name?: unknown };
    return typeof name === 'string' ? name.slice(0, 20) : null;
  }
}

/** Sends 256 kB with every packet. */
class LoudRoom extends ToyRoom {
  override simulationOptions = {
    capacity: 64,
    values: 65_536,
    maxBufferedBytes: 1 << 20,
    maxBehindSeconds: 3600,
  };
}

/** Keeps no seat for long. */
class ImpatientRoom extends ToyRoom {
  override simulationOptions = { capacity: 64, reconnectSeconds: 0.01 };
}

class FailingRoom extends ToyRoom {
  override toy = new (class extends WatchedToy {
    override step(...args: Parameters<SeatedToy['step']>): void {
      super.step(...args);
      if (this.positions.some(({ x }) => x > 15)) throw new Error('that is too far');
    }
  })();
}

class UnsavedRoom extends ToyRoom {
  override createSimulation() {
    const toy = this.toy;
    return {
      commands: toy.commands,
      init: (context: Parameters<SeatedToy['init']>[0]) => toy.init(context),
      step: (...args: Parameters<SeatedToy['step']>) => toy.step(...args),
    } as unknown as WatchedToy;
  }
}

let server: RoomServer;

beforeAll(async () => {
  // The client's library reports each connection that it makes again.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server = await startRoomServer({
    toy: ToyRoom,
    loud: LoudRoom,
    impatient: ImpatientRoom,
    failing: FailingRoom,
    unsaved: UnsavedRoom,
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const roomOf = (client: RoomClient): ToyRoom =>
  matchMaker.getLocalRoomById(client.room.roomId) as unknown as ToyRoom;

const statsOf = (client: RoomClient) =>
  present(
    roomOf(client).stats.clients.find(({ sessionId }) => sessionId === client.room.sessionId),
  );

const push = (tick: number, vx: unknown): Action => ({
  kind: 'command',
  tick,
  name: 'push',
  args: JSON.stringify([vx]),
});

/** Joins a new room. */
const open = (name: string, mode?: RoomMode, options: Readonly<Record<string, unknown>> = {}) =>
  RoomClient.of(new Client(server.url).create(name, options), mode);

const joinRoom = (
  roomId: string,
  mode?: RoomMode,
  options: Readonly<Record<string, unknown>> = {},
) => RoomClient.of(new Client(server.url).joinById(roomId, options), mode);

/** A connection that can do what that of Colyseus does not. */
async function connectByHand(roomId: string) {
  const reserved = await new Client(server.url).http.post(`/matchmake/joinById/${roomId}`, {
    body: {},
  });
  const { sessionId, processId } = reserved.data as { sessionId: string; processId: string };
  const socket = new WebSocket(`${server.url}/${processId}/${roomId}?sessionId=${sessionId}`);
  return { sessionId, socket };
}

/** Ends the room of the last client, and returns its recording. */
async function recordingOf(client: RoomClient) {
  const { roomId } = client.room;
  const { file } = present(roomOf(client).stats.recording);
  await roomOf(client).disconnect();
  expect(matchMaker.getLocalRoomById(roomId)).toBeUndefined();
  return decodeRecording(readFileSync(file));
}

describe('a room of Colyseus with a simulation', () => {
  test('sends poses to clients that draw: those of the room, within half a step', async () => {
    const first = await open('toy', 'stream', { name: 'Ada' });
    const second = await joinRoom(first.room.roomId, 'stream', { name: 'Bob' });
    const { toy } = roomOf(first);
    let compared = 0;
    for (const client of [first, second]) {
      const reader = new BodyStreamReader(client.welcome.precision);
      reader.readBaseline(client.welcome.state);
      const take: RoomClient['onMessage'] = (message) => {
        if (message.kind !== 'packet') return;
        reader.read(present(message.bodies));
        const poses = new Float32Array(reader.bodyLimit * BODY_LANES);
        reader.write({ poses, metas: new Int32Array(poses.buffer) });
        for (const [slot, { x }] of present(toy.byTick.get(message.tick)).entries()) {
          const drawn = present(poses[slot * BODY_LANES + LANE.x]);
          expect(Math.abs(drawn - x)).toBeLessThanOrEqual(POSITION_STEP / 2 + 1e-6);
          compared += 1;
        }
      };
      for (const packet of client.packets) take(packet);
      client.onMessage = take;
    }
    for (let count = 0; count < 10; count++) {
      second.send({ kind: 'actions', actions: [push(second.welcome.tick, 1)] });
      await second.morePackets(3);
    }
    expect(compared).toBeGreaterThan(100);
    expect(toy.positions.map(({ seat }) => seat)).toEqual([0, 1]);
    expect(second.welcome.seat).toBe(1);
    expect(statsOf(second)).toMatchObject({ seat: 1, mode: 'stream', droppedMessages: 0 });
    expect(statsOf(second).received).toMatchObject({ actions: 10, malformed: 0 });
    const recording = await recordingOf(first);
    const report = await replay(new SeatedToy(), recording);
    expect(report.hashes).toBeGreaterThan(2);
    expect(report).toMatchObject({ differsAt: undefined, tick: recording.lastTick });
    expect(recording.isComplete).toBeUndefined();
  });

  test('sends actions and hashes to clients that simulate: theirs are equal', async () => {
    const clients: RoomClient[] = [];
    const runs: PredictedRun[] = [];
    for (let index = 0; index < 2; index++) {
      const client =
        index === 0
          ? await open('toy', 'predict')
          : await joinRoom(present(clients[0]).room.roomId, 'predict');
      clients.push(client);
      const run = new SimulationRun({
        simulation: new SeatedToy(),
        options: {
          ...client.welcome.run,
          dt: 1 / client.welcome.tickRateHz,
          invalidPosePolicy: 'freeze',
        },
        hashRun,
        events: new EventReporter(undefined, 1000),
      });
      await run.initialize();
      const predicted = new PredictedRun(run, client.welcome);
      runs.push(predicted);
      let pushes = 0;
      const take: RoomClient['onMessage'] = (message) => {
        if (message.kind !== 'packet') return;
        expect(predicted.receive(message)).toBe(true);
        expect(predicted.advance(Math.max(predicted.tick, message.tick + 4))).toBe(true);
        if (pushes++ % 3 !== 0) return;
        const actions = [push(predicted.tick + 1 - (pushes % 5), pushes % 7)];
        predicted.addOwn(actions);
        client.send({ kind: 'actions', actions });
      };
      for (const packet of client.packets) take(packet);
      client.onMessage = take;
    }
    for (const [index, client] of clients.entries()) {
      await client.until(() => present(runs[index]).counters.hashes >= 8);
      expect(present(runs[index]).counters.desyncs).toBe(0);
    }
    expect(roomOf(present(clients[0])).stats.clients.map(({ mode }) => mode)).toEqual([
      'predict',
      'predict',
    ]);
    const report = await replay(new SeatedToy(), await recordingOf(present(clients[0])));
    expect(report).toMatchObject({ differsAt: undefined });
  });

  test('continues whatever a client sends, and counts what it refuses', async () => {
    const victim = await open('toy');
    const { roomId } = victim.room;
    const hostile = await joinRoom(roomId);
    const bytes = (...values: number[]): void => {
      hostile.room.sendBytes(ROOM_MESSAGE, Uint8Array.from(values));
    };
    const command = (tick: number, name: string, args: string): void =>
      hostile.send({ kind: 'actions', actions: [{ kind: 'command', tick, name, args }] });
    bytes();
    bytes(0);
    bytes(255, 1, 2, 3);
    bytes(1, 128, 128, 128, 128, 128, 128, 128, 128, 128);
    // Not the client's to call; names an asset, plainly and in disguise; nested very deeply; not the name of a command.
    command(1, 'join', '[0]');
    command(1, 'leave', '[]');
    command(1, 'push', '["asset:0000000000000000"]');
    command(1, 'push', String.raw`["\u0061sset:0000000000000000"]`);
    command(1, 'push', '['.repeat(10_000) + ']'.repeat(10_000));
    const input = { kind: INPUT_KINDS[8], code: 1, device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0 };
    for (const wrong of [{ x: Number.NaN }, { y: Infinity }, { fraction: 5 }]) {
      const action: Action = { kind: 'input', tick: 1, input: { ...input, ...wrong } };
      hostile.send({ kind: 'actions', actions: [action] });
    }
    // From the future, and from the past.
    hostile.send({ kind: 'actions', actions: [push(1e9, 1)] });
    hostile.send({ kind: 'actions', actions: [push(0, 1)] });
    // A throw in a command ends that call of it.
    hostile.send({ kind: 'actions', actions: [push(0, 'x'.repeat(1000))] });
    // The last of them is late.
    await victim.until(() => statsOf(hostile).received.late >= 2);
    expect(statsOf(hostile).received).toEqual({
      actions: 2,
      late: 2,
      early: 1,
      flooded: 0,
      malformed: 12,
    });
    // The whole state, again and again: it gets that now and then.
    hostile.onMessage = () => hostile.send({ kind: 'state', mode: 'stream' });
    await hostile.until(() => hostile.welcomes.length === 3);
    hostile.onMessage = () => undefined;
    expect(statsOf(hostile).received.flooded).toBeGreaterThan(0);
    expect(hostile.packets.length).toBeGreaterThan(hostile.welcomes.length);
    await victim.until(() => roomOf(victim).stats.commandErrors === 1);
    // More than it may send: what is too much is refused.
    const { flooded } = statsOf(hostile).received;
    for (let count = 0; count < 20; count++) {
      hostile.room.sendBytes(ROOM_MESSAGE, new Uint8Array(60_000));
    }
    await victim.until(() => statsOf(hostile).received.flooded > flooded);
    // Frames that are none of Colyseus', and a message that there is not: Colyseus sends it away.
    for (let code = 0; code < 64; code++)
      hostile.room.connection.send(Uint8Array.of(code, 0xdb, 255));
    hostile.room.send('nothing', { a: 1 });
    await hostile.until(() => hostile.leftWith !== undefined);
    // One message longer than the transport takes.
    const second = await joinRoom(roomId);
    second.room.reconnection.enabled = false;
    second.room.sendBytes(ROOM_MESSAGE, new Uint8Array(3 << 20));
    await second.until(() => second.leftWith !== undefined);
    await victim.morePackets(20);
    expect(victim.leftWith).toBeUndefined();
    expect(victim.welcomes).toHaveLength(1);
    expect(statsOf(victim).received).toEqual({
      actions: 0,
      late: 0,
      early: 0,
      flooded: 0,
      malformed: 0,
    });
    const report = await replay(new SeatedToy(), await recordingOf(victim));
    expect(report).toMatchObject({ differsAt: undefined });
  });

  test('refuses recordings, long texts and too many actions of a client, and counts them', async () => {
    const victim = await open('toy');
    const { roomId } = victim.room;
    // No one gets a long name.
    const hostile = await joinRoom(roomId, 'stream', { name: 'x'.repeat(50_000) });
    const { toy } = roomOf(victim);
    await victim.until(() => toy.positions.length === 2);
    const names = [...victim.packets, ...hostile.welcomes, ...hostile.packets]
      .flatMap(({ tags = [] }) => tags)
      .map(({ tag }) => (JSON.parse(tag) as { name: string | null }).name);
    expect(names.filter((name) => name !== null && name !== 'x'.repeat(20))).toEqual([]);
    // The run of another room, as it is and cut off.
    const { recording } = await runTicks(new SeatedToy(), { ticks: 60, seed: 5 });
    const file = encodeRecording(recording);
    hostile.room.sendBytes(ROOM_MESSAGE, file);
    hostile.room.sendBytes(ROOM_MESSAGE, file.subarray(0, file.length >> 1));
    // More actions than one message may have, and more than one tick may have.
    const pushes = (count: number): Action[] => Array.from({ length: count }, () => push(0, 0));
    hostile.send({ kind: 'actions', actions: pushes(65) });
    hostile.send({ kind: 'actions', actions: pushes(64) });
    hostile.send({ kind: 'actions', actions: [...pushes(60), push(0, 'y'.repeat(10_000))] });
    // The last of them may come in a later tick.
    const taken = (): number => {
      const { actions, flooded } = statsOf(hostile).received;
      return actions + flooded;
    };
    await victim.until(() => taken() === 64 + 61);
    expect(statsOf(hostile).received).toMatchObject({ malformed: 3, early: 0 });
    await victim.morePackets(5);
    expect(statsOf(victim).received).toMatchObject({ flooded: 0, malformed: 0 });
    expect(victim.welcomes).toHaveLength(1);
    const report = await replay(new SeatedToy(), await recordingOf(victim));
    expect(report).toMatchObject({ differsAt: undefined });
  });

  test('keeps the seat of a lost client, which continues where the room is', async () => {
    const other = await open('toy');
    const client = await joinRoom(other.room.roomId);
    const { sessionId } = client.room;
    client.room.connection.close();
    await client.until(() => client.welcomes.length === 2);
    expect(client.room.sessionId).toBe(sessionId);
    expect(client.welcome.seat).toBe(1);
    await client.morePackets(5);
    expect(client.packets.at(-5)?.tick).toBeGreaterThan(client.welcome.packetTick);
    expect(roomOf(other).toy.positions.map(({ seat }) => seat)).toEqual([0, 1]);
    // On another network: the server has not noticed yet that the first connection is lost.
    client.room.reconnection.enabled = false;
    const again = new RoomClient(
      await new Client(server.url).reconnect(client.room.reconnectionToken),
    );
    await again.until(() => again.welcomes.length === 1);
    expect(again.welcome.seat).toBe(1);
    await again.morePackets(3);
    expect(roomOf(other).stats.clients).toHaveLength(2);
    // One that leaves for good gives its seat away.
    await again.room.leave();
    const next = await joinRoom(other.room.roomId);
    expect(next.welcome.seat).toBe(1);
    await next.until(() => roomOf(other).toy.positions.length === 2);
    await roomOf(other).disconnect();
  });

  test('gives the seat of a lost client away when it does not come back in time', async () => {
    expect(resolveSimulationRoomOptions({}).reconnectSeconds).toBe(10);
    const other = await open('impatient');
    const client = await joinRoom(other.room.roomId);
    expect(client.welcome.seat).toBe(1);
    await other.until(() => roomOf(other).toy.positions.length === 2);
    client.room.reconnection.enabled = false;
    client.room.connection.close();
    await other.until(() => roomOf(other).toy.positions.length === 1);
    expect(roomOf(other).stats.clients).toHaveLength(1);
    const again = new Client(server.url).reconnect(client.room.reconnectionToken);
    await expect(again).rejects.toThrow('reconnection token');
    const next = await joinRoom(other.room.roomId);
    expect(next.welcome.seat).toBe(1);
    await roomOf(other).disconnect();
  });

  test('drops packets for a client that does not read, and sends it the whole state when it does', async () => {
    const other = await open('loud');
    const { roomId } = other.room;
    const { sessionId, socket } = await connectByHand(roomId);
    const statsOfSlow = () =>
      roomOf(other).stats.clients.find((client) => client.sessionId === sessionId);
    const kinds: number[] = [];
    socket.on('message', (data: Buffer) => {
      // That it has joined, which it confirms. Then it asks for the state.
      if (kinds.length === 0) {
        socket.send(Uint8Array.of(present(data[0])));
        const ask = encodeClientMessage({ kind: 'state', mode: 'stream' }, []);
        socket.send(getMessageBytes.raw(Protocol.ROOM_DATA_BYTES, ROOM_MESSAGE, undefined, ask));
      }
      // The first byte after the type of the message.
      kinds.push(present(data[2 + ROOM_MESSAGE.length]));
    });
    await other.until(() => kinds.length > 5);
    socket.pause();
    await other.until(() => present(statsOfSlow()).droppedMessages > 5);
    const stopped = present(statsOfSlow());
    expect(stopped.bufferedBytes).toBeLessThan((1 << 20) + 2 * 300_000);
    expect(stopped.welcomes).toBe(1);
    socket.resume();
    await other.until(() => present(statsOfSlow()).welcomes === 2);
    const read = kinds.length;
    await other.until(() => kinds.length > read + 10);
    expect(kinds.slice(1).filter((kind) => kind === 1)).toHaveLength(2);
    expect(statsOf(other)).toMatchObject({ droppedMessages: 0, welcomes: 1 });
    socket.terminate();
    await roomOf(other).disconnect();
  });

  test('ends with a message to its clients if a step throws, and is recorded up to there', async () => {
    const client = await open('failing');
    const { file } = present(roomOf(client).stats.recording);
    client.send({
      kind: 'actions',
      actions: [{ kind: 'command', tick: 0, name: 'jump', args: '[16]' }],
    });
    await client.until(() => client.leftWith !== undefined);
    expect(client.errors.join()).toMatch(/^the simulation of this room has failed after tick \d+/);
    expect(server.log.join()).toContain('the simulation of this room has failed');
    const bytes = await eventually(() => readFileSync(file));
    const report = await replay(new SeatedToy(), decodeRecording(bytes));
    expect(report.differsAt).toBeUndefined();
  });

  test.each<ConnectRoomOptions>([
    { mode: 'stream' },
    { mode: 'predict', createWorker: () => runLocally(predictRoom(new SeatedToy())) },
  ])('is shown by connectRoom in the mode $mode, also on a new connection', async (options) => {
    const room = await new Client(server.url).create('toy', { name: 'Ada' });
    room.reconnection.minUptime = 0;
    const handle = await connectRoom<SeatedToy>(room, options);
    const { toy } = matchMaker.getLocalRoomById(room.roomId) as unknown as ToyRoom;
    const out = new Float32Array(7);
    const x = (): number | undefined => {
      handle.sample(performance.now());
      const [id] = handle.bodies.keys();
      return id === undefined ? undefined : handle.pose(id, out)?.[0];
    };
    await handle.commands.jump(15);
    await eventually(() => expect(x()).toBeGreaterThan(5));
    expect([...handle.bodies.values()]).toEqual([{ seat: 0, name: 'Ada' }]);
    const connectedAgain = new Promise<void>((resolve) => {
      room.onReconnect(() => resolve());
    });
    room.connection.close();
    await connectedAgain;
    await handle.commands.jump(-15);
    await eventually(() => expect(x()).toBeLessThan(-5));
    // A prediction shows it before the room has it.
    await eventually(() => expect(toy.positions[0]?.x).toBeLessThan(-5));
    expect(handle.room.error).toBeUndefined();
    await handle.dispose();
    await room.leave();
  });

  test('refuses a client that wants to predict what cannot be saved, and only that one', async () => {
    const other = await open('unsaved');
    const client = new RoomClient(await new Client(server.url).joinById(other.room.roomId));
    client.send({ kind: 'state', mode: 'predict' });
    await client.until(() => client.leftWith !== undefined);
    expect(client.errors).toEqual(['the room cannot save its state']);
    await other.morePackets(3);
    expect(other.leftWith).toBeUndefined();
    await roomOf(other).disconnect();
  });

  test('keeps nothing for a client that never says that it listens', async () => {
    const other = await open('toy');
    const { roomId } = other.room;
    const { sessionId, socket } = await connectByHand(roomId);
    await once(socket, 'message');
    const ask = encodeClientMessage({ kind: 'state', mode: 'stream' }, []);
    socket.send(getMessageBytes.raw(Protocol.ROOM_DATA_BYTES, ROOM_MESSAGE, undefined, ask));
    await other.morePackets(10);
    const { sentBytes, welcomes } = present(
      roomOf(other).stats.clients.find((client) => client.sessionId === sessionId),
    );
    expect({ sentBytes, welcomes }).toEqual({ sentBytes: 0, welcomes: 0 });
    socket.terminate();
    await roomOf(other).disconnect();
  });

  test('leaves a recording when its process is killed, up to the last second', async () => {
    const left = mkdtempSync(join(folder, 'left-'));
    const script = fileURLToPath(new URL('recording-room.worker.js', inject('workerScripts')));
    const child = spawn(process.execPath, [script, left], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value: url } = (await lines.next()) as { value: string };
    const client = await RoomClient.of(new Client(url).joinOrCreate('recorded'));
    client.room.reconnection.enabled = false;
    // Answered after the push has come: it is in one of the next two ticks.
    let answeredTick: number | undefined;
    client.onMessage = (message) => {
      if (message.kind === 'pong') answeredTick = Math.ceil((message.roomMs * 60) / 1000);
    };
    client.send({ kind: 'actions', actions: [push(0, 3)] });
    client.send({ kind: 'ping', clientMs: 0, tick: 0 });
    await client.until(() => answeredTick !== undefined);
    const enough = Math.max(120, present(answeredTick) + 2);
    let flushed = 0;
    while (flushed < enough) flushed = Number((await lines.next()).value);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [found] = await recoverRecordings(left);
    const { file, lastTick } = present(found);
    expect(lastTick).toBeGreaterThanOrEqual(flushed);
    const recording = decodeRecording(readFileSync(present(file)));
    expect(recording).toMatchObject({ isComplete: false, lastTick });
    const commands = recording.entries.flatMap((entry) =>
      entry.kind === 'command' ? [`${entry.name}${entry.args}`] : [],
    );
    expect(commands).toEqual(['join[0,null]', 'push[0,3]']);
    const report = await replay(new SeatedToy(), recording);
    expect(report).toMatchObject({ differsAt: undefined, tick: lastTick });
    expect(report.hashes).toBe(Math.floor(lastTick / 10));
    expect(await recoverRecordings(left)).toEqual([]);
  });
});
