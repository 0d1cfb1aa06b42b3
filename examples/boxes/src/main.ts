/** Boxes that fall on a disc in the sky: a world that the page makes, without a worker script. */
import { BodyBinding } from 'betwixt/three';
import { ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
import { CylinderGeometry, type Mesh } from 'three';
import { element, fail } from '../../stage/page.js';
import { STONE, box, colorOf, createStage, solid } from '../../stage/stage.js';

const FIRST_BOXES = 25;
const DISC = { halfHeight: 0.5, radius: 8 } as const;
/** Boxes that have fallen off the disc are removed here. */
const LOWEST_M = -12;

const { scene, ground, onFrame } = createStage({ from: [0, 6.5, 16], to: [0, 1, 0] });
ground.visible = false;
const disc = solid(new CylinderGeometry(DISC.radius, 7.2, 2 * DISC.halfHeight, 96), STONE);
disc.position.y = -DISC.halfHeight;
scene.add(disc);

// 1. The world: handles exist at once, and the physics is in a worker.
const world = createWorld({ capacity: 1024 });
world.createCollider(
  ColliderDesc.cylinder(DISC.halfHeight, DISC.radius).setTranslation(0, -DISC.halfHeight, 0),
);

// 2. Boxes: a body, a collider, and the mesh that draws it.
function addBox(x: number, y: number, z: number): void {
  const mesh = box([1, 1, 1], colorOf(world.bodies.len()));
  const body = world.createRigidBody(
    RigidBodyDesc.dynamic().setTranslation(x, y, z).setUserData(mesh),
  );
  world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5).setFriction(1), body);
}
for (let index = 0; index < FIRST_BOXES; index++) {
  addBox(Math.sin(index * 2.4) * 1.5, 1 + index * 0.8, Math.cos(index * 2.4) * 1.5);
}
element('button').addEventListener('click', () => {
  addBox(Math.random() - 0.5, 12, Math.random() - 0.5);
});

// 3. Meshes come and go with their bodies. A body's tag is its handle.
const bodies = new BodyBinding();
const sim = await world.ready.catch(fail);
bodies.populate(sim, (handle) => world.getRigidBody(handle)?.userData as Mesh | undefined, {
  parent: scene,
});
sim.on('status', (status) => {
  if (status.kind === 'failed') fail(status.error);
});

// 4. Each frame: sample, decide.
onFrame((stamp) => {
  bodies.update(world.sample(stamp));
  for (const body of world.bodies.getAll()) {
    if (body.translation().y < LOWEST_M) world.removeRigidBody(body);
  }
  element('output').textContent = `${world.bodies.len()} boxes`;
});

declare global {
  /** For the browser's console. */
  var boxes: typeof world;
}
globalThis.boxes = world;
