/** `npm run rooms` with two processes that find each other's rooms over Redis, one of which is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@colyseus/sdk';
import { afterAll, expect, test, vi } from 'vitest';
import { readArguments } from '../../examples/rooms/server/arguments.js';
import { requireRedis } from '../../examples/rooms/server/redis.js';
import { findRedis, REDIS_ADVICE } from '../../scripts/find-redis.js';
import { recoverRecordings } from '../../src/colyseus/server/index.js';
import { LOG_ENDING } from '../../src/colyseus/server/recording/log-conversion.js';
import {
  CHUNK_HEADER_BYTES,
  MAGIC_BYTES,
  readChunk,
  readChunkHeader,
} from '../../src/colyseus/server/recording/run-log.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { VERSION } from '../../examples/rooms/src/simulation.js';
import { eventually } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { startRedis } from '../fixtures/redis-server.js';
import { RoomClient } from '../fixtures/room-client.js';

/** What the room asks of its clients. */
const OPTIONS = { version: VERSION };
const folder = mkdtempSync(join(tmpdir(), 'betwixt-redis-'));
const recordings = join(folder, 'recordings');
const ends: (() => void | Promise<void>)[] = [];

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** How long Colyseus waits for another process and for a client that has a seat: a busy machine needs more than its 2 s and 15 s. */
const WAITS = { COLYSEUS_PRESENCE_SHORT_TIMEOUT: '10000', COLYSEUS_SEAT_RESERVATION_TIME: '300' };

const runNode = (...args: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...WAITS },
  });

/** The command `npm run rooms`, once it can be used. */
async function startRooms(redis: string) {
  const child = runNode(
    'examples/rooms/server/main.ts',
    '--port',
    '0',
    '--processes',
    '2',
    '--redis',
    redis,
    '--recordings',
    recordings,
  );
  const ended = once(child, 'exit');
  const stop = async (): Promise<number> => {
    child.kill('SIGINT');
    return (await ended)[0] as number;
  };
  ends.push(() => void child.kill('SIGKILL'));
  const errors: string[] = [];
  child.stderr.on('data', (data: Buffer) => errors.push(String(data)));
  let url: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    url ??= /^Play at (\S+)/.exec(line)?.[1];
    const pids = /^Rooms run in the processes ([\d, ]+)/.exec(line)?.[1];
    if (pids === undefined) continue;
    child.stdout.resume();
    return { url: present(url), pids: pids.split(', ').map(Number), errors, stop };
  }
  throw new Error(`it has ended: ${errors.join('')}`);
}

async function verify(path: string) {
  const child = runNode(
    'demo/cli/verify/main.ts',
    path,
    '--simulation',
    'examples/rooms/server/recorded-rooms.ts',
    '--threads',
    '1',
    '--json',
  );
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += String(data)));
  child.stderr.resume();
  const [code] = (await once(child, 'close')) as [number];
  return { code, report: JSON.parse(output) as unknown };
}

const open = async (joining: ReturnType<Client['joinById']>): Promise<RoomClient> => {
  const client = await RoomClient.of(joining);
  client.room.reconnection.enabled = false;
  return client;
};

const logsIn = (of: string): string[] =>
  readdirSync(of)
    .filter((name) => name.endsWith(LOG_ENDING))
    .map((name) => join(of, name));

/** What is in a log so far. */
function lastTickOf(log: string): number {
  const bytes = readFileSync(log);
  let lastTick = 0;
  for (let at = MAGIC_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const { length, hash } = readChunkHeader(bytes.subarray(at));
    at += CHUNK_HEADER_BYTES;
    const chunk = readChunk(bytes.subarray(at, at + length), hash);
    if (chunk?.kind === 'entries') lastTick = chunk.lastTick;
    at += length;
  }
  return lastTick;
}

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

