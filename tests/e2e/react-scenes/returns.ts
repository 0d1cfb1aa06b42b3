/** Bodies that a scene sends back when they have fallen too far. */
import { expect } from '../demo-page.js';
import type { OpenedScene } from './opened-scene.js';

/** A fall of more than ten meters takes more ticks. */
const FEWEST_TICKS = 40;

/**
 * Waits until each of them has returned twice, and expects many ticks in between: a scene that still read the old place
 * after it has set another one would send the body back in every frame.
 *
 * @param names Of objects, whose `userData.returns` is the number of their returns.
 * @param pushed All bodies that can fall, in the order in which the scene makes them. Those that are waited for are put next to
 *   what holds them: otherwise one may lie there for good.
 */
export async function expectRareReturns(
  scene: OpenedScene,
  names: readonly string[],
  pushed: readonly string[] = [],
): Promise<void> {
  const ticks = await scene.page.evaluate(
    async ({ wanted, order }) => {
      const running = globalThis.reactScene.betwixt;
      const returnsOf = (name: string): number =>
        running?.state.scene.getObjectByName(name)?.userData['returns'] ?? 0;
      const first = wanted.map(returnsOf);
      const seen = wanted.map((): number[] => []);
      const bodies = (running?.world?.bodies.getAll() ?? [])
        .filter((body) => body.isDynamic())
        .toSorted((a, b) => a.handle - b.handle);
      const push = (name: string): void => {
        const body = bodies[order.indexOf(name)];
        body?.setTranslation({ x: 0, y: -5, z: 20 }, true);
        body?.setLinvel({ x: 0, y: 0, z: 0 }, true);
      };
      for (const name of wanted) push(name);
      while (seen.some((list) => list.length < 2)) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        for (const [index, name] of wanted.entries()) {
          const list = seen[index] ?? [];
          const returns = returnsOf(name) - (first[index] ?? 0);
          if (list.length >= returns) continue;
          while (list.length < returns) list.push(running?.world?.frame.newestTick ?? 0);
          push(name);
        }
      }
      return seen;
    },
    { wanted: names, order: pushed },
  );
  for (const [index, [first = 0, second = 0]] of ticks.entries()) {
    expect(second - first, `ticks between returns of ${names[index]}`).toBeGreaterThan(
      FEWEST_TICKS,
    );
  }
}
