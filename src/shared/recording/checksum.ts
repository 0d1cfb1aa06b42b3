/**
 * The checksum that detects damage to recordings, saved states and messages of rooms. Quick instead of strong: a state of some MB gets one
 * whenever it is saved. Nothing is named by it, and no states are compared by it: see {@link StateHash}.
 */

/** Odd, so that a multiplication loses no bit: the golden ratio's, from Knuth. */
const MULTIPLIER = 0x9e3779b1;

/**
 * The checksum of words, itself one with a sign. Another value of a single word always changes it; other damage does, but
 * for one case in 2^32.
 */
export function checksumOf(words: Int32Array): number {
  // Four at a time, because each product waits for the one before: that is three times as fast.
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  let at = 0;
  for (const last = words.length & ~3; at < last; at += 4) {
    a = mix(a, words[at] as number);
    b = mix(b, words[at + 1] as number);
    c = mix(c, words[at + 2] as number);
    d = mix(d, words[at + 3] as number);
  }
  for (; at < words.length; at++) a = mix(a, words[at] as number);
  return mix(mix(mix(mix(words.length, a), b), c), d);
}

/** For either number, another value gives another result. */
function mix(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, MULTIPLIER);
  return (product << 13) | (product >>> 19);
}
