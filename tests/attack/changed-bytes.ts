/** Bytes that were changed on their way, or by an attacker. */
import fc from 'fast-check';
import { envelopeOf } from '../../src/shared/recording/envelope.js';
import { partsIn } from '../fixtures/recording-files.js';

export const byteChanges = fc.record({
  kind: fc.constantFrom('bit', 'byte', 'word', 'cut', 'insert'),
  at: fc.nat(),
  value: fc.oneof(
    fc.integer(),
    fc.nat({ max: 8 }),
    fc.constantFrom(-1, 63, 64, 65, 0x7f, 0x80, 4095, 4096, 1 << 20),
    // As floats: NaN, and infinite in 32 and in 64 bits.
    fc.constantFrom(0x7fc00000, 0x7f800000, 0x7ff00000),
  ),
});
type ByteChange = typeof byteChanges extends fc.Arbitrary<infer T> ? T : never;

export function changedBytes(bytes: Uint8Array, { kind, at: place, value }: ByteChange) {
  const at = place % Math.max(1, bytes.length);
  if (kind === 'cut') return bytes.slice(0, at);
  if (kind === 'insert') {
    return Uint8Array.of(...bytes.subarray(0, at), value, ...bytes.subarray(at));
  }
  const copy = bytes.slice();
  if (kind === 'bit') copy[at] = (copy[at] ?? 0) ^ (1 << (value & 7));
  else if (kind === 'byte') copy[at] = value;
  else copy.set(new Uint8Array(Int32Array.of(value).buffer).subarray(0, copy.length - at), at);
  return copy;
}

export const partChanges = fc.array(fc.record({ part: fc.nat(), change: byteChanges }), {
  minLength: 1,
  maxLength: 6,
});
export type PartChanges = typeof partChanges extends fc.Arbitrary<infer T> ? T : never;

/** The file with changes to the contents of its parts, whose checksums are right again. */
export function changedParts(
  kind: 'recording' | 'saved state',
  file: Uint8Array,
  changes: PartChanges,
): Uint8Array {
  const parts = [...partsIn(kind, file)];
  for (const { part, change } of changes) {
    const index = part % parts.length;
    parts[index] = changedBytes(parts[index] as Uint8Array, change);
  }
  return envelopeOf(kind, parts);
}
