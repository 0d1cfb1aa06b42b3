import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recording, RecordingEntry } from '../../../../src/shared/recording/recording.js';
import {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
} from '../../../../src/shared/recording/recording-file.js';
import { expectEqual, expectStrictEqual } from '../../../fixtures/quick-checks.js';
import { ONE_OF_EACH } from '../../../fixtures/typed-arrays.js';
import {
  pointerRecording,
  recordings,
  runs,
  savedStates,
  smallRecording,
} from '../../../fixtures/recordings.js';

const bytesOf = (entries: readonly RecordingEntry[]): number =>
  encodeRecording({ ...smallRecording, entries }).length;
const bytesEach = (entries: readonly RecordingEntry[]): number =>
  (bytesOf(entries) - bytesOf([])) / entries.length;
const withEntries = (...entries: unknown[]) => ({ ...smallRecording, entries });
const withRun = (change: object) => ({
  ...smallRecording,
  run: { ...smallRecording.run, ...change },
});

describe('a recording', () => {
  test('is read from its file as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        // Strictly: by Object.is for numbers, so that −0 is not 0 and NaN is NaN.
        expectStrictEqual(decodeRecording(encodeRecording(recording)), recording);
      }),
      { numRuns: 200 },
    );
  });

  test('produces the same file again', () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        const file = encodeRecording(recording);
        expectEqual(encodeRecording(decodeRecording(file)), file);
      }),
    );
  });

  test('without anything in it is a recording', () => {
    const empty: Recording = { ...smallRecording, start: undefined, entries: [], states: [] };
    expect(decodeRecording(encodeRecording(empty))).toStrictEqual(empty);
  });

  test('can be read from within a larger array, and keeps no reference to it', () => {
    const file = encodeRecording(smallRecording);
    const memory = new Uint8Array(file.length + 7);
    memory.set(file, 3);
    const decoded = decodeRecording(memory.subarray(3, 3 + file.length));
    memory.fill(0);
    expect(decoded).toStrictEqual(smallRecording);
  });

  test('can be read from shared memory', () => {
    const file = encodeRecording(smallRecording);
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    expect(decodeRecording(shared)).toStrictEqual(smallRecording);
  });

  test('describes itself in plain text at the start of the file', () => {
    const text = new TextDecoder().decode(encodeRecording(smallRecording));
    expect(text).toMatch(/^BTWR/);
    expect(text).toContain('"setup":{"scene":"Türme"}');
    expect(text).toContain('"commands":["spawn","paint","load"]');
  });

  test('holds typed arrays of every kind, also without elements, in separate memory', () => {
    const arrays = ONE_OF_EACH.flatMap((array) => [array, array.subarray(1), array.subarray(0, 0)]);
    const entries = arrays.map(
      (data) => ({ kind: 'command', tick: 3, name: 'paint', args: '[]', data }) as const,
    );
    const decoded = decodeRecording(encodeRecording({ ...smallRecording, entries }));
    expect(decoded.entries).toStrictEqual(entries);
    for (const entry of decoded.entries) {
      const { data } = entry as (typeof entries)[number];
      expect(data.buffer.byteLength).toBe(data.byteLength);
    }
  });

  test('omits the number of a pending call', () => {
    const command = smallRecording.entries.find(({ kind }) => kind === 'command');
    const pending = { ...command, call: 3 } as RecordingEntry;
    const decoded = decodeRecording(encodeRecording({ ...smallRecording, entries: [pending] }));
    expect(decoded.entries).toStrictEqual([command]);
  });
});

test('a saved state and its run are read from their file as they were written', () => {
  fc.assert(
    fc.property(savedStates, runs, (state, run) => {
      expect(decodeSavedState(encodeSavedState(state, run))).toStrictEqual({ run, state });
    }),
  );
});

