/**
 * An application that talks to the simulation's worker itself, also by Comlink: neither disturbs
 * the other.
 */
import { expect, test } from './library-page.js';

test.describe('releasing its own proxy leaves the simulation working', () => {
  for (const transport of ['shared', 'transfer'] as const) {
    test(`over ${transport} memory`, async ({ page }) => {
      const answers = await page.evaluate(async (kind) => {
        const before = await library.startBesideProxy({ transport: kind });
        const { simulation } = library;
        await library.moreTicks(5);
        const after = await simulation?.queries.echo(7);
        await simulation?.pause();
        await simulation?.resume();
        await library.moreTicks(5);
        await simulation?.dispose();
        return [...before, after];
      }, transport);
      expect(answers).toEqual([42, 8, 7]);
      await expect.poll(() => page.workers().length).toBe(0);
    });
  }
});
