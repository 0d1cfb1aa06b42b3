import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  requireRecording,
  requireSavedState,
} from '../../../../src/shared/recording/recording-checks.js';
import { recordings, smallRecording } from '../../../fixtures/recordings.js';

const { run } = smallRecording;
const state = { tick: 3, bytes: new Uint8Array() };
const input = { kind: 'keydown', code: 0, device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0 };
const withEntry = (entry: unknown) => ({ entries: [smallRecording.entries[0], entry] });

test('a recording passes as it is', () => {
  fc.assert(
    fc.property(recordings, (recording) => {
      expect(requireRecording(recording)).toStrictEqual(recording);
    }),
  );
});

describe('a recording is refused by the name of the field:', () => {
  test.each<[object, typeof TypeError | typeof RangeError, RegExp]>([
    [{ run: undefined }, TypeError, /^the description of a run must be an object/],
    [{ run: { ...run, capacity: 2 ** 31 } }, RangeError, /^run\.capacity must be a whole number/],
    [{ run: { ...run, setup: undefined } }, TypeError, /^run\.setup must be there/],
    [{ lastTick: '5' }, TypeError, /^lastTick must be a number, but is a value of type string$/],
    [{ lastTick: -3 }, RangeError, /^lastTick must be a whole number from 2 .* but is -3$/],
    [{ lastTick: 3.5 }, RangeError, /^lastTick must be a whole number .* but is 3\.5$/],
    [{ lastTick: Number.NaN }, RangeError, /^lastTick must be a whole number .* but is NaN$/],
    [{ lastTick: undefined }, TypeError, /^lastTick must be a number, but is undefined$/],
    [{ start: null }, TypeError, /^start must be an object, but is null$/],
    [{ start: { ...state, tick: -1 } }, RangeError, /^start\.tick must be a whole number from 0/],
    [{ start: { ...state, bytes: 'x' } }, TypeError, /^start\.bytes must be a Uint8Array, but is/],
    [{ entries: 5 }, TypeError, /^entries must be a list, but is a value of type number$/],
    [{ entries: {} }, TypeError, /^entries must be a list/],
    [withEntry(undefined), TypeError, /^entries\[1\]: it must be an object, but is undefined$/],
    [withEntry({ kind: 'wish', tick: 9 }), TypeError, /^entries\[1\]: there are no entries of/],
    [withEntry({ kind: 'step', tick: 9, dt: Number.NaN }), RangeError, /^entries\[1\]: a step/],
    [
      withEntry({ kind: 'step', tick: 0, dt: 1 }),
      RangeError,
      /^entries\[1\]: tick must be .* from/,
    ],
    [withEntry({ kind: 'hash', tick: 9, hash: 3 }), TypeError, /^entries\[1\]: hash must be a str/],
    [withEntry({ kind: 'hash', tick: 9, hash: 'x' }), RangeError, /^entries\[1\]: a state hash/],
    [withEntry({ kind: 'input', tick: 9 }), TypeError, /^entries\[1\]: input must be an object/],
    [
      withEntry({ kind: 'input', tick: 9, input: { ...input, y: '1' } }),
      TypeError,
      /^entries\[1\]: input\.y must be a number, but is a value of type string$/,
    ],
    [
      withEntry({ kind: 'input', tick: 9, input: { ...input, fraction: 0.1 } }),
      RangeError,
      /^entries\[1\]: input\.fraction must be a 32-bit number, but is 0\.1$/,
    ],
    [
      withEntry({ kind: 'command', tick: 9, args: '[]' }),
      TypeError,
      /^entries\[1\]: name must be a string, but is undefined$/,
    ],
    [
      withEntry({ kind: 'command', tick: 9, name: 'spawn', args: ['[]'] }),
      TypeError,
      /^entries\[1\]: args must be a string, but is an array$/,
    ],
    [
      withEntry({ kind: 'command', tick: 9, name: 'spawn', args: '{}' }),
      TypeError,
      /^entries\[1\]: the arguments of command "spawn" are not a JSON array$/,
    ],
    [
      withEntry({ kind: 'command', tick: 9, name: 'spawn', args: '[]', data: [1] }),
      TypeError,
      /^entries\[1\]: the data of command "spawn" must be one of Int8Array, /,
    ],
    [{ states: undefined }, TypeError, /^states must be a list, but is undefined$/],
    [{ states: [state, 3] }, TypeError, /^states\[1\] must be an object/],
    [
      { states: [state, { ...state, tick: 2 }] },
      RangeError,
      /^states\[1\]\.tick must be a whole number from 3 /,
    ],
    [{ isComplete: 'no' }, TypeError, /^isComplete must be a boolean/],
  ])('%j', (change, ErrorClass, message) => {
    const check = () => requireRecording({ ...smallRecording, ...change });
    expect(check).toThrow(ErrorClass);
    expect(check).toThrow(message);
  });

  test.each([undefined, null, 'file', []])('%j is none', (value) => {
    expect(() => requireRecording(value)).toThrow(/^the recording must be an object, but is/);
  });
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
