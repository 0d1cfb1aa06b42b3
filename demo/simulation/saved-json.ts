/**
 * Small state as text, bit for bit. JSON has all digits of a number and loses one thing: −0 becomes 0, and the sign
 * of a zero reaches the pose of a wheel.
 */
import type { Json } from '../../src/sim-worker/index.js';

const MINUS_ZERO = '-0';

export function bytesOfJson(json: Json): Uint8Array {
  const text = JSON.stringify(json, (_, value: unknown) =>
    Object.is(value, -0) ? MINUS_ZERO : value,
  );
  return new TextEncoder().encode(text);
}

export function jsonOfBytes(bytes: Uint8Array): Json {
  const text = new TextDecoder().decode(bytes);
  return JSON.parse(text, (_, value: unknown) => (value === MINUS_ZERO ? -0 : value)) as Json;
}
