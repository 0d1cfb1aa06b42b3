/**
 * Files of recordings that were changed, with a correct checksum: read or refused, with no other
 * outcome. Files with a damaged bit: refused.
 */
import fc from 'fast-check';
import { decodeRecording, encodeRecording } from '../../../src/shared/recording/recording-file.js';
import { refusalOf } from '../../fixtures/recording-files.js';
import { recordings } from '../../fixtures/recordings.js';
import { changedBytes, changedParts, partChanges } from '../changed-bytes.js';

export const changedFiles = fc.tuple(recordings, partChanges);
type ChangedFile = typeof changedFiles extends fc.Arbitrary<infer T> ? T : never;

/** @throws Error unless it is refused by name, or its own file gives it back. */
export function tryChangedFile([recording, changes]: ChangedFile): void {
  const bytes = changedParts('recording', encodeRecording(recording), changes);
  if (refusalOf(bytes, decodeRecording) !== undefined) return;
  const read = decodeRecording(bytes);
  const again = decodeRecording(encodeRecording(read));
  if (fc.stringify(again) !== fc.stringify(read)) {
    throw new Error('what was read is not what its own file gives back');
  }
}

/** Files that were finished or not, and one bit of each. */
export const damagedFiles = fc.record({
  recording: recordings,
  isComplete: fc.boolean(),
  cutOff: fc.nat({ max: 40 }),
  at: fc.nat(),
  value: fc.nat(),
});
type DamagedFile = typeof damagedFiles extends fc.Arbitrary<infer T> ? T : never;

/** @throws Error unless it is refused by name, or read as if the bit were right: it is of a part that was cut off. */
export function tryDamagedFile({ recording, isComplete, cutOff, at, value }: DamagedFile): void {
  const whole = encodeRecording({ ...recording, isComplete });
  const file = isComplete ? whole : whole.subarray(0, whole.length - cutOff);
  const damaged = changedBytes(file, { kind: 'bit', at, value });
  if (refusalOf(damaged, decodeRecording) !== undefined) return;
  if (fc.stringify(decodeRecording(damaged)) !== fc.stringify(decodeRecording(file))) {
    throw new Error('a file with a damaged bit is read as another recording');
  }
}
