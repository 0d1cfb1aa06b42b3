/** Members of Rapier's world that are not on the page. */
import { expect, test, vi } from 'vitest';
import { runScene } from './run-scene.js';

// Off in other tests.
vi.mock(
  '../../src/render-main/world/development/off.js',
  () => import('../../src/render-main/world/development/on.js'),
);

test('the world of useRapier says what to write for them, in development', async () => {
  const scene = await runScene(null);
  const { step, takeSnapshot } = scene.world as unknown as Record<string, () => unknown>;
  expect(takeSnapshot).toThrow(/no world\.takeSnapshot\(\) on the page: .*save\(\)/);
  expect(step).toThrow(/useRapier/);
  expect(() => (scene.world as unknown as Record<string, unknown>)['narrowPhase']).toThrow(
    /no world\.narrowPhase on the page: .*contactPairsWith/,
  );
  await scene.unmount();
});
