/** What a killed process of rooms leaves, and `npm run verify`, which replays it. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@colyseus/sdk';
import { afterAll, expect, test } from 'vitest';
import { VERSION } from '../../examples/rooms/src/simulation.js';
import { recoverRecordings } from '../../src/colyseus/server/index.js';
import {
  CHUNK_HEADER_BYTES,
  MAGIC_BYTES,
  readChunk,
  readChunkHeader,
} from '../../src/colyseus/server/recording/run-log.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { until } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { runNode, startRoomProcess } from './example-process.js';
import { RoomClient } from './room-client.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const logOf = (of: string): string => join(of, present(readdirSync(of)[0]));

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

/** Several processes compile the library first. */
const PROCESSES_MS = 5 * 60_000;

test(
  'a killed process leaves recordings up to the last second, and a player who was not there shows when they are verified',
  async () => {
    const recordings = join(folder, 'recordings');
    const { url, kill } = await startRoomProcess(recordings);
    const server = new Client(url);
    const ada = await RoomClient.of(server.create('sumo', { version: VERSION, name: 'Ada' }));
    const bob = await RoomClient.of(server.joinById(ada.room.roomId, { version: VERSION }));
    for (const { room } of [ada, bob]) room.reconnection.enabled = false;
    // However slow the disk is.
    const enough = bob.welcome.tick + 120;
    const log = logOf(recordings);
    await until('two seconds in the log', () => lastTickOf(log) > enough);
    await kill();
    for (const client of [ada, bob]) await client.untilLeft();

    const [recovered] = await recoverRecordings(recordings);
    const { lastTick, file } = present(recovered);
    expect(lastTick).toBeGreaterThan(enough);
    expect(readdirSync(recordings).map((name) => name.split('.').at(-1))).toEqual(['btwr']);
    expect(await recoverRecordings(recordings)).toEqual([]);
    const recording = decodeRecording(readFileSync(present(file)));
    expect(recording).toMatchObject({ isComplete: false, lastTick });
    const commands = recording.entries.filter((entry) => entry.kind === 'command');
    expect(commands.map(({ name, args }) => `${name}${args}`)).toEqual([
      'join[0,"Ada"]',
      'join[1,null]',
    ]);
    const right = await verify(recordings);
    expect(right).toMatchObject({ code: 0, report: { counts: { identical: 1 } } });

    const tampered = join(folder, 'tampered');
    mkdirSync(tampered);
    const entries = recording.entries.filter((entry) => entry !== commands[1]);
    writeFileSync(join(tampered, 'forged.btwr'), encodeRecording({ ...recording, entries }));
    expect(await verify(tampered)).toMatchObject({ code: 1, report: { counts: { differs: 1 } } });
  },
  PROCESSES_MS,
);
