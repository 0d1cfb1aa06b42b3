/**
 * Small state as text, bit for bit. JSON has all digits of a number and loses one thing: −0 becomes 0, and the sign
 * of a zero can decide where a body goes. So −0 is written as the text "-0", and a text that looks like it, or like
 * what such a text is written as, has a "~" put in front.
 */
import type { Json } from '../../shared/util/json.js';
import { textOf, utf8Of } from '../../shared/util/text.js';

const MINUS_ZERO = '-0';
const LIKE_MINUS_ZERO = /^~*-0$/;

export function bytesOfJson(json: Json): Uint8Array {
  const text = JSON.stringify(json, (_, value: unknown) => {
    if (Object.is(value, -0)) return MINUS_ZERO;
    return typeof value === 'string' && LIKE_MINUS_ZERO.test(value) ? `~${value}` : value;
  });
  return utf8Of(text);
}

/** @throws SyntaxError if the bytes are not such a text. */
export function jsonOfBytes(bytes: Uint8Array): Json {
  return JSON.parse(textOf(bytes) ?? '', (_, value: unknown) => {
    if (value === MINUS_ZERO) return -0;
    return typeof value === 'string' && LIKE_MINUS_ZERO.test(value) ? value.slice(1) : value;
  }) as Json;
}
