/** Recordings and saved states in which one bit is another, whichever that is. `npm run test:rest` tries larger ones, too. */
import { expect, inject, test } from 'vitest';
import { InputState } from '../../../../src/shared/input/input-state.js';
import { ChunkWriter } from '../../../../src/shared/recording/recording-entries.js';
import {
  beginRecording,
  decodeRecording,
  encodeRecording,
  entriesPart,
} from '../../../../src/shared/recording/recording-file.js';
import type { Recording } from '../../../../src/shared/recording/recording.js';
import { decodeRunState, encodeRunState } from '../../../../src/sim-worker/run/run-state.js';
import { expectStrictEqual } from '../../../fixtures/quick-checks.js';
import { refusalOf } from '../../../fixtures/recording-files.js';
import { pointerRecording, smallRecording } from '../../../fixtures/recordings.js';

const isThorough = inject('isThorough') ?? false;
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 24);

const withState = (bytes: number): Recording => ({
  ...smallRecording,
  states: [{ tick: 10, bytes: noise(bytes) }],
});
/** A state of 512 bytes: a length of one bit, without which it would not be finished. */
const oneBitLong = withState(154);
const RECORDINGS = [
  oneBitLong,
  pointerRecording(3),
  pointerRecording(1300),
  withState(2000),
  withState(18_000),
];

/** The file of a room whose process was killed: parts with entries, and the beginning of another. */
function killed({ run, entries, lastTick }: Recording, parts: number, cutOff: number): Uint8Array {
  const all = [...beginRecording(run)];
  const each = Math.ceil(entries.length / parts);
  for (let from = 0; from < entries.length; from += each) {
    const chunk = new ChunkWriter();
    const some = entries.slice(from, from + each);
    for (const entry of some) chunk.add(entry);
    all.push(...entriesPart(chunk, some.at(-1)?.tick ?? lastTick));
  }
  return Uint8Array.from(all.slice(0, all.length - cutOff));
}

const stateOf = (simulation: number, bodies: readonly number[]): Uint8Array =>
  encodeRunState({
    tick: 300,
    simulatedSeconds: 5,
    dt: 1 / 60,
    random: -7,
    input: new InputState().save(),
    run: smallRecording.run,
    bodies: bodies.map(noise),
    simulation: noise(simulation),
    values: new Float32Array(),
  });

type Decode = (bytes: Uint8Array) => unknown;
const CASES: readonly [what: string, files: readonly Uint8Array[], Decode][] = [
  ['recordings', RECORDINGS.map((recording) => encodeRecording(recording)), decodeRecording],
  [
    'recordings that were not finished',
    [
      killed(pointerRecording(9), 3, 17),
      encodeRecording({ ...oneBitLong, isComplete: false }),
      killed(pointerRecording(1000), 150, 1),
      killed(pointerRecording(600), 20, 0),
      encodeRecording({ ...withState(18_000), isComplete: false }),
    ],
    decodeRecording,
  ],
  [
    'saved states',
    [
      stateOf(9, [16, 64, 0, 3, 0]),
      stateOf(0, []),
      stateOf(18_000, [16, 320, 8, 50, 320]),
      stateOf(101, [16, 16_000, 4, 0, 0]),
      stateOf(5000, [16, 3200, 400, 999, 3200]),
    ],
    decodeRunState,
  ],
];

test('one of the recordings that are changed has a length of one bit', () => {
  expect(encodeRecording(oneBitLong).length).toBe(512);
});

test.each(CASES)(
  'one other bit in %s is refused, or is of a part that was cut off',
  (_, files, decode) => {
    for (const file of isThorough ? files : files.slice(0, 2)) {
      const right = decode(file);
      const damaged = file.slice();
      for (let bit = 0; bit < 8 * file.length; bit++) {
        const [at, mask] = [bit >> 3, 1 << (bit & 7)];
        damaged[at] = (damaged[at] as number) ^ mask;
        if (refusalOf(damaged, decode) === undefined) expectStrictEqual(decode(damaged), right);
        damaged[at] = (damaged[at] as number) ^ mask;
      }
      expect(file.length).toBeLessThan(20_000);
    }
  },
);
