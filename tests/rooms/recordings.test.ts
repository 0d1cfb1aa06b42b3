/** What a killed process of rooms leaves, and whether it replays. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@colyseus/sdk';
import { afterAll, expect, test } from 'vitest';
import { createSumo, VERSION } from '../../examples/rooms/src/simulation.js';
import { recoverRecordings } from '../../src/colyseus/server/index.js';
import {
  CHUNK_HEADER_BYTES,
  MAGIC_BYTES,
  readChunk,
  readChunkHeader,
} from '../../src/colyseus/server/recording/run-log.js';
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { until } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { startRoomProcess } from './example-process.js';
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

/** Several processes compile the library first. */
const PROCESSES_MS = 5 * 60_000;

test(
  'a killed process leaves recordings up to the last second, and a player who was not there shows when they are replayed',
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
    const { hashes, differsAt } = await replay(createSumo(), recording);
    expect({ isCompared: hashes > 0, differsAt }).toEqual({
      isCompared: true,
      differsAt: undefined,
    });

    const entries = recording.entries.filter((entry) => entry !== commands[1]);
    const forged = await replay(createSumo(), { ...recording, entries });
    expect(forged.differsAt).toBeGreaterThan(0);
  },
  PROCESSES_MS,
);
