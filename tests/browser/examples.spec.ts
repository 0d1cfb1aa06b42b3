/** The examples in the browsers that do not open the built site: each moves, and has a clean console. */
import type { MeshPhysics } from 'betwixt/three';
import type { Vehicle } from 'betwixt/world';
import { needWebGL, test } from '../browsers/test.js';

declare global {
  var physics: MeshPhysics;
  var vehicle: Vehicle | undefined;
}

test.use({ hasWindow: true });

for (const name of ['basic', 'character', 'joints', 'vehicle']) {
  test(`the example ${name} moves, with a clean console`, async ({ page }) => {
    await needWebGL(page);
    await page.goto(`/examples/${name}/`);
    // The run starts with the first update, which would end a pause.
    await page.waitForFunction(
      () => 'physics' in globalThis && globalThis.physics.world.frame.newestTick > 0,
    );
    // The first ticks again, step by step: on a slow machine everything may rest before it is looked at.
    await page.evaluate(async () => {
      const run = await globalThis.physics.world.ready;
      await run.pause();
      await run.seek(Math.min(1, run.stats().tick));
      // A car without a driver soon rests.
      globalThis.vehicle?.drive({ engine: 300 });
      await run.step(60);
    });
    // Bodies that are drawn, and move in the newest state.
    await page.waitForFunction(() => {
      const { bodies, frame } = globalThis.physics.world;
      const pose = new Float64Array(7);
      const moving = bodies
        .getAll()
        .filter((body) => body.id !== undefined && frame.pose(body.id, pose) !== undefined)
        .filter((body) => Math.hypot(body.linvel().x, body.linvel().y, body.linvel().z) > 0.1);
      return moving.length > 0;
    });
  });
}