test('rooms of two processes are found over Redis, and one process does not need the other', async (context) => {
  const program = findRedis();
  if (program === undefined) return context.skip(REDIS_ADVICE);
  // The client's library reports each connection that it makes.
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const redis = await startRedis(program, folder);
  ends.push(() => redis.stop());
  const { url, pids, errors, stop } = await startRooms(redis.address);
  const [one, other] = ['rooms/0', 'rooms/1'].map((path) => new Client(new URL(path, url).href));

  // New rooms are in the process that has fewest, as far as the others know.
  const rooms: HostedRoom[] = [];
  while (new Set(rooms.map(({ processId }) => processId)).size < 2) {
    const reserved = (await present(one).http.post('/matchmake/create/sumo', { body: OPTIONS }))
      .data;
    const host = await open(present(one).consumeSeatReservation(reserved));
    rooms.push({ processId: reserved.processId, clients: [host] });
  }
  // Each room is found by both processes, one of which does not have it.
  for (const { clients } of rooms) {
    const { roomId } = present(clients[0]).room;
    for (const client of [one, other])
      clients.push(await open(present(client).joinById(roomId, OPTIONS)));
    for (const [seat, client] of clients.entries()) {
      expect(client.welcome.seat).toBe(seat);
      for (const seen of [0, 1, 2]) await client.until(() => sees(client, seen));
    }
  }

  // The players and a second more are in the logs, however slow the disk is.
  const enough = 60 + Math.max(...rooms.map(({ clients }) => present(clients.at(-1)).welcome.tick));
  await eventually(() => {
    const lastTicks = logsIn(recordings).map(lastTickOf);
    expect(lastTicks).toHaveLength(rooms.length);
    expect(Math.min(...lastTicks)).toBeGreaterThan(enough);
  });
  const first = new Promise<string>((resolve) => {
    for (const { processId, clients } of rooms) {
      for (const client of clients) {
        void client.until(() => client.leftWith !== undefined).then(() => resolve(processId));
      }
    }
  });
  process.kill(present(pids[0]), 'SIGKILL');
  const killed = await first;
  const [lost, kept] = [true, false].map((isLost) =>
    rooms.filter(({ processId }) => (processId === killed) === isLost),
  ) as [HostedRoom[], HostedRoom[]];
  for (const client of lost.flatMap(({ clients }) => clients)) {
    await client.until(() => client.leftWith !== undefined);
  }
  for (const client of kept.flatMap(({ clients }) => clients)) {
    await client.morePackets(20);
    expect(client.leftWith).toBeUndefined();
  }
  // The other process takes new players, and new rooms.
  const late = await open(present(other).joinOrCreate('sumo', OPTIONS));
  expect(kept.map(({ clients }) => clients[0]?.room.roomId)).toContain(late.room.roomId);
  const next = await open(present(other).create('sumo', OPTIONS));
  await next.until(() => (next.packets.at(-1)?.tick ?? 0) > 60);
  await eventually(() =>
    expect(errors.join('')).toContain(`rooms: the process ${pids[0]} of rooms has ended`),
  );
  expect(await stop()).toBe(130);

  // What the killed process has left, and what the other one has completed.
  const recovered = await recoverRecordings(recordings);
  expect(recovered).toHaveLength(lost.length);
  expect(present(recovered[0]).lastTick).toBeGreaterThan(enough);
  expect(readdirSync(recordings).every((name) => name.endsWith('.btwr'))).toBe(true);
  const right = await verify(recordings);
  expect(right).toMatchObject({ code: 0, report: { counts: { identical: rooms.length + 1 } } });

  // A player who was not there.
  const tampered = join(folder, 'tampered');
  mkdirSync(tampered);
  const recording = decodeRecording(readFileSync(present(present(recovered[0]).file)));
  const joins = recording.entries.filter((entry) => entry.kind === 'command');
  expect(joins.length).toBeGreaterThan(2);
  const entries = recording.entries.filter((entry) => entry !== joins[1]);
  writeFileSync(join(tampered, 'forged.btwr'), encodeRecording({ ...recording, entries }));
  expect(await verify(tampered)).toMatchObject({ code: 1, report: { counts: { differs: 1 } } });
});

test('several processes are refused without Redis, or where none answers', async () => {
  expect(() => readArguments(['--processes', '2'])).toThrow('add --redis redis://127.0.0.1:6379');
  expect(() => readArguments(['--processes', '0'])).toThrow('--processes');
  expect(readArguments(['--processes', '2', '--redis', '/run/redis.sock'])).toMatchObject({
    processes: 2,
    redis: '/run/redis.sock',
  });
  await expect(requireRedis('http://127.0.0.1')).rejects.toThrow('--redis must be a URL such as');
  await expect(requireRedis(join(folder, 'none.sock'))).rejects.toThrow('no Redis answers at');
});
