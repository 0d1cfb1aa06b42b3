/** Where elements are on the page, in windows of several sizes. */
import type { Locator } from '@playwright/test';

/**
 * Sizes of windows that the page has to look right in: a large one, a laptop's, a small one, a
 * phone's.
 */
export const WINDOWS = [
  { width: 1280, height: 720 },
  { width: 1100, height: 620 },
  { width: 900, height: 560 },
  { width: 390, height: 800 },
] as const;

/** Throws if it is not shown. */
export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return box;
}

/**
 * The selectors whose element covers a part of this one. In one call: a busy page answers slowly.
 */
export const thoseOver = (locator: Locator, selectors: readonly string[]): Promise<string[]> =>
  locator.evaluate((element, others) => {
    const own = element.getBoundingClientRect();
    return others.filter((selector) => {
      const other = document.querySelector(selector)?.getBoundingClientRect();
      // Hidden elements have no size.
      if (other === undefined || other.width === 0) return false;
      const isBeside = other.right <= own.left || own.right <= other.left;
      const isAboveOrBelow = other.bottom <= own.top || own.bottom <= other.top;
      return !isBeside && !isAboveOrBelow;
    });
  }, selectors);

export const nameOf = ({ width, height }: { width: number; height: number }): string =>
  `${width} × ${height}`;
