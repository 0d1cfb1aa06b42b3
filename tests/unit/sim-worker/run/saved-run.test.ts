import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordingFormatError } from '../../../../src/shared/util/recording-format-error.js';
import {
  decodeRunState,
  encodeRunState,
  type RunState,
} from '../../../../src/sim-worker/run/saved-run.js';
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

describe('a state', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(decodeRunState(encodeRunState(state))).toStrictEqual(state);
      }),
    );
  });

  test('is read from the middle of other bytes, and has its own bytes', () => {
    const encoded = encodeRunState(STATE);
    const around = new Uint8Array(encoded.length + 10).fill(9);
    around.set(encoded, 3);
    const decoded = decodeRunState(around.subarray(3, 3 + encoded.length));
    around.fill(0);
    expect(decoded).toEqual(STATE);
  });
});

describe('bytes that are not a state', () => {
  test('are refused wherever they are cut off', () => {
    const encoded = encodeRunState(STATE);
    for (let length = 0; length < encoded.length; length++) {
      expect(() => decodeRunState(encoded.subarray(0, length))).toThrow(RecordingFormatError);
    }
  });

  test('never cause another error, whatever they are', () => {
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
    ['an older version', (encoded) => encoded.fill(1, 4, 5), /of version 1, and .* version 2/],
    ['a newer version', (encoded) => encoded.fill(3, 4, 5), /of version 3, and .* version 2/],
    [
      'a text that is no JSON',
      (encoded) => encoded.with(encoded.indexOf('{'.charCodeAt(0)), 0x20),
      /not the saved state of a run: .*JSON/,
    ],
  ])('%s: the message says why', (_, change, message) => {
    expect(() => decodeRunState(change(encodeRunState(STATE)))).toThrow(message);
  });

  test('without a valid description are refused', () => {
    const encoded = encodeRunState({ ...STATE, run: null as unknown as RunState['run'] });
    expect(() => decodeRunState(encoded)).toThrow(RecordingFormatError);
  });

  test('that continue after its end are refused: they belong to something else', () => {
    const encoded = encodeRunState(STATE);
    const longer = new Uint8Array(encoded.length + 1);
    longer.set(encoded);
    expect(() => decodeRunState(longer)).toThrow(RecordingFormatError);
  });
});
