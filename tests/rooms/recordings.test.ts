/** A killed process of rooms leaves recordings that replay. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@colyseus/sdk';
import { afterAll, expect, test } from 'vitest';
import { createSumo, VERSION } from '../../examples/rooms/src/simulation.js';
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { until } from '../fixtures/eventually.js';
import { present } from '../fixtures/present.js';
import { startRoomProcess } from './example-process.js';
import { RoomClient } from './room-client.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const recordingIn = (of: string) =>
  decodeRecording(readFileSync(join(of, present(readdirSync(of)[0]))));

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
    await until('two seconds in the file', () => recordingIn(recordings).lastTick > enough);
    await kill();
    for (const client of [ada, bob]) await client.untilLeft();

    const recording = recordingIn(recordings);
    expect(recording.isComplete).toBe(false);
    expect(recording.lastTick).toBeGreaterThan(enough);
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