describe('the file is small', () => {
  test('a pointer move uses 14 bytes', () => {
    const { entries } = pointerRecording(20_000);
    const moves = entries.filter((entry) => entry.kind === 'input');
    expect(moves.length).toBeGreaterThan(20_000);
    expect(bytesEach(moves)).toBeLessThanOrEqual(14.01);
    expect(bytesEach(entries)).toBeLessThanOrEqual(14.01);
  });

  test('an entry that is like the one before uses two bytes', () => {
    const input = {
      kind: 'keydown',
      code: 0,
      device: 0,
      x: 0,
      y: 0,
      z: 0,
      w: 0,
      fraction: 0,
    } as const;
    const same = Array.from({ length: 100 }, () => ({ kind: 'input', tick: 3, input }) as const);
    expect(bytesOf(same) - bytesOf([])).toBe(200);
  });

  test.each([
    [1, 9],
    [6, 9],
    [7, 10],
    [60, 10],
  ])('a hash every %d ticks uses %d bytes', (ticks, bytes) => {
    const hashes = Array.from(
      { length: 100 },
      (_, count) => ({ kind: 'hash', tick: count * ticks, hash: '0123456789abcdef' }) as const,
    );
    expect(bytesEach(hashes)).toBeLessThanOrEqual(bytes);
  });

  test("a command's name is written once", () => {
    const name = 'a long name for a command';
    const commands = Array.from(
      { length: 100 },
      (_, tick) => ({ kind: 'command', tick, name, args: '[]' }) as const,
    );
    expect(bytesOf(commands) - bytesOf([])).toBeLessThan(100 * 5 + name.length + 10);
  });
});

describe('values that would not be read back unchanged are refused', () => {
  const [step] = smallRecording.entries;
  const input = { code: 0, device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0 };
  const press = { ...input, kind: 'keydown' };
  const command = { kind: 'command', tick: 3, name: 'spawn' };
  const state = { tick: 3, bytes: new Uint8Array() };

  test.each<[string, object, ErrorConstructor, RegExp]>([
    [
      'ticks that go down',
      withEntries({ ...step, tick: 4 }, { ...step, tick: 3 }),
      RangeError,
      /tick must be .* from 4/,
    ],
    ['half a tick', withEntries({ ...step, tick: 0.5 }), RangeError, /tick must be a whole number/],
    ['a tick below 0', withEntries({ ...step, tick: -1 }), RangeError, /tick must be .* from 0/],
    [
      'an unknown entry',
      withEntries({ kind: 'wish', tick: 3 }),
      TypeError,
      /no entries of kind "wish"/,
    ],
    [
      'an unknown input',
      withEntries({ kind: 'input', tick: 3, input: { ...press, kind: 'smell' } }),
      RangeError,
      /kind must be one of keydown/,
    ],
    [
      'half a code',
      withEntries({ kind: 'input', tick: 3, input: { ...press, code: 0.5 } }),
      RangeError,
      /code must be a whole number/,
    ],
    [
      'a device of 33 bits',
      withEntries({ kind: 'input', tick: 3, input: { ...press, device: 2 ** 31 } }),
      RangeError,
      /device must be a whole number/,
    ],
    [
      'a fraction of 64 bits',
      withEntries({ kind: 'input', tick: 3, input: { ...press, fraction: 0.1 } }),
      RangeError,
      /fraction must be a 32-bit number/,
    ],
    [
      'arguments that are no JSON',
      withEntries({ ...command, args: '[' }),
      TypeError,
      /"spawn" are not a JSON array/,
    ],
    [
      'arguments that are no array',
      withEntries({ ...command, args: '{}' }),
      TypeError,
      /"spawn" are not a JSON array/,
    ],
    [
      'arguments with half a surrogate pair',
      withEntries({ ...command, args: '["\ud800"]' }),
      TypeError,
      /surrogate/,
    ],
    [
      'half a hash',
      withEntries({ kind: 'hash', tick: 3, hash: '01234567' }),
      RangeError,
      /16 hexadecimal digits/,
    ],
    [
      'states that go down',
      { ...smallRecording, states: [state, { ...state, tick: 2 }] },
      RangeError,
      /^states\[1\]\.tick must be .* from 3/,
    ],
    [
      'an end before the start',
      { ...smallRecording, lastTick: 1 },
      RangeError,
      /lastTick must be .* from 2/,
    ],
    ['a seed below 0', withRun({ seed: -1 }), RangeError, /seed must be a whole number/],
    ['half a body', withRun({ capacity: 0.5 }), RangeError, /capacity must be a whole number/],
    ['no engine', withRun({ engine: undefined }), TypeError, /engine must be a string/],
    ['no setup', withRun({ setup: undefined }), TypeError, /setup/],
    ['a setup that JSON changes', withRun({ setup: { x: Number.NaN } }), TypeError, /setup, at x,/],
    [
      'an unknown policy',
      withRun({ invalidPoses: 'melt' }),
      RangeError,
      /invalidPoses must be one of/,
    ],
  ])('%s', (_, recording, ErrorClass, message) => {
    const encode = () => encodeRecording(recording as Recording);
    expect(encode).toThrow(ErrorClass);
    expect(encode).toThrow(message);
  });
});
