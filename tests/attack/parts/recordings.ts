/** Files of recordings that were changed, with a correct checksum: read or refused, with no other outcome. */
import fc from 'fast-check';
import { decodeRecording, encodeRecording } from '../../../src/shared/recording/recording-file.js';
import { refusalOf } from '../../fixtures/recording-files.js';
import { recordings } from '../../fixtures/recordings.js';
import { changedParts, partChanges } from '../changed-bytes.js';

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
