/** Boxes that fall on a plate: a world that the page makes, without a worker script. */
import { BodyBinding } from 'betwixt/three';
import { ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
import {
  BoxGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three';

const FIRST_BOXES = 25;
const HALF_PLATE_M = 6;
/** Boxes that have fallen off the plate are removed here. */
const LOWEST_M = -8;

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const count = document.querySelector('output') as HTMLOutputElement;
const message = document.querySelector('[role=alert]') as HTMLElement;
const button = document.querySelector('button') as HTMLButtonElement;

// 1. The world: handles exist at once, and the physics is in a worker.
const world = createWorld({ capacity: 1024 });
world.createCollider(
  ColliderDesc.cuboid(HALF_PLATE_M, 0.5, HALF_PLATE_M).setTranslation(0, -0.5, 0),
);

// 2. Boxes: a body, a collider, and the mesh that draws it.
const cube = new BoxGeometry(1, 1, 1);
function addBox(x: number, y: number, z: number): void {
  const hue = (world.bodies.len() * 0.13) % 1;
  const material = new MeshStandardMaterial({ color: new Color().setHSL(hue, 0.6, 0.55) });
  const mesh = new Mesh(cube, material);
  const body = world.createRigidBody(
    RigidBodyDesc.dynamic().setTranslation(x, y, z).setUserData(mesh),
  );
  world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5).setFriction(0.7), body);
}
for (let index = 0; index < FIRST_BOXES; index++) {
  addBox(Math.sin(index * 2.4) * 1.5, 1 + index * 0.8, Math.cos(index * 2.4) * 1.5);
}
button.addEventListener('click', () => addBox(Math.random() - 0.5, 12, Math.random() - 0.5));

// 3. The scene.
const renderer = new WebGLRenderer({ canvas, antialias: true });
const camera = new PerspectiveCamera(40, 1, 0.1, 100);
const scene = new Scene();
scene.background = new Color(0x1b1f26);
const sun = new DirectionalLight(0xffffff, 2);
sun.position.set(3, 8, 5);
const plate = new Mesh(
  new BoxGeometry(2 * HALF_PLATE_M, 1, 2 * HALF_PLATE_M),
  new MeshStandardMaterial({ color: 0x55606e }),
);
plate.position.y = -0.5;
scene.add(sun, new HemisphereLight(0xffffff, 0x445566, 1), plate);
function resize(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  const distance = 16 / Math.min(camera.aspect, 1) ** 0.7;
  camera.position.set(0, distance * 0.45, distance);
  camera.lookAt(0, 2, 0);
  camera.updateProjectionMatrix();
}
resize();
addEventListener('resize', resize);

// 4. Meshes come and go with their bodies. A body's tag is its handle.
const bodies = new BodyBinding();
try {
  const sim = await world.ready;
  bodies.populate(sim, (handle) => world.getRigidBody(handle)?.userData as Mesh | undefined, {
    parent: scene,
    onRemove: (mesh) => ((mesh as Mesh).material as MeshStandardMaterial).dispose(),
  });
  sim.on('status', (status) => {
    if (status.kind === 'failed') showFailure(status.error);
  });
} catch (error) {
  showFailure(error);
}

// 5. Each frame: sample, decide, draw.
renderer.setAnimationLoop((stamp) => {
  bodies.update(world.sample(stamp));
  for (const body of world.bodies.getAll()) {
    if (body.translation().y < LOWEST_M) world.removeRigidBody(body);
  }
  count.textContent = `${world.bodies.len()} boxes`;
  renderer.render(scene, camera);
});

function showFailure(error: unknown): void {
  message.textContent = `The physics failed: ${String(error)}`;
}

declare global {
  /** For the browser's console. */
  var boxes: typeof world;
}
globalThis.boxes = world;
