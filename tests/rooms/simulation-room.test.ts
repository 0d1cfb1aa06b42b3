/** Rooms of a real server of Colyseus, with clients over real connections. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once, type EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMessageBytes, matchMaker, Protocol } from '@colyseus/core';
import { Client } from '@colyseus/sdk';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SimulationRoom } from '../../src/rooms/server/index.js';
import { connectRoom, type ConnectRoomOptions } from '../../src/rooms/page/index.js';
import {
  type Action,
  encodeClientMessage,
  ROOM_MESSAGE,
} from '../../src/rooms/shared/room-messages.js';
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { predictRoom } from '../../src/rooms/run/index.js';
import { eventually, until } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { sealedBytes } from '../fixtures/rooms/sealed-bytes.js';
import { SeatedToy } from '../fixtures/rooms/seated-toy.js';
import { RoomClient } from './room-client.js';
import { MAX_PAYLOAD, startRoomServer, type RoomServer } from './room-server.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-rooms-'));

class ToyRoom extends SimulationRoom {
  override simulationOptions: SimulationRoom['simulationOptions'] = {
    capacity: 64,
    hashEveryTicks: 10,
    recording: { folder },
    // However long a busy machine takes to connect again.
    reconnectSeconds: 3600,
  };
  toy = new SeatedToy();

  override createSimulation() {
    return this.toy;
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

/** Lets a client in when it has left. */
class CheckedRoom extends ToyRoom {
  override seatReservationTimeout = 0.5;
  /** Called when a client asks. */
  onAsked: () => void = () => undefined;

  override async onAuth({ ref }: { ref: EventEmitter }): Promise<true> {
    const left = once(ref, 'close');
    this.onAsked();
    await left;
    return true;
  }
}

class SmallRoom extends ToyRoom {
  override maxClients = 2;
}

class FailingRoom extends ToyRoom {
  override toy = new (class extends SeatedToy {
    override step(...args: Parameters<SeatedToy['step']>): void {
      super.step(...args);
      if (this.positions.some(({ x }) => x > 15)) throw new Error('that is too far');
    }
  })();
}

class UnsavedRoom extends ToyRoom {
  override createSimulation() {
    const { toy } = this;
    return {
      commands: toy.commands,
      init: (context: Parameters<SeatedToy['init']>[0]) => toy.init(context),
      step: (...args: Parameters<SeatedToy['step']>) => toy.step(...args),
    } as unknown as SeatedToy;
  }
}

let server: RoomServer;

