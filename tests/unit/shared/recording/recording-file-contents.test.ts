import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/shared/util/byte-writer.js';
import { sealFile } from '../../../../src/shared/recording/recording-envelope.js';
import {
  decodeRecording,
  encodeRecording,
} from '../../../../src/shared/recording/recording-file.js';
import { CONTENTS, refusalOf, resealed } from '../../../fixtures/recording-files.js';
import { recordings, smallRecording } from '../../../fixtures/recordings.js';

const HUGE = Number.MAX_SAFE_INTEGER;
const header = { ...smallRecording.run, lastTick: 20, commands: ['spawn'] };

const headerText = JSON.stringify(header);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** The parts of a recording's contents, each of which a test can replace. */
interface Contents {
  readonly header: (out: ByteWriter) => void;
  readonly start: (out: ByteWriter) => void;
  readonly entries: (out: ByteWriter) => void;
  readonly states: (out: ByteWriter) => void;
  readonly assets: (out: ByteWriter) => void;
}
const nothing = (out: ByteWriter): void => out.byte(0);
const noContents: Contents = {
  header: (out) => out.text(JSON.stringify(header)),
  start: nothing,
  entries: nothing,
  states: nothing,
  assets: nothing,
};
const sealed = (contents: Partial<Contents>): Uint8Array => {
  const out = new ByteWriter();
  const all = { ...noContents, ...contents };
  for (const part of ['header', 'start', 'entries', 'states', 'assets'] as const) all[part](out);
  return sealFile('recording', out.toBytes());
};
const withHeader = (change: object): Uint8Array =>
  sealed({ header: (out) => out.text(JSON.stringify({ ...header, ...change })) });
/** Bytes are literal; a longer number is a varint. */
const withEntries = (count: number, ...entries: (number | string)[]): Uint8Array =>
  sealed({
    entries: (out) => {
      out.varint(count);
      for (const part of entries) {
        if (typeof part === 'string') out.text(part);
        else if (part > 255) out.varint(part);
        else out.byte(part);
      }
    },
  });

