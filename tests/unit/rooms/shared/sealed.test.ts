import { expect, test } from 'vitest';
import { sealed, unsealed } from '../../../../src/rooms/shared/sealed.js';
import { ByteWriter } from '../../../../src/shared/util/bytes.js';

test.each([1, 2, 3, 4])('a message of %i bytes with zeros more or less is damaged', (length) => {
  const out = new ByteWriter();
  for (let at = 0; at < length; at++) out.byte(at % 2);
  const bytes = sealed(out);
  const contents = unsealed(bytes);
  expect(contents).toHaveLength(length);
  const seal = bytes.subarray(-4);
  for (const zeros of [1, 2, 3, 4]) {
    const longer = Uint8Array.of(...contents, ...new Uint8Array(zeros), ...seal);
    expect(() => unsealed(longer)).toThrow('damaged');
  }
  expect(() => unsealed(Uint8Array.of(...contents.subarray(1), ...seal))).toThrow('damaged');
});
