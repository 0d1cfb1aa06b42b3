import { ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
import type { simulation } from './wind.worker.js';

const world = createWorld<typeof simulation>({
  createWorker: () => new Worker(new URL('./wind.worker.ts', import.meta.url), { type: 'module' }),
});
const ball = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
world.createCollider(ColliderDesc.ball(0.5), ball);
const wind = world.system('wind', { bodies: [ball.handle], force: 3 });

/** How hard it blows from now on, in newtons. */
export const setForce = (force: number): void => wind.set({ bodies: [ball.handle], force });
