/** Strict UTF-8: malformed text is refused, not converted to replacement characters. */

/** Pages, workers and Node have both, but the language's own type library declares neither. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(encoding: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();
/** With `ignoreBOM`, a byte order mark is a character like any other, so every text is preserved. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text's bytes in UTF-8.
 *
 * @throws {TypeError} If the text contains an unpaired surrogate, which UTF-8 cannot represent.
 */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) {
    throw new TypeError('the text has half of a surrogate pair in it, which UTF-8 cannot hold');
  }
  return encoder.encode(text);
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A copy: browsers refuse to decode shared memory, which another thread could change during the decoding.
    return decoder.decode(bytes.slice());
  } catch {
    return undefined;
  }
}
