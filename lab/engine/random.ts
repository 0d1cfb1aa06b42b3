/** Pseudo-random numbers, the same for the same seed on every machine. */

/** Separates the uses of one seed: a noisier display must not change the costs of updates. */
export type RandomStream = 'update' | 'frame' | 'refresh' | 'wake' | 'stamp' | 'player';
const STREAMS: readonly RandomStream[] = ['update', 'frame', 'refresh', 'wake', 'stamp', 'player'];

/**
 * A generator of numbers in [0, 1).
 *
 * Source: Chris Doty-Humphrey's sfc32 (PractRand): 128 bits of state with a counter, so that no
 * seed leads into a short cycle.
 *
 * @param seed A whole number from 0 to 2^32 − 1.
 */
export function createRandom(seed: number, stream: RandomStream): () => number {
  let a = seed | 0;
  let b = STREAMS.indexOf(stream) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // Seeds that differ in a bit have nothing in common after twelve rounds.
  for (let round = 0; round < 12; round++) next();
  return next;
}
