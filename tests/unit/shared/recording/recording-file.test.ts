import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assetName } from '../../../../src/shared/recording/asset.js';
import {
  envelopeOf,
  FORMAT_VERSION,
  headerOf,
  partOf,
  STATE_VERSION,
} from '../../../../src/shared/recording/envelope.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import {
  decodeRecording,
  encodeRecording,
} from '../../../../src/shared/recording/recording-file.js';
import { ByteWriter } from '../../../../src/shared/util/bytes.js';
import { expectEqual, expectStrictEqual } from '../../../fixtures/quick-checks.js';
import { changedFiles, tryChangedFile } from '../../../attack/parts/recordings.js';
import { ofVersion, partsIn, refusalOf } from '../../../fixtures/recording-files.js';
import { pointerRecording, recordings, smallRecording } from '../../../fixtures/recordings.js';
import { inputOf } from '../../../fixtures/run-toy.js';

test('a recording is read as it was written, from the middle of shared memory, keeps no reference to it, and produces the same file again', () => {
  fc.assert(
    fc.property(recordings, fc.constantFrom(3, 4), (recording, at) => {
      // Strictly: by Object.is for numbers, so that −0 is not 0 and NaN is NaN.
      const file = encodeRecording(recording);
      const memory = new Uint8Array(new SharedArrayBuffer(file.length + 7));
      memory.set(file, at);
      const decoded = decodeRecording(memory.subarray(at, at + file.length));
      memory.fill(0);
      expectStrictEqual(decoded, recording);
      expectEqual(encodeRecording(decoded), file);
    }),
    { numRuns: 100 },
  );
});

test('a recording describes itself in plain text at the start of the file', () => {
  const text = new TextDecoder().decode(encodeRecording(smallRecording));
  expect(text).toMatch(/^BTWR/);
  expect(text).toContain('"setup":{"scene":"Türme"}');
  expect(text).toContain('["spawn","paint","load"]');
});

test('a recording omits the number of a pending call', () => {
  const command = smallRecording.entries.find(({ kind }) => kind === 'command');
  const pending = { ...command, call: 3 } as RecordingEntry;
  const decoded = decodeRecording(encodeRecording({ ...smallRecording, entries: [pending] }));
  expect(decoded.entries).toStrictEqual([command]);
});

const dragging = pointerRecording(2_000).entries;
const times = (count: number, entryAt: (index: number) => RecordingEntry): RecordingEntry[] =>
  Array.from({ length: count }, (_, index) => entryAt(index));
const hash = '0123456789abcdef';

test.each<[what: string, bytes: number, entries: RecordingEntry[]]>([
  ['a pointer move', 14.1, dragging.filter(({ kind }) => kind === 'input')],
  ['an entry, while the pointer drags,', 14.1, [...dragging]],
  [
    'an entry like the one before',
    2.4,
    times(100, () => ({ kind: 'input', tick: 3, input: inputOf(0, 0) })),
  ],
  ...[1, 6, 7, 60].map((ticks): [string, number, RecordingEntry[]] => [
    `a hash every ${ticks} ticks`,
    ticks < 7 ? 9 : 10,
    times(100, (index) => ({ kind: 'hash', tick: index * ticks, hash })),
  ]),
  [
    'a command, whose name is written once,',
    5.5,
    times(100, (tick) => ({
      kind: 'command',
      tick,
      name: 'a long name for a command',
      args: '[]',
    })),
  ],
])('%s uses at most %d bytes of a recording', (_, bytes, entries) => {
  const size = encodeRecording({ ...smallRecording, entries }).length;
  const none = encodeRecording({ ...smallRecording, entries: [] }).length;
  expect((size - none) / entries.length).toBeLessThanOrEqual(bytes);
});

test('values that would not be read back unchanged are not written', () => {
  const command = { kind: 'command', tick: 3, name: 'spawn', args: '["\ud800"]' } as const;
  expect(() => encodeRecording({ ...smallRecording, entries: [command] })).toThrow(/surrogate/);
  expect(() => encodeRecording({ ...smallRecording, lastTick: 1 })).toThrow(
    /^lastTick must be .* from 2/,
  );
});

