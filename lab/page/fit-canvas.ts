/** A canvas as sharp as the screen. */

/** Maximum canvas pixels per CSS pixel, along a side: more cost much and are hardly visible. */
const MAX_PIXELS = 2;

/**
 * Gives a canvas as many pixels as it covers on the screen, but at most two along each side of a
 * CSS pixel.
 *
 * @returns Its context, in CSS pixels, and its size in them.
 */
export function fitCanvas(canvas: HTMLCanvasElement): {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
} {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = Math.min(MAX_PIXELS, Math.max(1, devicePixelRatio));
  const pixelWidth = Math.round(width * scale);
  const pixelHeight = Math.round(height * scale);
  // Setting a size, even the same one, clears the canvas and costs an allocation.
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser does not support 2D canvas');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { context, width, height };
}
