import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RoomRecorder } from '../../../../src/rooms/server/room-recorder.js';
import { decodeRecording } from '../../../../src/shared/index.js';
import type { Recording, RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { smallRecording } from '../../../fixtures/recordings.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { run } = smallRecording;

const push = (tick: number): RecordingEntry => ({
  kind: 'command',
  tick,
  name: tick % 3 === 0 ? 'jump' : 'push',
  args: JSON.stringify([tick % 2, tick / 7]),
});

const recordingIn = (file: string): Recording => decodeRecording(readFileSync(file));

const recorderIn = (
  maxBytes: number,
  errors: string[] = [],
  where = mkdtempSync(join(folder, 'recorder-')),
) =>
  RoomRecorder.begin({
    folder: where,
    maxBytes,
    name: 'a',
    run,
    onEnded: ({ message }) => errors.push(message),
  });

/** Until what was given to the recorder is in the file. */
async function flushed(recorder: RoomRecorder, tick: number): Promise<void> {
  recorder.flush(tick);
  while (recorder.isComplete && recorder.flushedTick < tick) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the file of a room is a recording at any time, of all that was written, and is finished at the end', async () => {
  const recorder = await recorderIn(1 << 20);
  const read = () => recordingIn(recorder.file);
  expect(read()).toMatchObject({ run, entries: [], lastTick: 0, isComplete: false });
  recorder.add([push(1), push(3)]);
  await flushed(recorder, 10);
  expect(read()).toMatchObject({ entries: [1, 3].map(push), lastTick: 10, isComplete: false });
  recorder.add([push(11)]);
  recorder.flush(20);
  // Written with the next one, or at the end: the disk may be busy.
  recorder.add([push(21)]);
  recorder.flush(30);
  recorder.add([push(31)]);
  await recorder.close(40);
  expect(read()).toMatchObject({ run, entries: [1, 3, 11, 21, 31].map(push), lastTick: 40 });
  expect([read().isComplete, recorder.isComplete]).toEqual([undefined, true]);
});

test('the recorder of a room ends when the file is full, and says so once', async () => {
  const errors: string[] = [];
  const recorder = await recorderIn(4096, errors);
  for (let tick = 1; tick <= 1000; tick++) {
    recorder.add([push(tick)]);
    await flushed(recorder, tick);
  }
  await recorder.close(1000);
  expect(errors).toEqual(['the recording is full: it may have 4096 bytes']);
  const bytes = readFileSync(recorder.file);
  expect(bytes.length).toBeLessThanOrEqual(4096);
  const { lastTick, entries, isComplete } = decodeRecording(bytes);
  expect(isComplete).toBe(false);
  expect(lastTick).toBeGreaterThan(20);
  expect(lastTick).toBe(recorder.flushedTick);
  expect(entries).toEqual(Array.from({ length: lastTick }, (_, index) => push(index + 1)));
});

test('the recorder of a room has no more in memory than it may, however slow the disk is', async () => {
  const errors: string[] = [];
  const recorder = await recorderIn(2 ** 31, errors);
  const large = { ...push(1), args: JSON.stringify(['x'.repeat(1 << 20)]) };
  for (let count = 0; count < 40; count++) recorder.add([large]);
  await recorder.close(1);
  expect(errors).toEqual([expect.stringContaining('the disk takes less than is recorded')]);
  const bytes = readFileSync(recorder.file);
  expect(bytes.length).toBeLessThan(1000);
  expect(decodeRecording(bytes).isComplete).toBe(false);
});

test('the recorder of a room refuses a folder that cannot be', async () => {
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  await expect(recorderIn(4096, [], join(file, 'folder'))).rejects.toThrow('ENOTDIR');
});
