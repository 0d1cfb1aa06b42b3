import { describe, expect, test } from 'vitest';
import { LAYOUT_VERSION } from '../../../../src/shared/memory/layout.js';
import { FILE_VERSION } from '../../../../src/shared/recording/recording-envelope.js';
import {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
} from '../../../../src/shared/recording/recording-file.js';
import { assetName } from '../../../../src/shared/recording/asset.js';
import { CONTENTS, changed, refusalOf, resealed } from '../../../fixtures/recording-files.js';
import { smallRecording } from '../../../fixtures/recordings.js';

const file = encodeRecording(smallRecording);
const stateFile = encodeSavedState({ tick: 3, bytes: Uint8Array.of(1, 2) }, smallRecording.run);

const ofVersion = (version: number, bytes: Uint8Array): Uint8Array =>
  resealed(changed(bytes, (view) => view.setUint16(4, version, true)));
const ofLayout = (version: number, bytes: Uint8Array): Uint8Array =>
  resealed(changed(bytes, (view) => view.setUint16(6, version, true)));

/** The first bytes, shorter than a magic, do not reveal the intended type of file. */
function cutOff(length: number, whole: number): RegExp {
  if (length < 4) return /^this file is (?:empty|not a)/;
  const expected = length < CONTENTS ? `its header alone has ${CONTENTS}` : `should have ${whole}`;
  return new RegExp(`is cut off: it has ${length} bytes, and ${expected}$`);
}

describe.each([
  ['a recording', file, decodeRecording],
  ['a saved state', stateFile, decodeSavedState],
] as const)('%s', (_, whole, decode) => {
  test('is read when it is complete', () => {
    expect(refusalOf(whole, decode)).toBeUndefined();
    expect(refusalOf(resealed(whole), decode)).toBeUndefined();
  });

  test('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length; length++) {
      const message = refusalOf(whole.subarray(0, length), decode);
      expect([length, message]).toEqual([
        length,
        expect.stringMatching(cutOff(length, whole.length)),
      ]);
    }
  });

  test('is refused with any of its bits flipped', () => {
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const at = bit >> 3;
      const damaged = whole.with(at, (whole[at] ?? 0) ^ (1 << (bit & 7)));
      const message = refusalOf(damaged, decode);
      // The magic, the version and the length, which precede the checksum, have their own errors.
      const expected = at < 12 ? /^this / : /is damaged: its checksum should be/;
      expect([bit, message]).toEqual([bit, expect.stringMatching(expected)]);
    }
  });

  test('is refused with bytes after its end', () => {
    const message = refusalOf(Uint8Array.of(...whole, 0), decode);
    expect(message).toMatch(/is damaged: it has \d+ bytes, and should have \d+/);
  });

  test('is refused when a newer or an older version of the library wrote it', () => {
    expect(refusalOf(ofVersion(FILE_VERSION + 1, whole), decode)).toMatch(
      /version 4 of the format, and version 1 to 3 is expected: a newer version/,
    );
    expect(refusalOf(ofVersion(0, whole), decode)).toMatch(
      /version 0 of the format, and version 1 to 3 is expected: an older version/,
    );
  });

  test('is refused when its states have another layout', () => {
    expect(refusalOf(ofLayout(LAYOUT_VERSION + 1, whole), decode)).toContain(
      `a state of layout ${LAYOUT_VERSION + 1}`,
    );
  });

  test('is not the memory of one', () => {
    expect(() => decode(whole.buffer as never)).toThrow(/^the file must be a Uint8Array, but is/);
  });

  test.each([
    ['nothing', new Uint8Array(), /empty, and should be a/],
    ['one byte', Uint8Array.of(66), /not a .*begins with the bytes 42,/],
    ['zeros', new Uint8Array(100), /begins with the bytes 00 00 00 00/],
    ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), /bytes 89 50 4e 47/],
    ['JSON', new TextEncoder().encode(JSON.stringify(smallRecording)), /not a .*bytes 7b 22/],
  ])('is not %s', (__, bytes, message) => {
    expect(refusalOf(bytes, decode)).toMatch(message);
  });
});

test('a recording is no saved state, and a saved state is no recording', () => {
  expect(refusalOf(file, decodeSavedState)).toBe(
    'this file is a recording, and should be a saved state',
  );
  expect(refusalOf(stateFile, decodeRecording)).toBe(
    'this file is a saved state, and should be a recording',
  );
});

test('a recording without states can be read even if states now have another layout', () => {
  const without = encodeRecording({ ...smallRecording, start: undefined, states: [] });
  expect(decodeRecording(ofLayout(LAYOUT_VERSION + 1, without)).entries).toEqual(
    smallRecording.entries,
  );
});

test('a saved state is read in the version before: it contains nothing that has changed', () => {
  const before = ofVersion(FILE_VERSION - 1, stateFile);
  expect(decodeSavedState(before)).toEqual(decodeSavedState(stateFile));
});

/** As the library wrote it when files had version 2. */
const VERSION_2 =
  'QlRXUgIABgD0AAAAtC9OJ6AxQmmUAXsic2VlZCI6Nywic2V0dXAiOnsic2NlbmUiOiJUw7xybWUifSwiY2FwYWNpdHkiOjY0LCJlbmdpbmUiOiJl' +
  'IDEiLCJpbnZhbGlkUG9zZXMiOiJmcmVlemUiLCJnZW5lcmF0aW9uIjowLCJsYXN0VGljayI6MjAsImNvbW1hbmRzIjpbInNwYXduIiwicGFpbnQi' +
  'XX0ABl4RERERERGRPyNTAgAAAAAAAOA/mpmZmZmZub8AoAcAAIA+/QIACFsxLCLDtiJdHAEFWyJ4Il0DBP7/AwL/AWdFIwHvzauJAA==';

test('a recording of version 2 is read: it has no assets', () => {
  const read = decodeRecording(Uint8Array.from(atob(VERSION_2), (char) => char.charCodeAt(0)));
  const { assets: _, start: __, ...small } = smallRecording;
  const entries = small.entries.filter(
    (entry) => entry.kind !== 'command' || entry.name !== 'load',
  );
  expect(read).toEqual({ ...small, start: undefined, entries, states: [] });
});

describe('a recording whose assets are not those that it names', () => {
  const [{ name, bytes } = { name: 'asset:' as const, bytes: Uint8Array.of() }] =
    smallRecording.assets ?? [];
  const at = file.length - bytes.length;

  test('is not written', () => {
    expect(() => encodeRecording({ ...smallRecording, assets: [] })).toThrow(
      `entries[5]: the command "load" names "${name}", and there is no such asset`,
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

  test('is refused when it is read', () => {
    // Neither is a recorder's doing: the checksum is right.
    const other = resealed(changed(file, (view) => view.setUint8(at, 0)));
    expect(refusalOf(other, decodeRecording)).toContain(`assets[0].name is "${name}", and its`);
    const none = file.slice(0, file.length - bytes.length - 10);
    const without = resealed(
      changed(Uint8Array.of(...none, 0), (view) => view.setUint32(8, none.length + 1, true)),
    );
    expect(refusalOf(without, decodeRecording)).toContain(
      `cannot be: entries[5]: the command "load" names "${name}", and there is no such asset`,
    );
  });
});
