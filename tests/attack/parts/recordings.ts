/**
 * Files of recordings that were changed, with a correct checksum: read or refused, with no other
 * outcome.
 */
import fc from 'fast-check';
import type { Recording } from '../../../src/shared/recording/recording.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/recording/recording-file.js';
import { CONTENTS, refusalOf, resealed } from '../../fixtures/recording-files.js';
import { recordings } from '../../fixtures/recordings.js';
import { propertyPart } from '../property.js';

const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));

/** Changes to the contents of a file. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: fc.nat(), byte }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), byte }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changedBy(file: Uint8Array, changes: readonly Change[]): Uint8Array {
  let bytes = file;
  for (const one of changes) {
    const length = bytes.length - CONTENTS;
    const at = CONTENTS + (one.at % Math.max(1, length));
    if (length === 0 && one.kind === 'set') continue;
    if (one.kind === 'set') bytes = bytes.with(at, one.byte);
    else if (one.kind === 'cut') bytes = bytes.slice(0, at);
    else bytes = Uint8Array.of(...bytes.subarray(0, at), one.byte, ...bytes.subarray(at));
  }
  const sized = bytes.slice();
  new DataView(sized.buffer).setUint32(8, sized.length, true);
  return resealed(sized);
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

export const recordingFiles = propertyPart({
  name: 'recordings',
  about: 'changed files of recordings are refused by name, or read and written again as they are',
  unit: 'files',
  cases: changedFiles,
  check: tryChangedFile,
});
