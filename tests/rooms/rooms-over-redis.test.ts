/** `npm run rooms` with two processes that find each other's rooms over Redis, one of which is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@colyseus/sdk';
import { afterAll, expect, test, vi } from 'vitest';
import { readArguments } from '../../examples/rooms/server/arguments.js';
import { requireRedis } from '../../examples/rooms/server/redis.js';
import { endingOf } from '../../examples/rooms/src/join.js';
import { VERSION } from '../../examples/rooms/src/simulation.js';
import { findRedis, REDIS_ADVICE } from '../../scripts/find-redis.js';
import { eventually, until } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { startRooms } from './example-process.js';
import { RoomClient } from './room-client.js';

/** The options that the room asks of its clients. */
const OPTIONS = { version: VERSION };
const folder = mkdtempSync(join(tmpdir(), 'betwixt-redis-'));
const ends: (() => void | Promise<void>)[] = [];

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** At a socket in a folder, without a port and without files. @returns The path of its socket. */
async function startRedis(program: string): Promise<string> {
  const address = join(folder, 'redis.sock');
  const child = spawn(
    program,
    ['--port', '0', '--unixsocket', address, '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  ends.push(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('eady to accept connections') && resolve());
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('redis-server has ended before it was ready');
  });
  await Promise.race([ready, ended]);
  ended.catch(() => undefined);
  return address;
}

const open = async (joining: ReturnType<Client['joinById']>): Promise<RoomClient> => {
  const client = await RoomClient.of(joining);
  client.room.reconnection.enabled = false;
  return client;
};

interface HostedRoom {
  /** As Colyseus names the process that has it. */
  readonly processId: string;
  readonly clients: RoomClient[];
}

/** Whether it has a ball of a seat. */
const sees = ({ welcomes, packets }: RoomClient, seat: number): boolean =>
  [...welcomes, ...packets].some(({ tags = [] }) =>
    tags.some(({ tag }) => tag.includes(`"seat":${seat}`)),
  );

// In five minutes, because several processes compile the library first.
test('rooms of two processes are found over Redis, and one process does not need the other', async (context) => {
  const program = findRedis();
  if (program === undefined) return context.skip(REDIS_ADVICE);
  // The client's library reports each connection that it makes.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const redis = await startRedis(program);
  const { url, pids, errors, stop, kill } = await startRooms('--processes', '2', '--redis', redis);
  ends.push(kill);
  const [one, other] = ['rooms/0', 'rooms/1'].map((path) => new Client(new URL(path, url).href));

  // New rooms are in the processes in turn, whichever of them is asked.
  const rooms: HostedRoom[] = [];
  for (let count = 0; count < 4; count++) {
    const reserved = (await present(one).http.post('/matchmake/create/sumo', { body: OPTIONS }))
      .data;
    const host = await open(present(one).consumeSeatReservation(reserved));
    rooms.push({ processId: reserved.processId, clients: [host] });
  }
  const hosts = rooms.map(({ processId }) => processId);
  expect(new Set(hosts).size).toBe(2);
  expect(hosts.slice(2)).toEqual(hosts.slice(0, 2));
  // Each room is found by both processes, one of which does not have it.
  for (const { clients } of rooms) {
    const { roomId } = present(clients[0]).room;
    for (const client of [one, other])
      clients.push(await open(present(client).joinById(roomId, OPTIONS)));
    for (const [seat, client] of clients.entries()) {
      expect(client.welcome.seat).toBe(seat);
      for (const seen of [0, 1, 2]) {
        await client.until(`the ball of the seat ${seen}`, () => sees(client, seen));
      }
    }
  }

  process.kill(present(pids[0]), 'SIGKILL');
  // The players of one process lose their rooms, whichever it is.
  const isLost = ({ clients }: HostedRoom) => present(clients[0]).leftWith !== undefined;
  await until('a room that is over', () => rooms.some(isLost));
  const killed = rooms.find(isLost)?.processId;
  for (const { processId, clients } of rooms) {
    for (const client of clients) {
      await (processId === killed ? client.untilLeft() : client.morePackets(20));
      expect(client.leftWith !== undefined).toBe(processId === killed);
    }
  }
  // Who had a room there reads why it is over.
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  const [host] = present(rooms.find(({ processId }) => processId === killed)).clients;
  const ending = await endingOf(4003, present(host).room, new URL('rooms/1', url).href);
  expect(ending.message).toMatch(/^(The server was restarted, or its process|This room is over:)/);
  // The other process takes new players, and new rooms, whichever of the two a page asks.
  const known = new Set(rooms.map(({ processId }) => processId));
  const roomIds = rooms
    .filter(({ processId }) => processId !== killed)
    .map(({ clients }) => present(clients[0]).room.roomId);
  for (const client of [one, other]) {
    const late = await open(present(client).joinOrCreate('sumo', OPTIONS));
    expect(roomIds).toContain(late.room.roomId);
    const next = await open(present(client).create('sumo', OPTIONS));
    await next.morePackets(20);
    // Redis lists rooms in no order: the next player may join this one.
    roomIds.push(next.room.roomId);
  }
  const ended = `rooms: the process ${pids[0]} of rooms has ended`;
  await until('the line that says so', () => errors.join('').includes(ended));
  const replaced = /rooms: the process (\d+) takes new rooms in its place/;
  await until('another process', () => replaced.test(errors.join('')));
  await eventually(async () => {
    const { data } = await present(one).http.post('/matchmake/create/sumo', { body: OPTIONS });
    expect(known).not.toContain((data as { processId: string }).processId);
  }, 'a room in the new process');
  expect(await stop()).toBe(130);
}, 300_000);

test('several processes are refused without Redis, or where none answers', async () => {
  expect(() => readArguments(['--processes', '2'])).toThrow('add --redis redis://127.0.0.1:6379');
  expect(() => readArguments(['--processes', '0'])).toThrow('--processes');
  await expect(requireRedis('http://127.0.0.1')).rejects.toThrow('--redis must be a URL such as');
  await expect(requireRedis(join(folder, 'none.sock'))).rejects.toThrow('no Redis answers at');
});