const file = encodeRecording(smallRecording);

/** The first bytes, shorter than a magic, do not reveal the intended type of file. */
function cutOff(length: number, whole: number): RegExp {
  if (length < 4) return /^this is not a recording: it does not begin with "BTWR"$/;
  const expected = length < 16 ? 'its header alone has 16' : `should have ${whole}`;
  return new RegExp(`is cut off: it has ${length} bytes, and ${expected}$`);
}

test('a recording is refused wherever it is cut off', () => {
  for (let length = 0; length < file.length; length++) {
    const message = refusalOf(file.subarray(0, length), decodeRecording);
    expect([length, message]).toEqual([length, expect.stringMatching(cutOff(length, file.length))]);
  }
});

test('a recording is refused with bytes after its end', () => {
  const message = refusalOf(Uint8Array.of(...file, 0), decodeRecording);
  expect(message).toMatch(/is damaged: it has \d+ bytes, and should have \d+/);
});

test('a recording is refused when a newer or an older version of the library wrote it', () => {
  for (const [format, age] of [
    [FORMAT_VERSION + 1, 'a newer'],
    [FORMAT_VERSION - 1, 'an older'],
  ] as const) {
    expect(refusalOf(ofVersion(file, { format }), decodeRecording)).toContain(
      `version ${format} of the format, and version ${FORMAT_VERSION} is expected: ${age} version`,
    );
  }
});

test('a recording is refused when its states have another version', () => {
  for (const states of [STATE_VERSION - 1, STATE_VERSION + 1]) {
    expect(refusalOf(ofVersion(file, { states }), decodeRecording)).toContain(
      `this recording has version ${states} of saved states, and version ${STATE_VERSION} is expected: `,
    );
  }
  const without = encodeRecording({ ...smallRecording, start: undefined, states: [] });
  expect(decodeRecording(ofVersion(without, { states: STATE_VERSION + 1 })).entries).toEqual(
    smallRecording.entries,
  );
});

test('a recording is not read from memory that is no Uint8Array', () => {
  expect(() => decodeRecording(file.buffer as never)).toThrow(
    /^the recording must be a Uint8Array, but is/,
  );
});

test.each([
  ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)],
  ['a saved state', envelopeOf('saved state', [])],
])('%s is no recording', (_, bytes) => {
  expect(refusalOf(bytes, decodeRecording)).toBe(
    'this is not a recording: it does not begin with "BTWR"',
  );
});

const MESH = Uint8Array.of(9, 8, 7);
const name = assetName(MESH);

test('a recording whose assets are not those that it names is not written', () => {
  expect(() => encodeRecording({ ...smallRecording, assets: [] })).toThrow(
    `entries[5]: the command "load" names "${name}", and there is no such asset`,
  );
  const ofWorld = smallRecording.entries.filter(({ kind }) => kind === 'batch');
  expect(() => encodeRecording({ ...smallRecording, entries: ofWorld, assets: [] })).toThrow(
    `entries[0]: it names "${name}", and there is no such asset`,
  );
  const other = { name, bytes: Uint8Array.of(9, 8, 6) };
  expect(() => encodeRecording({ ...smallRecording, assets: [other] })).toThrow(
    `assets[0].name is "${name}", and its contents have the name "${assetName(other.bytes)}"`,
  );
  const setup = { level: [name] };
  const run = { ...smallRecording.run, setup };
  expect(() => encodeRecording({ ...smallRecording, run, entries: [], assets: [] })).toThrow(
    `run.setup names "${name}", and there is no such asset`,
  );
  expect(() => encodeRecording({ ...smallRecording, assets: [{ name } as never] })).toThrow(
    'assets[0].bytes must be a typed array or a DataView, but is undefined',
  );
});

test('a recording whose assets are not those that it names is not read', () => {
  // Neither is a recorder's doing: the checksum is right.
  const parts = partsIn('recording', file);
  const asset = parts.at(-1) as Uint8Array;
  const other = envelopeOf('recording', [...parts.slice(0, -1), asset.with(asset.length - 1, 0)]);
  expect(refusalOf(other, decodeRecording)).toContain(`assets[0].name is "${name}", and its`);
  const without = envelopeOf('recording', parts.slice(0, -1));
  expect(refusalOf(without, decodeRecording)).toContain(
    `cannot be: entries[5]: the command "load" names "${name}", and there is no such asset`,
  );
});

