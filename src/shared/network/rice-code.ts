/**
 * Rice codes: a small unsigned integer in few bits. The lowest `parameter` bits are written as they are, and the rest
 * as that number of ones and a zero.
 *
 * Source: Robert F. Rice, "Some Practical Universal Noiseless Coding Techniques" (1979). What chooses the parameter from
 * the sizes of earlier numbers is as in M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I Lossless Image Compression
 * Algorithm" (2000).
 */
import type { BitReader } from './bit-reader.js';
import type { BitWriter } from './bit-writer.js';

/** This number of ones is followed by all 32 bits instead: numbers much larger than expected stay short enough. */
const ESCAPE_ONES = 20;

export function writeRice(writer: BitWriter, value: number, parameter: number): void {
  const ones = Math.floor(value / 2 ** parameter);
  if (ones >= ESCAPE_ONES) {
    writer.bits(-1, ESCAPE_ONES);
    writer.word(value);
    return;
  }
  // The ones end with a zero.
  writer.bits((1 << ones) - 1, ones + 1);
  writer.bits(value, parameter);
}

/** Bits that {@link writeRice} writes. */
export function riceLength(value: number, parameter: number): number {
  const ones = Math.floor(value / 2 ** parameter);
  return ones >= ESCAPE_ONES ? ESCAPE_ONES + 32 : ones + 1 + parameter;
}

/** @throws ByteReadError if there are too few bits. */
export function readRice(reader: BitReader, parameter: number): number {
  let ones = 0;
  while (reader.bits(1) === 1) {
    ones += 1;
    if (ones === ESCAPE_ONES) return reader.word() >>> 0;
  }
  return ones * 2 ** parameter + reader.bits(parameter);
}