describe('invalid contents under a correct checksum', () => {
  test('the contents that the invalid ones are derived from are valid', () => {
    const { assets: __, ...small } = smallRecording;
    expect(decodeRecording(sealed({}))).toEqual({
      ...small,
      start: undefined,
      entries: [],
      states: [],
    });
    expect(decodeRecording(withEntries(1, 29, 0, '[]')).entries).toHaveLength(1);
    expect(decodeRecording(withEntries(1, 28, 0, '[]', 3, 2, 1, 0)).entries).toEqual([
      { kind: 'command', tick: 0, name: 'spawn', args: '[]', data: Int16Array.of(1) },
    ]);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['no contents', sealFile('recording', new Uint8Array()), /ends in the middle/],
    [
      'a header longer than the file',
      sealed({ header: (out) => out.varint(HUGE) }),
      /announces 9007199254740991 bytes/,
    ],
    [
      'a header that is not UTF-8',
      sealed({ header: (out) => out.countedBytes(Uint8Array.of(0xff)) }),
      /not UTF-8/,
    ],
    ['a header that is not JSON', sealed({ header: (out) => out.text('{') }), /header is not JSON/],
    [
      'a header that is no object',
      sealed({ header: (out) => out.text('null') }),
      /not a JSON object/,
    ],
    ['half a seed', withHeader({ seed: 0.5 }), /: run\.seed must be a whole/],
    ['a seed of 33 bits', withHeader({ seed: 2 ** 32 }), /: run\.seed must be/],
    ['a capacity below 1', withHeader({ capacity: 0 }), /: run\.capacity must be/],
    ['a capacity beyond all', withHeader({ capacity: 2 ** 20 + 1 }), /capacity must be .* 1048576/],
    ['no setup', withHeader({ setup: undefined }), /setup must be there/],
    [
      'a setup that is infinite',
      sealed({ header: (out) => out.text(headerText.replace('{"scene":"Türme"}', '1e999')) }),
      /setup must be a value that JSON can hold, but is Infinity/,
    ],
    [
      'a setup a million levels deep',
      sealed({
        header: (out) => out.text(headerText.replace('{"scene":"Türme"}', nested(1_000_000))),
      }),
      /header is not JSON|: run\.setup must not be nested/,
    ],
    [
      'a setup more than 200 levels deep',
      sealed({ header: (out) => out.text(headerText.replace('{"scene":"Türme"}', nested(201))) }),
      /setup must not be nested more than 200 levels deep/,
    ],
    ['no engine', withHeader({ engine: 3 }), /engine must be a string/],
    ['an unknown policy', withHeader({ invalidPoses: 'melt' }), /invalidPoses must be one of/],
    ...[0, -1, Number.NaN, Infinity].map((dt): [string, Uint8Array, RegExp] => [
      `a step of ${dt}`,
      sealed({
        entries: (out) => {
          out.varint(1);
          out.byte(30);
          out.float64(dt);
        },
      }),
      new RegExp(`: entries\\[0\\]: a step must be .* but is ${dt}$`),
    ]),
    ['no last tick', withHeader({ lastTick: '20' }), /: lastTick must be a number/],
    ['no list of commands', withHeader({ commands: 'spawn' }), /: commands must be a list/],
    ['commands without names', withHeader({ commands: [1] }), /: commands must be a list/],
    [
      'two states to start from',
      sealed({ start: (out) => out.bytes(Uint8Array.of(2, 0, 0, 0, 0)) }),
      /more than one state/,
    ],
    [
      'a start after the end',
      sealed({ start: (out) => out.bytes(Uint8Array.of(1, 21, 0)) }),
      /: lastTick must be a whole number from 21 .* but is 20/,
    ],
    [
      'a state longer than the file',
      sealed({
        start: (out) => {
          out.byte(1);
          out.byte(0);
          out.varint(HUGE);
        },
      }),
      /announces 9007199254740991 bytes/,
    ],
    [
      'more states than bytes',
      sealed({ states: (out) => out.varint(HUGE) }),
      /announces 9007199254740991 states/,
    ],
    [
      'a state beyond all ticks',
      sealed({
        states: (out) => {
          out.byte(2);
          out.varint(HUGE);
          out.byte(0);
          out.byte(1);
          out.byte(0);
        },
      }),
      /beyond 2\^53/,
    ],
    [
      'more assets than bytes',
      sealed({ assets: (out) => out.varint(HUGE) }),
      /announces 9007199254740991 assets/,
    ],
    [
      'an asset longer than the file',
      sealed({
        assets: (out) => {
          out.byte(1);
          out.bytes(new Uint8Array(8));
          out.varint(HUGE);
        },
      }),
      /announces 9007199254740991 bytes/,
    ],
    [
      'an asset with other contents',
      sealed({ assets: (out) => out.bytes(Uint8Array.of(1, 1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 9)) }),
      /: assets\[0\]\.name is "asset:0403020108070605", and its contents have the name "asset:/,
    ],
    ['more entries than bytes', withEntries(HUGE), /announces 9007199254740991 entries/],
    ['an entry that does not exist', withEntries(1), /announces 1 entries|ends in the middle/],
    ['an entry of unknown kind', withEntries(1, 27, 0, 0), /unknown kind 27/],
    ['a tick beyond all ticks', withEntries(1, 30 | (7 << 5), HUGE), /a tick in it is beyond/],
    [
      'a number of 63 bits',
      withEntries(1, 30 | (7 << 5), ...Array.from({ length: 8 }, () => 255), 0),
      /greater than 2\^53/,
    ],
    [
      'a number of 56 bits',
      withEntries(1, 30 | (7 << 5), ...Array.from({ length: 7 }, () => 255), 127),
      /greater than 2\^53/,
    ],
    [
      'a number without an end',
      withEntries(1, 30 | (7 << 5), ...Array.from({ length: 12 }, () => 128)),
      /greater than 2\^53/,
    ],
    ['a code of more than 32 bits', withEntries(1, 0, 1 << 5, 2 ** 32), /no number of 32 bits/],
    ['a command without a name', withEntries(1, 29, 1, '[]'), /command number 1, and names 1/],
    [
      'arguments longer than the file',
      withEntries(1, 29, 0, HUGE),
      /announces 9007199254740991 bytes/,
    ],
    ['arguments that are not JSON', withEntries(1, 29, 0, '['), /not a JSON array/],
    ['arguments that are no array', withEntries(1, 29, 0, '3'), /not a JSON array/],
    [
      'an array of unknown kind',
      withEntries(1, 28, 0, '[]', 9, 2, 0, 0),
      /it gives command "spawn" 2 bytes of array of unknown kind 9/,
    ],
    [
      'an array with half an element',
      withEntries(1, 28, 0, '[]', 7, 6, 0, 0, 0, 0, 0, 0),
      /it gives command "spawn" 6 bytes of Float32Array/,
    ],
    [
      'an array longer than the file',
      withEntries(1, 28, 0, '[]', 1, HUGE),
      /announces 9007199254740991 bytes/,
    ],
    ['an array for arguments that are not JSON', withEntries(1, 28, 0, '[', 1, 0), /not a JSON/],
    ['half a hash', withEntries(1, 31, 1, 2, 3, 4), /ends in the middle/],
    [
      'something after the last value',
      sealed({ assets: (out) => out.bytes(Uint8Array.of(0, 9, 9)) }),
      /2 bytes follow its last value/,
    ],
  ])('%s', (_, bytes, message) => {
    expect(refusalOf(bytes, decodeRecording)).toMatch(message);
    expect(refusalOf(bytes, decodeRecording)).toMatch(/^this recording cannot be: /);
  });

  test('arguments that are not UTF-8', () => {
    const bytes = sealed({ entries: (out) => out.bytes(Uint8Array.of(1, 29, 0, 2, 0x5b, 0xc0)) });
    expect(refusalOf(bytes, decodeRecording)).toMatch(/a text in it is not UTF-8/);
  });

  test('random contents are read or refused, and have no other effect', () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const positions = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(bytes, (entries) => {
        const files = [
          sealed({ entries: (out) => out.bytes(entries) }),
          sealFile('recording', entries),
        ];
        for (const file of files) expect(() => refusalOf(file, decodeRecording)).not.toThrow();
      }),
      { numRuns: 400 },
    );
    fc.assert(
      fc.property(recordings, positions, (recording, changes) => {
        const whole = encodeRecording(recording);
        for (const [index, byte] of changes) {
          whole[CONTENTS + (index % (whole.length - CONTENTS))] = byte;
        }
        expect(() => refusalOf(resealed(whole), decodeRecording)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
