import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { recoverRecordings } from '../../../src/colyseus/server/recording/log-conversion.js';
import {
  CHUNK_HEADER_BYTES,
  encodeLogEnd,
  encodeLogStart,
  RunLogEncoder,
} from '../../../src/colyseus/server/recording/run-log.js';
import { RunRecorder } from '../../../src/colyseus/server/recording/run-recorder.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import type { Recording, RecordingEntry } from '../../../src/shared/recording/recording.js';
import { present } from '../../fixtures/present.js';
import { entries as anyEntries, runs } from '../../fixtures/recordings.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMANDS = ['push', 'jump'];
const run = {
  seed: 1,
  setup: { level: 3 },
  capacity: 64,
  engine: 'toy 1',
  invalidPoses: 'freeze',
  generation: 0,
} as const;
/** Larger than any process number. */
const GONE = 2 ** 30;
const start = encodeLogStart({ host: hostname(), pid: GONE, run, commands: COMMANDS });

const push = (tick: number): RecordingEntry => ({
  kind: 'command',
  tick,
  name: tick % 3 === 0 ? 'jump' : 'push',
  args: JSON.stringify([tick % 2, tick / 7]),
});

/** A new folder with one log. */
function folderWith(...parts: readonly Uint8Array[]): string {
  const path = mkdtempSync(join(folder, 'log-'));
  writeFileSync(join(path, 'a.btwr.log'), Buffer.concat(parts));
  return path;
}

const recordingIn = (path: string): Recording =>
  decodeRecording(readFileSync(join(path, 'a.btwr')));

const recorderIn = (maxBytes: number, errors: string[] = []) =>
  RunRecorder.begin({
    folder: mkdtempSync(join(folder, 'recorder-')),
    maxBytes,
    name: 'a',
    run,
    commands: COMMANDS,
    onEnded: ({ message }) => errors.push(message),
  });

test('the log of a run becomes the recording, byte by byte, however the entries are divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyEntries,
      runs,
      fc.array(fc.nat(20), { minLength: 1, maxLength: 10 }),
      async (entries, description, sizes) => {
        const names = entries.flatMap((entry) => (entry.kind === 'command' ? entry.name : []));
        const commands = [...new Set(names)];
        const encoder = new RunLogEncoder(commands);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (let turn = 0; at < entries.length; turn++) {
          const size = 1 + present(sizes[turn % sizes.length]);
          const part = entries.slice(at, at + size);
          encoder.add(part);
          at += size;
          chunks.push(encoder.takeChunk(present(part.at(-1)).tick));
        }
        const lastTick = entries.at(-1)?.tick ?? 0;
        const path = folderWith(
          encodeLogStart({ host: hostname(), pid: GONE, run: description, commands }),
          ...chunks,
          encodeLogEnd(true),
        );
        const expected = { run: description, start: undefined, lastTick, entries, states: [] };
        const [found] = await recoverRecordings(path);
        expect(found).toMatchObject({ lastTick, error: undefined });
        expect(readFileSync(join(path, 'a.btwr')).equals(encodeRecording(expected))).toBe(true);
        expect(readdirSync(path)).toEqual(['a.btwr']);
      },
    ),
    { numRuns: 50 },
  );
});

test('the log of a run is of use wherever it ends: up to its last whole chunk', async () => {
  const encoder = new RunLogEncoder(COMMANDS);
  const chunks = [0, 1, 2].map((second) => {
    encoder.add([push(second * 10 + 1), push(second * 10 + 5)]);
    return encoder.takeChunk(second * 10 + 10);
  });
  const log = Buffer.concat([start, ...chunks]);
  const ends = chunks.map(
    (_, index) => Buffer.concat([start, ...chunks.slice(0, index + 1)]).length,
  );
  const lengths = Array.from(
    { length: (log.length - start.length) / 7 },
    (_, index) => start.length + index * 7,
  );
  for (const length of [...lengths, ...ends, ...ends.map((end) => end - 1)]) {
    const path = folderWith(log.subarray(0, length));
    await recoverRecordings(path);
    const whole = ends.filter((end) => end <= length).length;
    const { lastTick, entries, isComplete } = recordingIn(path);
    expect({ lastTick, entries: entries.length, isComplete }).toEqual({
      lastTick: whole * 10,
      entries: whole * 2,
      isComplete: false,
    });
  }
});

