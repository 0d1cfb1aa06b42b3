/**
 * Small state as JSON, bit for bit. JSON keeps all digits of a number, but turns −0 into 0, and the sign of a zero can
 * decide where a body moves. So −0 is written as the string "-0", and strings that look like this, or like an escaped
 * one, are escaped with a "~" in front.
 */
import type { Json } from '../shared/util/json.js';
import { textOf, utf8Of } from '../shared/util/bytes.js';

const MINUS_ZERO = '-0';
const LIKE_MINUS_ZERO = /^~*-0$/;

export function bytesOfJson(json: Json): Uint8Array {
  const text = JSON.stringify(json, (_, value: unknown) => {
    if (Object.is(value, -0)) return MINUS_ZERO;
    return typeof value === 'string' && LIKE_MINUS_ZERO.test(value) ? `~${value}` : value;
  });
  return utf8Of(text);
}

/** @throws SyntaxError if the bytes are not valid JSON. */
export function jsonOfBytes(bytes: Uint8Array): Json {
  return JSON.parse(textOf(bytes) ?? '', (_, value: unknown) => {
    if (value === MINUS_ZERO) return -0;
    return typeof value === 'string' && LIKE_MINUS_ZERO.test(value) ? value.slice(1) : value;
  }) as Json;
}
