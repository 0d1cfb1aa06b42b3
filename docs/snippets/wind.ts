import { ActiveHooks, ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
import type { simulation } from './wind.worker.js';

const world = createWorld<typeof simulation>({
  createWorker: () => new Worker(new URL('./wind.worker.ts', import.meta.url), { type: 'module' }),
});
const leaf = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 8, 0));
world.createCollider(ColliderDesc.cuboid(0.3, 0.05, 0.2), leaf);
const wind = world.system('wind', { bodies: [leaf.handle], force: 0.2 });

const platform = world.createCollider(
  ColliderDesc.cuboid(2, 0.1, 2).setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS),
);
world.system('oneWay', { platform: platform.handle });

export function storm(): void {
  wind.set({ bodies: [leaf.handle], force: 2 });
}