test('the log of a run ends where it is damaged', async () => {
  const encoder = new RunLogEncoder(COMMANDS);
  encoder.add([push(1)]);
  const first = encoder.takeChunk(10);
  encoder.add([push(11)]);
  const second = encoder.takeChunk(20);
  // Every byte of its header, and some of its contents.
  for (let at = 0; at < second.length; at += at < CHUNK_HEADER_BYTES ? 1 : 5) {
    const damaged = second.slice();
    damaged[at] = present(damaged[at]) ^ 4;
    const path = folderWith(start, first, damaged, encodeLogEnd(true));
    await recoverRecordings(path);
    expect(recordingIn(path)).toMatchObject({ lastTick: 10, isComplete: false });
  }
});

test('a file that is no log of a run is reported and left alone', async () => {
  const wrong = [
    new Uint8Array(0),
    Uint8Array.of(1, 2, 3, 4, 5),
    start.subarray(0, start.length - 1),
    // A foreign recording.
    encodeRecording({ run, start: undefined, lastTick: 1, entries: [], states: [] }),
  ];
  for (const bytes of wrong) {
    const path = folderWith(bytes);
    const [found] = await recoverRecordings(path);
    expect(found).toMatchObject({ file: undefined, lastTick: 0 });
    expect(found?.error?.message).toMatch(/log of a room/);
    expect(readdirSync(path)).toEqual(['a.btwr.log']);
  }
  expect(await recoverRecordings(join(folder, 'missing'))).toEqual([]);
});

test('the log of a run is left alone while its process runs, here or elsewhere', async () => {
  for (const owner of [
    { host: hostname(), pid: process.ppid },
    { host: 'another machine', pid: GONE },
  ]) {
    const path = folderWith(encodeLogStart({ ...owner, run, commands: COMMANDS }));
    expect(await recoverRecordings(path)).toEqual([]);
  }
  const recorder = await recorderIn(1 << 20);
  expect(await recoverRecordings(join(recorder.file, '..'))).toEqual([]);
  await recorder.close(0);
});

test('the recorder of a room writes what it was given, and makes a recording of it at the end', async () => {
  const recorder = await recorderIn(1 << 20);
  recorder.add([push(1), push(2)]);
  recorder.flush(10);
  // Written with the next one, or at the end: the disk may be busy.
  recorder.add([push(11)]);
  recorder.flush(20);
  recorder.add([push(21)]);
  await recorder.close(30);
  const recording = decodeRecording(readFileSync(recorder.file));
  expect(recording).toMatchObject({ lastTick: 30, run });
  expect(recording.entries).toEqual([1, 2, 11, 21].map(push));
  expect(recording.isComplete).toBeUndefined();
  expect(recorder.isComplete).toBe(true);
});

test('the recorder of a room ends when the file is full, and says so once', async () => {
  const errors: string[] = [];
  const recorder = await recorderIn(4096, errors);
  for (let tick = 1; tick <= 1000; tick++) {
    recorder.add([push(tick)]);
    recorder.flush(tick);
    while (recorder.isComplete && recorder.flushedTick < tick) {
      await new Promise((resolve) => setImmediate(resolve));
    }
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
  const begun = RunRecorder.begin({
    folder: join(file, 'folder'),
    maxBytes: 4096,
    name: 'a',
    run,
    commands: [],
    onEnded: () => undefined,
  });
  await expect(begun).rejects.toThrow('ENOTDIR');
});
