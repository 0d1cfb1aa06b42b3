/** Whether the library's test page has run all ticks that were due. */
import type { TestPage } from '../browsers/test-page.js';

/** Statistics of the page's simulation. */
export const statsOf = (page: TestPage) => page.evaluate(() => library.simulation.stats());

/**
 * The newest tick, minus the last one that is due: floor(elapsed × rate), or one less while it is
 * being run. To be polled: the worker of a busy machine may be late at a single check.
 */
export async function ticksAhead(page: TestPage): Promise<number> {
  const { tick, droppedTicks, elapsedMs } = await statsOf(page);
  return tick + droppedTicks - Math.floor((elapsedMs * 60) / 1000);
}
