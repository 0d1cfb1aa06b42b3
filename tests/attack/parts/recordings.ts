/**
 * Files of recordings that were changed, with a correct checksum: read or refused, with no other
 * outcome. Files with a damaged bit: refused.
 */
import fc from 'fast-check';
import { envelopeOf } from '../../../src/shared/recording/envelope.js';
import type { Recording } from '../../../src/shared/recording/recording.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/recording/recording-file.js';
import { partsIn, refusalOf } from '../../fixtures/recording-files.js';
import { recordings } from '../../fixtures/recordings.js';
import { propertyPart } from '../property.js';

const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));

/** Changes to the contents of a part. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), part: fc.nat(), at: fc.nat(), byte }),
  fc.record({ kind: fc.constant('cut' as const), part: fc.nat(), at: fc.nat() }),
  fc.record({ kind: fc.constant('insert' as const), part: fc.nat(), at: fc.nat(), byte }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changedBy(file: Uint8Array, changes: readonly Change[]): Uint8Array {
  const parts = [...partsIn('recording', file)];
  for (const one of changes) {
    const index = one.part % parts.length;
    const bytes = parts[index] as Uint8Array;
    const at = one.at % Math.max(1, bytes.length);
    if (one.kind === 'cut') parts[index] = bytes.slice(0, at);
    else if (one.kind === 'insert')
      parts[index] = Uint8Array.of(...bytes.subarray(0, at), one.byte, ...bytes.subarray(at));
    else if (bytes.length > 0) parts[index] = bytes.with(at, one.byte);
  }
  return envelopeOf('recording', parts);
}

export const changedFiles = fc.tuple(recordings, fc.array(change, { minLength: 1, maxLength: 6 }));

/** @throws Error unless it is refused by name, or its own file gives it back. */
export function tryChangedFile([recording, changes]: [Recording, Change[]]): void {
  const bytes = changedBy(encodeRecording(recording), changes);
  if (refusalOf(bytes, decodeRecording) !== undefined) return;
  const read = decodeRecording(bytes);
  const again = decodeRecording(encodeRecording(read));
  if (fc.stringify(again) !== fc.stringify(read)) {
    throw new Error('what was read is not what its own file gives back');
  }
}

/** Files that were finished or not, and one bit of each. */
const damagedFiles = fc.record({
  recording: recordings,
  isComplete: fc.boolean(),
  cutOff: fc.nat({ max: 40 }),
  bit: fc.nat(),
});
type DamagedFile = typeof damagedFiles extends fc.Arbitrary<infer T> ? T : never;

/** @throws Error unless it is refused by name, or read as if the bit were right: it is of a part that was cut off. */
function tryDamagedFile({ recording, isComplete, cutOff, bit }: DamagedFile): void {
  const whole = encodeRecording({ ...recording, isComplete });
  const file = isComplete ? whole : whole.subarray(0, whole.length - cutOff);
  const at = (bit >>> 3) % file.length;
  const damaged = file.with(at, (file[at] as number) ^ (1 << (bit & 7)));
  if (refusalOf(damaged, decodeRecording) !== undefined) return;
  if (fc.stringify(decodeRecording(damaged)) !== fc.stringify(decodeRecording(file))) {
    throw new Error('a file with a damaged bit is read as another recording');
  }
}

export const recordingFiles = propertyPart({
  name: 'recordings',
  about:
    'damaged recordings are refused by name; forged ones too, or read and written again as they are',
  unit: 'files',
  cases: fc.tuple(changedFiles, damagedFiles),
  check([changed, damaged]) {
    tryChangedFile(changed);
    tryDamagedFile(damaged);
    return 2;
  },
});
