/** The levels of rendering quality, and the setting that chooses among them. Pure. */

/** Lighting: physically based per pixel, per pixel, or per vertex. */
export const MATERIALS = ['vertex', 'matt', 'fine'] as const;
export type MaterialKind = (typeof MATERIALS)[number];

/** How many sides round things have. */
export const DETAILS = ['coarse', 'fair', 'fine'] as const;
export type Detail = (typeof DETAILS)[number];

/** One level's way to draw. */
export interface Look {
  /**
   * Pixels per CSS pixel, along a side, in a window of 1280 × 720 or larger; at most what the display
   * has. Smaller windows get as many pixels in all, up to 1 per CSS pixel.
   */
  readonly pixels: number;
  /** Side of the shadow map in pixels; 0: each body has a soft disc below it instead. */
  readonly shadowPixels: number;
  readonly materials: MaterialKind;
  readonly detail: Detail;
}

/**
 * Level 1 is the first, for machines that draw the second one at less than 15 frames a second. Each step costs about twice as much as the one below it without a graphics
 * card, so that a single step makes a difference.
 */
export const LEVELS: readonly Look[] = [
  { pixels: 0.5, shadowPixels: 0, materials: 'vertex', detail: 'coarse' },
  { pixels: 0.71, shadowPixels: 0, materials: 'vertex', detail: 'coarse' },
  { pixels: 1, shadowPixels: 0, materials: 'matt', detail: 'fair' },
  { pixels: 1, shadowPixels: 1024, materials: 'matt', detail: 'fair' },
  { pixels: 1.5, shadowPixels: 1024, materials: 'fine', detail: 'fair' },
  { pixels: 2, shadowPixels: 2048, materials: 'fine', detail: 'fine' },
];

/** Levels that can be chosen. */
const NAMED = { low: 2, medium: 4, high: LEVELS.length } as const;

/** `auto`: the best that the machine draws fluently; a name: always that level. */
export type Quality = 'auto' | keyof typeof NAMED;
export const QUALITIES: readonly Quality[] = ['auto', 'low', 'medium', 'high'];

/** The level that a setting asks for, from 1; undefined for `auto`. */
export function levelOf(quality: Quality): number | undefined {
  return quality === 'auto' ? undefined : NAMED[quality];
}

/** @param level From 1; clamped. */
export function lookOf(level: number): Look {
  return LEVELS[Math.min(LEVELS.length, Math.max(1, level)) - 1] as Look;
}

/**
 * The text for a level in the measurements, such as `auto: 4 of 6 · 1× pixels, shadows`.
 */
export function describeLevel(quality: Quality, level: number, look: Look, ratio: number): string {
  const shadows = look.shadowPixels > 0 ? 'shadows' : 'soft discs as shadows';
  return `${quality}: ${level} of ${LEVELS.length} · ${Number(ratio.toFixed(2))}× pixels, ${shadows}`;
}
