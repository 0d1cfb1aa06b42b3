import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelopeOf } from '../../../../src/shared/recording/envelope.js';
import { RecordingFormatError } from '../../../../src/shared/util/errors.js';
import {
  decodeRunState,
  encodeRunState,
  type RunState,
} from '../../../../src/sim-worker/run/run-state.js';
import { ofVersion, partsIn } from '../../../fixtures/recording-files.js';
import { runs, smallRecording, steps } from '../../../fixtures/recordings.js';

const bytes = fc.uint8Array({ maxLength: 40 });
const word = fc.oneof(fc.constant(0), fc.integer());
const values = fc
  .array(word, { maxLength: 6 })
  .map((words) => new Float32Array(Int32Array.from(words).buffer));
const input = fc
  .array(fc.nat(), { maxLength: 4 })
  .map((codes) => ({ keys: codes.map((code) => [code]), pointers: [], buttons: [], axes: [] }));
const states: fc.Arbitrary<RunState> = fc
  .record(
    {
      tick: fc.maxSafeNat(),
      simulatedSeconds: fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
      dt: steps,
      random: fc.integer(),
      input,
      run: runs,
      bodies: fc.array(bytes, { maxLength: 5 }),
      simulation: bytes,
      values,
    },
    { noNullPrototype: true },
  )
  .map((state) => Object.assign(state, { run: { ...state.run, values: state.values.length } }));

const STATE: RunState = {
  tick: 300,
  simulatedSeconds: 5,
  dt: 1 / 60,
  random: -7,
  input: { keys: [[3]], pointers: [], buttons: [], axes: [[0, 1, 0.5]] },
  run: { ...smallRecording.run, values: 4 },
  bodies: [Uint8Array.of(1, 2, 3), Uint8Array.of()],
  simulation: Uint8Array.of(4, 5),
  values: Float32Array.of(0, Number.NaN, -0, 0),
};

test('the saved state of a run is read as it was written, from the middle of other bytes, and has its own', () => {
  fc.assert(
    fc.property(states, fc.constantFrom(3, 4), (state, at) => {
      const encoded = encodeRunState(state);
      const around = new Uint8Array(encoded.length + 10).fill(9);
      around.set(encoded, at);
      const decoded = decodeRunState(around.subarray(at, at + encoded.length));
      around.fill(0);
      expect(decoded).toStrictEqual(state);
    }),
  );
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

test.each<[string, (encoded: Uint8Array) => Uint8Array, RegExp]>([
  ['none at all', () => new Uint8Array(0), /not a saved state: it does not begin/],
  ['others', () => new Uint8Array(100), /not a saved state: it does not begin with "BTWS"/],
  [
    'a newer version',
    (encoded) => ofVersion(encoded, { states: 99 }),
    /version 99 of saved states, .*: a newer/,
  ],
  ['no parts', () => envelopeOf('saved state', []), /cannot be: it ends in the middle of a value/],
  [
    'a text that is no JSON',
    (encoded) => {
      const [head, ...rest] = partsIn('saved state', encoded) as [Uint8Array, ...Uint8Array[]];
      return envelopeOf('saved state', [head.with(head.indexOf('{'.charCodeAt(0)), 0x20), ...rest]);
    },
    /saved state cannot be: .*JSON/,
  ],
  [
    'more values than the run has',
    (encoded) =>
      envelopeOf('saved state', [
        ...partsIn('saved state', encoded).slice(0, -1),
        new Uint8Array(20),
      ]),
    /saved state cannot be: it has 20 bytes for 4 values/,
  ],
])('the message says why bytes are not a saved state: %s', (_, change, message) => {
  expect(() => decodeRunState(change(encodeRunState(STATE)))).toThrow(message);
});
