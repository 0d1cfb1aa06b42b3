/**
 * All that draws bodies, in one picture: a row of columns, each with something that is moved from the lower to the upper half.
 * The renderer is chosen by the address: `webgl`, `webgpu`, or `fallback`, which is WebGPURenderer without WebGPU.
 */
import {
  BoxGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { BodyBinding, WorldHelper, meshPhysics } from '../../../src/three/index.js';
import { ColliderDesc, RigidBodyDesc } from '../../../src/world/page/index.js';
import { PATIENCE } from '../patient.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

const [WIDTH, HEIGHT] = [320, 160];
/** More matrices than fit into a uniform buffer, for which WebGPURenderer has another way. */
const MANY = 1500;

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const kind = new URLSearchParams(location.search).get('renderer');

async function createRenderer() {
  if (kind === 'webgl') {
    const renderer = new WebGLRenderer({ canvas });
    return { renderer, name: 'webgl' };
  }
  const renderer = new WebGPURenderer({ canvas, forceWebGL: kind === 'fallback' });
  await renderer.init();
  const isWebGPU = 'isWebGPUBackend' in renderer.backend;
  return { renderer, name: isWebGPU ? 'webgpu' : 'fallback' };
}

const { renderer, name } = await createRenderer();
renderer.setSize(WIDTH, HEIGHT, false);
const scene = new Scene();
// A unit is 10 px.
const camera = new OrthographicCamera(0, WIDTH / 10, HEIGHT / 10, 0, -100, 100);

/** Where each column is, in units. */
const COLUMNS = { attached: 2, few: 10, many: 14, dense: 18, helper: 26 };
const [LOW, HIGH] = [4, 12];

const box = new BoxGeometry(2, 2, 2);
const material = (color: number) => new MeshBasicMaterial({ color });
const physics = await meshPhysics(
  tuned(
    { gravity: { x: 0, y: 0, z: 0 }, capacity: 2000 },
    // The tick that makes thousands of bodies may take seconds: the renderer occupies all processors.
    { ...PATIENCE, startTimeoutMs: 600_000 },
  ),
);
const { world } = physics;

const attached = new Mesh(box, material(0xff0000));
attached.position.set(COLUMNS.attached, LOW, 0);
scene.add(attached);
physics.addMesh(attached, 1);

// Instances in order: few, and a lot, of which only the last one is in the picture.
const few = new InstancedMesh(box, material(0x0000ff), 2);
few.setMatrixAt(0, new Matrix4().makeTranslation(COLUMNS.few, LOW, 0));
few.setMatrixAt(1, new Matrix4().makeTranslation(-50, 0, 0));
const many = new InstancedMesh(box, material(0xffff00), MANY);
for (let index = 0; index < MANY; index++) {
  many.setMatrixAt(index, new Matrix4().makeTranslation(-100, 10 * index, 0));
}
many.setMatrixAt(MANY - 1, new Matrix4().makeTranslation(COLUMNS.many, LOW, 0));
scene.add(few, many);
physics.addMesh(few, 1);
physics.addMesh(many, 1);

// Dense instances, of which the mesh has none at first.
const simulation = await world.ready;
const binding = new BodyBinding();
const instances = binding.instances(new InstancedMesh(box, material(0xff00ff), 64));
scene.add(instances.mesh);
const dense = new Set<number>();
binding.populate(simulation, (handle) => (dense.has(handle) ? instances : undefined));
function addOwn(column: keyof typeof COLUMNS) {
  const body = world.createRigidBody(
    RigidBodyDesc.dynamic().setTranslation(COLUMNS[column], LOW, 0),
  );
  world.createCollider(ColliderDesc.cuboid(1, 1, 1), body);
  if (column === 'dense') dense.add(body.handle);
  return body;
}

// Lines, of a box that nothing else shows.
const helper = new WorldHelper(world);
helper.visible = false;
scene.add(helper);
const shown = addOwn('helper');

const copy = new OffscreenCanvas(WIDTH, HEIGHT).getContext('2d', { willReadFrequently: true });

/** The color of a place in the picture, in units: the brightest of a small square, for lines. */
function colorAt(x: number, y: number): string {
  const pixels = copy?.getImageData(10 * x - 1, HEIGHT - 10 * y - 1, 3, 3).data ?? [];
  let [brightest, most] = ['000', 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = pixels.slice(at, at + 3);
    if (red + green + blue <= most) continue;
    most = red + green + blue;
    brightest = [red, green, blue].map((value) => (value > 100 ? '1' : '0')).join('');
  }
  return brightest;
}

let picture: Record<string, string> = {};
requestAnimationFrame(function draw(stamp) {
  binding.update(physics.update(stamp));
  if (helper.visible) helper.update();
  renderer.render(scene, camera);
  // In the same task, before the browser takes the picture away.
  copy?.clearRect(0, 0, WIDTH, HEIGHT);
  copy?.drawImage(canvas, 0, 0);
  picture = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, x]) => {
      // Lines are at the edge of what they show.
      const at = column === 'helper' ? x - 1 : x;
      return [column, `${colorAt(at, LOW)} ${colorAt(at, HIGH)}`];
    }),
  );
  requestAnimationFrame(draw);
});

const page = {
  name,
  /** The color of each column in the lower and in the upper half: red, green and blue. */
  picture: () => picture,
  move() {
    physics.setMeshPosition(attached, new Vector3(COLUMNS.attached, HIGH, 0));
    physics.setMeshPosition(few, new Vector3(COLUMNS.few, HIGH, 0), 0);
    physics.setMeshPosition(many, new Vector3(COLUMNS.many, HIGH, 0), MANY - 1);
    shown.setTranslation({ x: COLUMNS.helper, y: HIGH, z: 0 }, true);
  },
  addOthers() {
    addOwn('dense');
    helper.visible = true;
  },
};
declare global {
  var drawn: typeof page;
}
globalThis.drawn = page;
