/** UTF-8, strictly: what is not well-formed is refused instead of being replaced by question marks. */

/** Both exist in pages, in workers and in Node alike; the language's own library of types knows neither. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(encoding: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();
/** With `ignoreBOM` a byte order mark is a character like any other, so that every text comes back as it was. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text's bytes in UTF-8.
 *
 * @throws {TypeError} When half of a surrogate pair stands alone in it: UTF-8 has no bytes for that.
 */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) {
    throw new TypeError('the text has half of a surrogate pair in it, which UTF-8 cannot hold');
  }
  return encoder.encode(text);
}

/** The text that bytes in UTF-8 stand for; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A copy: browsers refuse to decode shared memory, which another thread could change meanwhile.
    return decoder.decode(bytes.slice());
  } catch {
    return undefined;
  }
}
