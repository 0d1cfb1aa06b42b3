import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordingFormatError } from '../../../../src/shared/util/errors.js';
import {
  decodeRunState,
  encodeRunState,
  type RunState,
} from '../../../../src/sim-worker/run/run-state.js';
import { runs, steps } from '../../../fixtures/recordings.js';

const bytes = fc.uint8Array({ maxLength: 40 });
const states: fc.Arbitrary<RunState> = fc.record(
  {
    tick: fc.maxSafeNat(),
    simulatedSeconds: fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
    dt: steps,
    random: fc.integer(),
    run: runs,
    bodies: bytes,
    simulation: bytes,
  },
  { noNullPrototype: true },
);

const STATE: RunState = {
  tick: 300,
  simulatedSeconds: 5,
  dt: 1 / 60,
  random: -7,
  run: {
    seed: 1,
    setup: { name: 'Höhle' },
    capacity: 8,
    engine: 'toy 1',
    invalidPoses: 'stop',
    generation: 0,
  },
  bodies: Uint8Array.of(1, 2, 3),
  simulation: Uint8Array.of(4, 5),
};

function outcomeOf(decode: () => RunState): unknown {
  try {
    decode();
    return 'a state';
  } catch (error) {
    return error;
  }
}

test('the saved state of a run is read as it was written', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(decodeRunState(encodeRunState(state))).toStrictEqual(state);
    }),
  );
});

test('the saved state of a run is read from the middle of other bytes, and has its own bytes', () => {
  const encoded = encodeRunState(STATE);
  const around = new Uint8Array(encoded.length + 10).fill(9);
  around.set(encoded, 3);
  const decoded = decodeRunState(around.subarray(3, 3 + encoded.length));
  around.fill(0);
  expect(decoded).toEqual(STATE);
});

test('bytes that are not a saved run are refused: cut off anywhere, longer, or without a valid description', () => {
  const encoded = encodeRunState(STATE);
  for (let length = 0; length < encoded.length; length++) {
    expect(() => decodeRunState(encoded.subarray(0, length))).toThrow(RecordingFormatError);
  }
  const longer = Uint8Array.of(...encoded, 0);
  const undescribed = encodeRunState({ ...STATE, run: null as never });
  for (const wrong of [longer, undescribed]) {
    expect(() => decodeRunState(wrong)).toThrow(RecordingFormatError);
  }
});

test('bytes that are not a saved run never cause another error, whatever they are', () => {
  const encoded = encodeRunState(STATE);
  fc.assert(
    fc.property(fc.nat({ max: encoded.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const damaged = encoded.slice();
      damaged[at] = byte;
      const outcome = outcomeOf(() => decodeRunState(damaged));
      expect(outcome === 'a state' || outcome instanceof RecordingFormatError).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each<[string, (encoded: Uint8Array) => Uint8Array, RegExp]>([
  ['none at all', () => new Uint8Array(0), /not the saved state of a run: it ends in the middle/],
  ['others', () => new Uint8Array(100), /its first word is not "btws"/],
  ['an older version', (encoded) => encoded.fill(2, 4, 5), /of version 2, and .* version 3/],
  ['a newer version', (encoded) => encoded.fill(4, 4, 5), /of version 4, and .* version 3/],
  [
    'a text that is no JSON',
    (encoded) => encoded.with(encoded.indexOf('{'.charCodeAt(0)), 0x20),
    /not the saved state of a run: .*JSON/,
  ],
])('the message says why bytes are not a saved run: %s', (_, change, message) => {
  expect(() => decodeRunState(change(encodeRunState(STATE)))).toThrow(message);
});
