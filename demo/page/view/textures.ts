/** Procedural textures. */
import { DataTexture, LinearFilter, RepeatWrapping, SRGBColorSpace } from 'three';

const STRIPES = { pixels: 256, pairs: 4, shade: 0.8 } as const;

/** A place in the middle of a light stripe. */
export const PLAIN_U = 0.25 / STRIPES.pairs;

/** Side of the piece of ground that the grid's texture shows, in metres. */
export const GRID_TILE_M = 4;
const GRID = { pixels: 512, line: 0.03, lineShade: 0.86, squareShade: 0.965 } as const;

const DISC_PIXELS = 32;

/** Meridians around round bodies, so that their spin is visible. Multiplied with a colour. */
export function createStripes(): DataTexture {
  const { pixels } = STRIPES;
  return grayTexture(pixels, 1, (x) => stripeAt(x / pixels));
}

/** Perceived shade of the stripes at a place of their texture, 0 to 1. */
export function stripeAt(u: number): number {
  return (u * STRIPES.pairs) % 1 < 0.5 ? 1 : STRIPES.shade;
}

/** A grid of 1 m and a faint pattern of squares of 2 m. Multiplied with a colour. */
export function createGrid(): DataTexture {
  const { pixels, line, lineShade, squareShade } = GRID;
  const metres = (pixel: number): number => ((pixel + 0.5) / pixels) * GRID_TILE_M;
  const isLine = (metre: number): boolean => Math.abs(metre - Math.round(metre)) < line / 2;
  return grayTexture(pixels, pixels, (px, py) => {
    const [x, y] = [metres(px), metres(py)];
    const isDark = Math.floor(x / 2) % 2 === Math.floor(y / 2) % 2;
    return (isDark ? squareShade : 1) * (isLine(x) || isLine(y) ? lineShade : 1);
  });
}

/** A round dot, used as opacity. */
export function createDisc(): DataTexture {
  const middle = (DISC_PIXELS - 1) / 2;
  return grayTexture(DISC_PIXELS, DISC_PIXELS, (x, y) =>
    Math.min(1, Math.max(0, middle - Math.hypot(x - middle, y - middle))),
  );
}

/** @param valueAt Perceived shade of a pixel, 0 to 1. */
function grayTexture(
  width: number,
  height: number,
  valueAt: (x: number, y: number) => number,
): DataTexture {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.fill(Math.round(valueAt(x, y) * 255), (y * width + x) * 4, (y * width + x) * 4 + 3);
      data[(y * width + x) * 4 + 3] = 255;
    }
  }
  const texture = new DataTexture(data, width, height);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
