/** The page: makes the world, which a worker simulates, and draws it. */
import { BodyBinding } from 'betwixt/three';
import { createWorld, type Collider } from 'betwixt/world';
import { createScene } from './scene.js';
import { View } from './view.js';

const view = new View();
const world = createWorld({ capacity: 16 });
const jump = createScene(world);
addEventListener('keydown', ({ code, repeat }) => code === 'Space' && !repeat && jump());
view.canvas.addEventListener('pointerdown', jump);
const indexOf = (collider: Collider) => Number(collider.parent()?.userData);
world.on('collision', ({ started, collider1, collider2 }) => {
  if (started) for (const collider of [collider1, collider2]) view.flash(indexOf(collider));
});
const sim = await world.ready;
const bodies = new BodyBinding();
bodies.populate(sim, (handle) => view.meshes[Number(world.getRigidBody(handle)?.userData)]);
view.onFrame((stampMs) => bodies.update(world.sample(stampMs)));
Object.assign(globalThis, { world, sim });
