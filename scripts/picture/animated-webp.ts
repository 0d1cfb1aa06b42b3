/**
 * Puts still WebP images together into an animated one.
 *
 * Source: the WebP container specification, https://developers.google.com/speed/webp/docs/riff_container.
 */

export interface AnimationFrame {
  /** A still WebP image of the animation's size, as a browser's canvas encodes it. */
  readonly image: Uint8Array;
  readonly durationMs: number;
}

/** The chunks of a still image that a frame of an animation may contain. */
const IMAGE_CHUNKS = new Set(['ALPH', 'VP8 ', 'VP8L']);
const HAS_ANIMATION = 0b0000_0010;
const HAS_ALPHA = 0b0001_0000;

/**
 * Encodes an animation that repeats forever. Each frame is blended over the one before, so pixels that do not change
 * can be left transparent.
 *
 * @throws Error for an image that is not a WebP file.
 */
export function encodeAnimation(
  width: number,
  height: number,
  frames: readonly AnimationFrame[],
): Uint8Array {
  const header = chunk('VP8X', [
    HAS_ANIMATION | HAS_ALPHA,
    ...uint24(0),
    ...uint24(width - 1),
    ...uint24(height - 1),
  ]);
  const background = [0, 0, 0, 0];
  const loopCount = [0, 0];
  const body = [
    header,
    chunk('ANIM', [...background, ...loopCount]),
    ...frames.map(({ image, durationMs }) => {
      const place = [...uint24(0), ...uint24(0), ...uint24(width - 1), ...uint24(height - 1)];
      const blendOverPrevious = 0;
      const frameHeader = Uint8Array.from([...place, ...uint24(durationMs), blendOverPrevious]);
      return chunk('ANMF', joined([frameHeader, ...imageChunksOf(image)]));
    }),
  ];
  return chunk('RIFF', joined([ascii('WEBP'), ...body]));
}

function imageChunksOf(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const textAt = (at: number): string => String.fromCodePoint(...file.subarray(at, at + 4));
  if (textAt(0) !== 'RIFF' || textAt(8) !== 'WEBP') throw new Error('this is not a WebP image');
  const chunks: Uint8Array[] = [];
  for (let at = 12; at < file.length;) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (IMAGE_CHUNKS.has(textAt(at))) chunks.push(file.subarray(at, end));
    at = end;
  }
  return chunks;
}

/** Chunks begin at even offsets. */
function chunk(name: string, content: Uint8Array | readonly number[]): Uint8Array {
  const size = Uint8Array.from([...uint24(content.length), content.length >>> 24]);
  const padding = new Uint8Array(content.length % 2);
  return joined([ascii(name), size, Uint8Array.from(content), padding]);
}

function uint24(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255];
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