const HUGE = Number.MAX_SAFE_INTEGER;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** A byte, a varint if it is larger, a text with its length, or bytes. */
type Piece = number | string | Uint8Array;
const RUN = JSON.stringify(smallRecording.run);
/** The last tick, 20; the names of commands; entries. */
const chunk = (...entries: Piece[]): Piece[] => [20, '["spawn"]', ...entries];
const PARTS = { run: [[RUN]], start: [], entries: [chunk()], state: [], asset: [], other: [] };
type Parts = Partial<Record<keyof typeof PARTS, Piece[][]>>;

/** The file of a recording with these parts, any number of each kind, under correct checksums. */
function sealed(given: Parts): Uint8Array {
  const parts = Object.values({ ...PARTS, ...given } as Required<Parts>).flatMap((all, kind) =>
    all.map((pieces) => contentsOf(kind, ...pieces)),
  );
  return envelopeOf('recording', parts);
}
function contentsOf(...pieces: Piece[]): Uint8Array {
  const out = new ByteWriter();
  for (const piece of pieces) {
    if (typeof piece === 'string') out.text(piece);
    else if (typeof piece !== 'number') out.bytes(piece);
    else if (piece > 255) out.varint(piece);
    else out.byte(piece);
  }
  return out.toBytes();
}
const withSetup = (setup: string): Parts => ({ run: [[RUN.replace('{"scene":"Türme"}', setup)]] });
/** Entries under one list of names. */
const withEntries = (...entries: Piece[]): Parts => ({ entries: [chunk(...entries)] });
const filled = (count: number, value: number) => new Uint8Array(count).fill(value);
/** An entry whose tick is a varint. */
const LATER = 30 | (7 << 5);

test('the contents from which the invalid ones are derived are valid', () => {
  const { assets: __, ...small } = smallRecording;
  const empty = { ...small, start: undefined, entries: [], states: [] };
  expect(decodeRecording(sealed({}))).toEqual(empty);
  const command = { kind: 'command', tick: 0, name: 'spawn', args: '[]' };
  const written = withEntries(29, 0, '[]', 28, 0, '[]', 3, 2, 1, 0);
  expect(decodeRecording(sealed(written)).entries).toEqual([
    command,
    { ...command, data: Int16Array.of(1) },
  ]);
});

const NO_STATE = [0, 0];

test.each<[string, Parts, RegExp]>([
  ['a run that is not UTF-8', { run: [[1, 0xff]] }, /not UTF-8/],
  ['a run that is not JSON', { run: [['{']] }, /run is not JSON/],
  ['a run that is no object', { run: [['null']] }, /not a JSON object/],
  ['a very deep setup', withSetup(nested(100_000)), /run is not JSON|: run\.setup must not be/],
  ['two runs', { run: [[RUN], [RUN]] }, /does not begin with its run, or has more than one/],
  ['no run', { run: [] }, /does not begin with its run/],
  ['no parts', { run: [], entries: [] }, /run must be an object/],
  ['commands that are not JSON', { entries: [[20, '[']] }, /list of commands is not JSON/],
  ['no list of commands', { entries: [[20, '"spawn"']] }, /commands are no list of names/],
  ['commands without names', { entries: [[20, '[1]']] }, /commands are no list of names/],
  ['two states to start from', { start: [NO_STATE, NO_STATE] }, /more than one state/],
  ['a state longer than the file', { start: [[0, HUGE]] }, /announces 9007199254740991 bytes/],
  ['a part of unknown kind', { other: [[]] }, /a part of unknown kind 5/],
  ['an entry of unknown kind', withEntries(26, 0, 0), /unknown kind 26/],
  ['a tick beyond all ticks', withEntries(LATER, HUGE), /a tick in it is beyond/],
  ['a number of 56 bits', withEntries(LATER, filled(7, 255), 127), /greater than 2\^53/],
  ['a number without an end', withEntries(LATER, filled(12, 128)), /greater than 2\^53/],
  ['a code of 33 bits', withEntries(0, 1 << 5, 2 ** 32), /no number of 32 bits/],
  ['a command without a name', withEntries(29, 1, '[]'), /command number 1, and names 1/],
  ['arguments longer than the file', withEntries(29, 0, HUGE), /announces 9007\d+ bytes/],
  ['arguments that are not UTF-8', withEntries(29, 0, 2, 0x5b, 0xc0), /a text in it is not/],
  ['arguments that are not JSON', withEntries(29, 0, '['), /not a JSON array/],
  ['an array of unknown kind', withEntries(28, 0, '[]', 9, 2, 0, 0), /2 bytes of .* kind 9/],
  ['half a number', withEntries(28, 0, '[]', 7, 6, filled(6, 0)), /6 bytes of Float32Array/],
  ['half a hash', withEntries(31, 1, 2, 3, 4), /ends in the middle/],
  ['something after the last value', { state: [[1, 0, 9, 9]] }, /2 bytes follow its last value/],
])('a recording with %s under a correct checksum is refused', (_, contents, message) => {
  expect(refusalOf(sealed(contents), decodeRecording)).toMatch(message);
  expect(refusalOf(sealed(contents), decodeRecording)).toMatch(/^this recording cannot be: /);
});

