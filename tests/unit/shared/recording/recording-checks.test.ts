import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  requireRecording,
  requireSavedState,
} from '../../../../src/shared/recording/recording-checks.js';
import { recordings, smallRecording } from '../../../fixtures/recordings.js';

const { run } = smallRecording;
const [first] = smallRecording.entries;
const state = { tick: 3, bytes: new Uint8Array() };
const press = { kind: 'keydown', code: 0, device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0 };
const withRun = (change: object) => ({ run: { ...run, ...change } });
const withEntry = (entry: unknown) => ({ entries: [first, entry] });
const withInput = (change: object) =>
  withEntry({ kind: 'input', tick: 9, input: { ...press, ...change } });
const withCommand = (change: object) => withEntry({ kind: 'command', tick: 9, ...change });
const withHash = (hash: unknown) => withEntry({ kind: 'hash', tick: 9, hash });
const withMark = (change: object) => ({ kept: [{ tick: 3, number: 1, ...change }] });

test('a valid recording passes the checks as it is', () => {
  fc.assert(
    fc.property(recordings, (recording) => {
      expect(requireRecording(recording)).toStrictEqual(recording);
    }),
  );
  const more = { ...smallRecording, ...withMark({ tick: 0, number: 0 }), isComplete: false };
  expect(requireRecording(more)).toStrictEqual(more);
});

test.each<[change: object, error: typeof TypeError | typeof RangeError, message: RegExp]>([
  [{ run: undefined }, TypeError, /^the description of a run must be an object/],
  [withRun({ capacity: 0 }), RangeError, /^run\.capacity must be a whole number from 1 to 1048576/],
  [withRun({ seed: 2 ** 32 }), RangeError, /^run\.seed must be a whole number/],
  [withRun({ setup: undefined }), TypeError, /^run\.setup must be there/],
  [withRun({ setup: { x: Number.NaN } }), TypeError, /^run\.setup, at x,/],
  [withRun({ engine: undefined }), TypeError, /^run\.engine must be a string/],
  [withRun({ invalidPoses: 'melt' }), RangeError, /^run\.invalidPoses must be one of/],
  [{ lastTick: '5' }, TypeError, /^lastTick must be a number, but is a value of type string$/],
  [{ lastTick: 1 }, RangeError, /^lastTick must be a whole number from 2 .* but is 1$/],
  [{ start: null }, TypeError, /^start must be an object, but is null$/],
  [{ start: { ...state, tick: -1 } }, RangeError, /^start\.tick must be a whole number from 0/],
  [{ entries: 5 }, TypeError, /^entries must be an array, but is a value of type number$/],
  [withEntry(undefined), TypeError, /^entries\[1\]: it must be an object, but is undefined$/],
  [withEntry({ kind: 'wish', tick: 9 }), TypeError, /^entries\[1\]: there are no entries of kind/],
  [withEntry({ kind: 'step', tick: 9, dt: Number.NaN }), RangeError, /^entries\[1\]: a step/],
  [withEntry({ kind: 'step', tick: 1, dt: 1 }), RangeError, /^entries\[1\]: tick .* from 2/],
  [{ entries: [{ ...first, tick: -1 }] }, RangeError, /^entries\[0\]: tick must be .* from 0/],
  [withHash(3), TypeError, /^entries\[1\]: hash must be a string/],
  [withHash('01234567'), RangeError, /^entries\[1\]: a state hash has 16 hexadecimal digits/],
  [withEntry({ kind: 'input', tick: 9 }), TypeError, /^entries\[1\]: input must be an object/],
  [withInput({ kind: 'smell' }), RangeError, /input\.kind must be one of keydown/],
  [withInput({ code: 0.5 }), RangeError, /input\.code must be a whole number/],
  [withInput({ device: 2 ** 31 }), RangeError, /input\.device must be a whole number/],
  [withInput({ y: '1' }), TypeError, /input\.y must be a number, but is a value of type string$/],
  [withInput({ fraction: 0.1 }), RangeError, /input\.fraction must be a 32-bit number/],
  [withCommand({ args: '[]' }), TypeError, /^entries\[1\]: name must be a string/],
  [withCommand({ name: 'a', args: ['[]'] }), TypeError, /args must be a string, but is an array$/],
  [withCommand({ name: 'a', args: '{}' }), TypeError, /arguments of command "a" are not a JSON/],
  [withCommand({ name: 'a', args: '[]', data: [1] }), TypeError, /data of command "a" must be/],
  [{ states: [state, 3] }, TypeError, /^states\[1\] must be an object/],
  [{ states: [state, { ...state, tick: 2 }] }, RangeError, /^states\[1\]\.tick must be .* from 3 /],
  [{ kept: [3] }, TypeError, /^kept\[0\] must be an object/],
  [withMark({ tick: -1 }), RangeError, /^kept\[0\]\.tick must be a whole number from 0/],
  [withMark({ number: 0.5 }), RangeError, /^kept\[0\]\.number must be a whole number from 0/],
  [{ assets: {} }, TypeError, /^assets must be an array/],
  [{ isComplete: 'no' }, TypeError, /^isComplete must be true or false/],
])('a recording with %j is refused by the name of the field', (change, ErrorClass, message) => {
  const check = () => requireRecording({ ...smallRecording, ...change });
  expect(check).toThrow(ErrorClass);
  expect(check).toThrow(message);
});

test.each([undefined, null, 'file', []])('%j is no recording', (value) => {
  expect(() => requireRecording(value)).toThrow(/^the recording must be an object, but is/);
});

test('a saved state may have the bytes of a Buffer, and no others', () => {
  const { tick } = state;
  const buffer = Buffer.of(1, 2);
  expect(requireSavedState('state', { tick, bytes: buffer }).bytes).toBe(buffer);
  for (const bytes of [undefined, 'x', [1], new ArrayBuffer(3), new Float32Array(3)]) {
    expect(() => requireSavedState('state', { tick, bytes })).toThrow(
      /^state\.bytes must be a Uint8Array, but is /,
    );
  }
});
