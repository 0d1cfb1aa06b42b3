/** A world whose systems are edited while it runs. */
import { RigidBodyDesc, createWorld } from 'betwixt/world';
import type { simulation } from './world.worker.js';

const world = createWorld<typeof simulation>({
  gravity: { x: 0, y: 0, z: 0 },
  // A healthy worker stays healthy, however slow the machine.
  recovery: { mode: 'restart', hangLimitMs: 3_600_000 },
  createWorker: () => new Worker(new URL('./world.worker.ts', import.meta.url), { type: 'module' }),
});
const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(3, 0, 0));
world.system('push', body.handle);
const sim = await world.ready;
requestAnimationFrame(function draw(stamp) {
  world.sample(stamp);
  requestAnimationFrame(draw);
});

declare global {
  var ball: { readonly sim: typeof sim; readonly body: typeof body };
}
globalThis.ball = { sim, body };
