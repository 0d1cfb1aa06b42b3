/** Runs in a page: encodes screenshots as WebP images that contain only what has changed since the previous one. */

declare global {
  /** The pixels that the animation shows so far. */
  var shownPixels: ImageData | undefined;
}

export interface ChangedPixelsOptions {
  /** A PNG image, in base64. */
  readonly screenshot: string;
  /** From 0 to 1. */
  readonly quality: number;
  /** Side of the squares that are left out where nothing has changed, in pixels. */
  readonly blockSize: number;
  /** Smallest difference of a colour channel that counts as a change, of 255. */
  readonly threshold: number;
}

/**
 * Playwright sends its source to the page, so it uses nothing outside itself.
 *
 * @returns A WebP image of the same size, in base64. Unchanged squares are transparent.
 */
export async function encodeChangedPixels({
  screenshot,
  quality,
  blockSize,
  threshold,
}: ChangedPixelsOptions): Promise<string> {
  const response = await fetch(`data:image/png;base64,${screenshot}`);
  const bitmap = await createImageBitmap(await response.blob());
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('the canvas has no 2D context');
  context.drawImage(bitmap, 0, 0);
  const image = context.getImageData(0, 0, width, height);
  const shown = (globalThis.shownPixels ??= new ImageData(width, height));
  const now = new Uint32Array(image.data.buffer);
  const before = new Uint32Array(shown.data.buffer);
  for (let top = 0; top < height; top += blockSize) {
    for (let left = 0; left < width; left += blockSize) {
      const right = Math.min(left + blockSize, width);
      const bottom = Math.min(top + blockSize, height);
      let difference = 0;
      for (let y = top; y < bottom; y++) {
        for (let i = 4 * (y * width + left); i < 4 * (y * width + right); i++) {
          difference = Math.max(difference, Math.abs((image.data[i] ?? 0) - (shown.data[i] ?? 0)));
        }
      }
      for (let y = top; y < bottom; y++) {
        const [from, to] = [y * width + left, y * width + right];
        // Compared with what was encoded last, so that small changes do not add up unseen.
        if (difference < threshold) now.fill(0, from, to);
        else before.set(now.subarray(from, to), from);
      }
    }
  }
  context.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}