beforeEach(() => {
  // The client's library reports each connection that it makes again.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

beforeAll(async () => {
  server = await startRoomServer({
    toy: ToyRoom,
    loud: LoudRoom,
    impatient: ImpatientRoom,
    small: SmallRoom,
    checked: CheckedRoom,
    failing: FailingRoom,
    unsaved: UnsavedRoom,
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const localRoom = (roomId: string) => matchMaker.getLocalRoomById(roomId) as unknown;
const roomOf = (roomId: string) => localRoom(roomId) as ToyRoom;

/** Joins a new room, which ends with the test. */
async function open(name: string) {
  const client = await RoomClient.of(new Client(server.url).create(name));
  const { roomId } = client.room;
  const room = roomOf(roomId);
  onTestFinished(async () => {
    if (localRoom(roomId) !== undefined) await room.disconnect();
  });
  return { client, roomId, room };
}

const joinRoom = (roomId: string): Promise<RoomClient> =>
  RoomClient.of(new Client(server.url).joinById(roomId));

type Joined = Pick<RoomClient['room'], 'roomId' | 'sessionId'>;
const statsOf = ({ room: { roomId, sessionId } }: { readonly room: Joined }) =>
  present(roomOf(roomId).stats.clients.find((client) => client.sessionId === sessionId));

const action = (name: string, args: string): Action => ({ kind: 'command', tick: 0, name, args });

/**
 * A connection that can do what that of Colyseus does not.
 *
 * @param reconnectionToken Of a lost client, whose seat it takes. Default: a new one.
 */
async function connectByHand(roomId: string, reconnectionToken?: string) {
  const method = reconnectionToken === undefined ? 'joinById' : 'reconnect';
  const reserved = await new Client(server.url).http.post(`/matchmake/${method}/${roomId}`, {
    body: { reconnectionToken },
  });
  const { sessionId, processId } = reserved.data as { sessionId: string; processId: string };
  const query = new URLSearchParams({ sessionId, ...(reconnectionToken && { reconnectionToken }) });
  const socket = new WebSocket(`${server.url}/${processId}/${roomId}?${query}`);
  onTestFinished(() => socket.terminate());
  return { socket, stats: () => statsOf({ room: { roomId, sessionId } }) };
}

/** Waits for the message that says that it has joined, and confirms it. */
async function confirmJoin(socket: WebSocket): Promise<void> {
  const [joined] = (await once(socket, 'message')) as [Buffer];
  socket.send(Uint8Array.of(present(joined[0])));
}

const askForState = (): Uint8Array =>
  getMessageBytes.raw(
    Protocol.ROOM_DATA_BYTES,
    ROOM_MESSAGE,
    undefined,
    encodeClientMessage({ kind: 'state', mode: 'stream' }, []),
  );

/** Ends a room, and replays its recording: all its hashes are as they were. */
async function expectSameReplay(room: ToyRoom): Promise<void> {
  const { file } = present(room.stats.recording);
  const recorded = () => decodeRecording(readFileSync(file));
  // A process that is killed leaves what it had written.
  await until('more than a second in the file', () => recorded().lastTick > 60);
  await room.disconnect();
  const recording = recorded();
  const report = await replay(new SeatedToy(), recording);
  expect(report.hashes).toBeGreaterThan(2);
  expect(report).toMatchObject({ differsAt: undefined, tick: recording.lastTick });
  expect(recording.isComplete).toBeUndefined();
}

test.each<ConnectRoomOptions>([
  { mode: 'stream' },
  { mode: 'predict', createWorker: () => runLocally(predictRoom(new SeatedToy())) },
])('a page in the mode $mode plays in a room of Colyseus, which is recorded', async (options) => {
  const { client: other, roomId, room } = await open('toy');
  const connection = await new Client(server.url).joinById(roomId);
  connection.reconnection.minUptime = 0;
  const handle = await connectRoom<SeatedToy>(connection, options);
  expect(handle.room.seat).toBe(1);
  const x = (): number | undefined => {
    handle.sample(performance.now());
    const id = [...handle.bodies].find(([, tag]) => (tag as { seat: number }).seat === 1)?.[0];
    return id === undefined ? undefined : handle.pose(id, new Float32Array(7))?.[0];
  };
  await handle.commands.jump(15);
  await eventually(() => expect(x()).toBeGreaterThan(5), 'the ball at the right');
  // At once: before the room knows that the page listens.
  const jumpedAgain = new Promise<void>((resolve, reject) => {
    connection.onReconnect(() => {
      handle.commands.jump(-15).then(resolve, reject);
    });
  });
  connection.connection.close();
  await jumpedAgain;
  await eventually(() => expect(x()).toBeLessThan(-5), 'the ball at the left');
  // A prediction shows it before the room has it.
  await eventually(() => expect(room.toy.positions[1]?.x).toBeLessThan(-5), 'the room as shown');
  other.send({ kind: 'actions', actions: [action('push', '[1]')] });
  if (options.mode === 'predict') {
    await until('two hashes of the room', () => (handle.room.prediction?.hashes ?? 0) >= 2);
    expect(handle.room.prediction?.desyncs).toBe(0);
  }
  expect(handle.room.error).toBeUndefined();
  expect(room.stats).toMatchObject({ commandErrors: 0, clients: [{ seat: 0 }, { seat: 1 }] });
  expect(room.stats.clients[1]).toMatchObject({
    mode: options.mode,
    isConnected: true,
    received: { actions: 2 },
  });
  await handle.dispose();
  await expectSameReplay(room);
});

test('a room continues whatever a client sends, counts what it refuses, and Colyseus sends that client away', async () => {
  const { client: victim, roomId, room } = await open('toy');
  const hostile = await joinRoom(roomId);
  const bytes = (...values: number[]): void => {
    hostile.room.sendBytes(ROOM_MESSAGE, sealedBytes(Uint8Array.from(values)));
  };
  bytes();
  bytes(255, 1, 2, 3);
  bytes(1, 128, 128, 128, 128, 128, 128, 128, 128, 128);
  hostile.send({ kind: 'actions', actions: [action('join', '[0]')] });
  // A throw in a command ends that call of it.
  hostile.send({ kind: 'actions', actions: [action('push', '["far"]')] });
  await victim.until('the error of the command', () => room.stats.commandErrors === 1);
  expect(statsOf(hostile).received).toMatchObject({ actions: 1, malformed: 4, flooded: 0 });
  // Frames that are none of Colyseus', and a message that there is not.
  for (let code = 0; code < 64; code++) {
    hostile.room.connection.send(Uint8Array.of(code, 0xdb, 255));
  }
  hostile.room.send('nothing', { a: 1 });
  await hostile.untilLeft();
  await victim.morePackets(20);
  expect(victim.leftWith).toBeUndefined();
  expect(victim.welcomes).toHaveLength(1);
  expect(statsOf(victim).received).toMatchObject({ flooded: 0, malformed: 0 });
  await expectSameReplay(room);
});

/** How a client is sent away, and what it does. */
const OFFENCES: readonly (readonly [what: string, offend: (socket: WebSocket) => void])[] = [
  // Colyseus' code for a message of the application, its type, and a byte that no message begins with.
  ['a message that cannot be read', (socket) => socket.send(Uint8Array.of(13, 0xa1, 0x61, 0xc1))],
  ['a message of an unknown type', (socket) => socket.send(Uint8Array.of(13, 0xa1, 0x61, 0x01))],
  ['a message that is too long', (socket) => socket.send(new Uint8Array(3 << 20))],
  [
    'too many messages',
    (socket) => {
      for (let count = 0; count < 700; count++) socket.send(askForState());
    },
  ],
];

test('a client sends the longest message that its connection takes, and a longer one ends the connection', async () => {
  const { client, roomId } = await open('toy');
  const { maxMessageBytes } = client.welcome.limits;
  const send = (length: number): void =>
    client.room.sendBytes(ROOM_MESSAGE, new Uint8Array(length));
  send(maxMessageBytes);
  await client.until('the longest message', () => statsOf(client).received.malformed === 1);
  expect(MAX_PAYLOAD - maxMessageBytes).toBe(16);
  const other = await joinRoom(roomId);
  client.room.reconnection.enabled = false;
  send(maxMessageBytes + 16);
  await client.untilLeft();
  await other.morePackets(3);
});

test('a client that is sent away for what it has sent, and does not answer, has no seat any more', async () => {
  const { client: other, roomId, room } = await open('toy');
  for (const [what, offend] of OFFENCES) {
    const { socket } = await connectByHand(roomId);
    await confirmJoin(socket);
    await other.until(`a second player: ${what}`, () => room.toy.positions.length === 2);
    offend(socket);
    // The socket does not answer that its connection is closed.
    socket.pause();
    await other.until(`one player less: ${what}`, () => room.toy.positions.length === 1);
    expect([what, room.clients.length, room.stats.clients.length]).toEqual([what, 1, 1]);
    socket.terminate();
  }
});

test('a room keeps no seat for a client that does not connect, or does not confirm it', async () => {
  const { client: other, roomId, room } = await open('small');
  room.seatReservationTimeout = 0.2;
  const lock = vi.spyOn(room, 'lock');
  await new Client(server.url).http.post(`/matchmake/joinById/${roomId}`, { body: {} });
  // The room was full, with the seat of the client that does not connect.
  expect(lock).toHaveBeenCalledOnce();
  await other.until('a free seat', () => !room.locked);
  const silent = await connectByHand(roomId);
  await once(silent.socket, 'close');
  await other.until('the other player alone', () => room.toy.positions.length === 1);
});

test('a room whose only client leaves before it is let in is soon over', async () => {
  const { data } = await new Client(server.url).http.post('/matchmake/create/checked', {
    body: {},
  });
  const { sessionId, processId, roomId } = data as Record<string, string>;
  const room = roomOf(present(roomId)) as unknown as CheckedRoom;
  const socket = new WebSocket(`${server.url}/${processId}/${roomId}?sessionId=${sessionId}`);
  const asked = new Promise<void>((resolve) => {
    room.onAsked = resolve;
  });
  await Promise.all([asked, once(socket, 'open')]);
  socket.terminate();
  await until('the end of the room', () => localRoom(present(roomId)) === undefined);
});

test('a room keeps the seat of a lost client, which continues where the room is', async () => {
  const { roomId, room } = await open('toy');
  const client = await joinRoom(roomId);
  const { sessionId } = client.room;
  client.room.connection.close();
  await client.until('the state on a new connection', () => client.welcomes.length === 2);
  expect(client.room.sessionId).toBe(sessionId);
  expect(client.welcome.seat).toBe(1);
  await client.morePackets(5);
  expect(client.packets.at(-5)?.tick).toBeGreaterThan(client.welcome.packetTick);
  expect(room.toy.positions.map(({ seat }) => seat)).toEqual([0, 1]);
  // On another network: the server has not noticed yet that the first connection is lost.
  client.room.reconnection.enabled = false;
  const again = new RoomClient(
    await new Client(server.url).reconnect(client.room.reconnectionToken),
  );
  await again.until('the state', () => again.welcomes.length === 1);
  expect(again.welcome.seat).toBe(1);
  await again.morePackets(3);
  expect(room.stats.clients).toHaveLength(2);
  // One that leaves for good gives its seat away.
  await again.room.leave();
  const next = await joinRoom(roomId);
  expect(next.welcome.seat).toBe(1);
});

test('a client that connects again long after it has joined has as much time to confirm it as a new one', async () => {
  const { client: other, roomId, room } = await open('toy');
  room.seatReservationTimeout = 600;
  const client = await joinRoom(roomId);
  client.room.reconnection.enabled = false;
  client.room.connection.close();
  await other.until('a lost client', () => !statsOf(client).isConnected);
  const { now } = performance;
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  clock.mockImplementation(() => now.call(performance) + 3_600_000);
  const token = present(client.room.reconnectionToken.split(':')[1]);
  const { socket } = await connectByHand(roomId, token);
  const [joined] = (await once(socket, 'message')) as [Buffer];
  await other.morePackets(5);
  expect(room.stats.clients).toMatchObject([{ seat: 0 }, { seat: 1, isConnected: true }]);
  socket.send(Uint8Array.of(present(joined[0])));
  await other.until('the state', () => statsOf(client).welcomes === 2);
});

test('a room gives the seat of a lost client away when it does not come back in time', async () => {
  const { client: other, roomId, room } = await open('impatient');
  const client = await joinRoom(roomId);
  await other.until('both players', () => room.toy.positions.length === 2);
  client.room.reconnection.enabled = false;
  client.room.connection.close();
  await other.until('one player less', () => room.toy.positions.length === 1);
  expect(room.stats.clients).toHaveLength(1);
  const again = new Client(server.url).reconnect(client.room.reconnectionToken);
  await expect(again).rejects.toThrow('reconnection token');
  expect((await joinRoom(roomId)).welcome.seat).toBe(1);
});

test('a room drops packets for a client that does not read, and sends it the whole state when it does', async () => {
  const { client: other, roomId } = await open('loud');
  const { socket, stats } = await connectByHand(roomId);
  const kinds: number[] = [];
  socket.on('message', (data: Buffer) => {
    // The first message says that it has joined, which it confirms.
    if (kinds.length === 0) {
      socket.send(Uint8Array.of(present(data[0])));
      socket.send(askForState());
    }
    // The first byte after the type of the message.
    kinds.push(present(data[2 + ROOM_MESSAGE.length]));
  });
  await other.until('some messages', () => kinds.length > 5);
  socket.pause();
  await other.until('dropped messages', () => stats().droppedMessages > 5);
  expect(stats().bufferedBytes).toBeLessThan((1 << 20) + 2 * 300_000);
  expect(stats().welcomes).toBe(1);
  socket.resume();
  await other.until('the state, again', () => stats().welcomes === 2);
  const read = kinds.length;
  await other.until('more messages', () => kinds.length > read + 10);
  expect(kinds.slice(1).filter((kind) => kind === 1)).toHaveLength(2);
  expect(statsOf(other)).toMatchObject({ droppedMessages: 0, welcomes: 1 });
});

test('a room whose step throws says so to its clients and ends, and is recorded up to there', async () => {
  const { client, room } = await open('failing');
  const { file } = present(room.stats.recording);
  client.send({ kind: 'actions', actions: [action('jump', '[16]')] });
  await client.untilLeft();
  expect(client.errors.join()).toMatch(/^the simulation of this room has failed after tick \d+/);
  expect(server.log.join()).toContain('the simulation of this room has failed');
  const bytes = await eventually(() => readFileSync(file), 'the recording');
  const report = await replay(new SeatedToy(), decodeRecording(bytes));
  expect(report.differsAt).toBeUndefined();
});

test('a room refuses a client that wants to predict what cannot be saved, and only that one', async () => {
  const { client: other, roomId } = await open('unsaved');
  const client = new RoomClient(await new Client(server.url).joinById(roomId));
  client.send({ kind: 'state', mode: 'predict' });
  await client.untilLeft();
  expect(client.errors).toEqual(['the room cannot save its state']);
  await other.morePackets(3);
  expect(other.leftWith).toBeUndefined();
});

test('a room keeps nothing for a client that never says that it listens', async () => {
  const { client: other, roomId } = await open('toy');
  const { socket, stats } = await connectByHand(roomId);
  await once(socket, 'message');
  socket.send(askForState());
  await other.morePackets(10);
  expect(stats()).toMatchObject({ sentBytes: 0, welcomes: 0 });
});