test('a recording has no zero with a sign in its setup, which JSON would lose', () => {
  const run = { ...smallRecording.run, setup: [-0] };
  expect(decodeRecording(encodeRecording({ ...smallRecording, run })).run.setup).toEqual([0]);
  // Also too small for a number.
  const read = decodeRecording(sealed(withSetup('[-0,-1e-400]')));
  expect(read.run.setup).toStrictEqual([0, 0]);
  expect(decodeRecording(encodeRecording(read))).toStrictEqual(read);
});

test('random contents of a recording are refused by name, or read and written again as they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (entries) => {
      const files = [sealed(withEntries(entries)), sealed({ run: [[entries]] })];
      for (const one of files) expect(() => refusalOf(one, decodeRecording)).not.toThrow();
    }),
    { numRuns: 100 },
  );
  fc.assert(fc.property(changedFiles, tryChangedFile), { numRuns: 100 });
});

test('a file may have 4 GiB less a byte, and no more', () => {
  expect(headerOf('recording', 2 ** 32 - 1).subarray(8, 12)).toEqual(filled(4, 255));
  expect(() => headerOf('recording', 2 ** 32)).toThrow(
    "a recording of 4294967296 bytes is longer than the format's 4 GiB",
  );
});

const unfinished = encodeRecording({ ...smallRecording, isComplete: false });

const lastOf = (bytes: Uint8Array) => decodeRecording(bytes).lastTick;

test('a recording that was not finished ends with its last whole part', () => {
  const more = Uint8Array.of(...unfinished, ...partOf(contentsOf(2, 30, '[]')));
  expect(lastOf(more)).toBe(30);
  for (let length = unfinished.length; length < more.length; length++) {
    expect(decodeRecording(more.subarray(0, length))).toEqual(decodeRecording(unfinished));
  }
  const run = envelopeOf('recording', [contentsOf(0, RUN)], false);
  expect(decodeRecording(run)).toMatchObject({ entries: [], lastTick: 0, isComplete: false });
  expect(refusalOf(run.subarray(0, -1), decodeRecording)).toContain('cannot be: the description');
});

test('the refusal of a damaged recording that was not finished says how much of it is whole', () => {
  const more = Uint8Array.of(...unfinished, ...partOf(contentsOf(2, 30, '[]')));
  const last = unfinished.length;
  // The length of the part, which would otherwise be cut off; its contents.
  for (const at of [last + 1, last + 12]) {
    const damaged = more.with(at, (more[at] as number) ^ 4);
    expect(refusalOf(damaged, decodeRecording)).toBe(
      `this recording is damaged after its first ${last} bytes, which are whole and can be read without the rest`,
    );
  }
  expect(lastOf(more.subarray(0, last))).toBe(20);
});
