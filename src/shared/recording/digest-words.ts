/** The digest of a state hash as two words: how files and saved states store it. */

/**
 * The two unsigned words of a digest: the inverse of `digestOf` of state-hash.ts.
 *
 * @throws {RangeError} If it is not 16 hexadecimal digits, with letters in lower case.
 */
export function wordsOf(digest: string): readonly [first: number, second: number] {
  if (!/^[0-9a-f]{16}$/.test(digest)) {
    throw new RangeError(`a state hash has 16 hexadecimal digits, and this is "${digest}"`);
  }
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8), 16)];
}
