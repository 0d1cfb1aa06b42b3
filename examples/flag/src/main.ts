/** The page: draws the flag and the rope, whose points are numbers between two states. */
import { connect, type SampledFrame } from 'betwixt';
import { pointerSource } from 'betwixt/inputs';
import { planeCoordinates } from 'betwixt/three';
import * as THREE from 'three';
import { element, fail } from '../../stage/page.js';
import { STONE, WOOD, box, createStage, painted, solid } from '../../stage/stage.js';
import { CLOTH, CLOTH_VALUES, POLE_RADIUS, ROPE, ROPE_VALUES } from './cloth.js';
import type { simulation } from './sim.worker.js';

const ROPE_RADIUS = 0.03;
const ROPE_SIDES = 8;
const stage = createStage({
  from: [0.9, 2.6, 10],
  to: [0.9, 3.35, 0],
  // The picture is higher than it is wide.
  aspect: 0.9,
  reachM: 6,
  turns: false,
});
const { canvas, renderer, scene, camera } = stage;

// 1. The pole, with an arm for the rope.
function addRod(length: number, radius: number, x: number, y: number): THREE.Mesh {
  const rod = solid(new THREE.CylinderGeometry(radius, radius, length, 24), WOOD);
  rod.position.set(x, y, 0);
  scene.add(rod);
  return rod;
}
const addBall = (radius: number, color: number, y: number) => {
  const ball = solid(new THREE.SphereGeometry(radius, 32, 16), color, { roughness: 0.3 });
  ball.position.y = y;
  scene.add(ball);
  return ball;
};
addRod(6, POLE_RADIUS, 0, 3);
addRod(1.25, 0.03, ROPE.x / 2, ROPE.top).rotation.z = Math.PI / 2;
addBall(0.11, 0xe3a13f, 6.05);
const foot = box([0.9, 0.3, 0.9], STONE);
foot.position.y = 0.15;
scene.add(foot);

// 2. The cloth: a grid with the same points in the same order. Light shines on both sides.
const pattern = painted(512, 300, (context) => {
  for (const [index, color] of ['#2f6f9f', '#f4ead2', '#d65a4f'].entries()) {
    context.fillStyle = color;
    context.fillRect(0, 100 * index, 512, 100);
  }
  context.fillStyle = '#e3a13f';
  context.beginPath();
  context.arc(150, 150, 80, 0, 2 * Math.PI);
  context.fill();
});
const clothPoints = new THREE.BufferAttribute(new Float32Array(CLOTH_VALUES), 3);
const grid = new THREE.PlaneGeometry(1, 1, CLOTH.columns - 1, CLOTH.rows - 1);
grid.setAttribute('position', clothPoints);
const cloth = solid(grid, 'white', { map: pattern, side: THREE.DoubleSide, roughness: 0.9 });
// In the map of shadows, the cloth is a little farther from the sun: its own shadow would speckle it otherwise.
cloth.customDepthMaterial = new THREE.MeshDepthMaterial({
  polygonOffset: true,
  polygonOffsetFactor: 4,
  polygonOffsetUnits: 4,
});

// 3. The rope: rings of a tube around its points, and the weight at its end.
const ropePoints = new Float32Array(ROPE_VALUES);
const tube = new THREE.CylinderGeometry(1, 1, 1, ROPE_SIDES, ROPE.points - 1, true);
const tubePoints = tube.getAttribute('position');
const tubeNormals = tube.getAttribute('normal');
const rope = solid(tube, 0xefe2c0, { roughness: 1 });
const weight = addBall(0.13, 0xd65a4f, 0);
const ropePoint = new THREE.Vector3();
function drawRope(): void {
  for (let index = 0; index < tubePoints.count; index++) {
    ropePoint.fromArray(ropePoints, 3 * Math.floor(index / (ROPE_SIDES + 1)));
    tubePoints.setXYZ(
      index,
      ropePoint.x + ROPE_RADIUS * tubeNormals.getX(index),
      ropePoint.y,
      ropePoint.z + ROPE_RADIUS * tubeNormals.getZ(index),
    );
  }
  tubePoints.needsUpdate = true;
  weight.position.copy(ropePoint);
}
for (const mesh of [cloth, rope]) {
  // The points of both are never far away.
  mesh.frustumCulled = false;
  scene.add(mesh);
}

// 4. The simulation, in a worker: fewer ticks than the display has frames.
const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
  { tickRateHz: 30, capacity: 1, display: { values: CLOTH_VALUES + ROPE_VALUES } },
).catch(fail);
sim.on('status', (status) => {
  if (status.kind === 'failed') fail(status.error);
});
element('button').addEventListener('click', () => sim.commands.restart());

// 5. The halves of the split view. They lie over the canvas, and one that is hidden leaves all of it to the other.
const [withoutBlending, blended] = document.querySelectorAll<HTMLElement>('figure');
if (withoutBlending === undefined || blended === undefined)
  throw new Error('the page has no halves');
const coordinates = planeCoordinates(camera, new THREE.Plane(new THREE.Vector3(0, 0, 1)));
const pointers = [withoutBlending, blended].map((target) =>
  pointerSource(sim.inputs, { target, wheel: false, coordinates }),
);
const split = document.querySelector<HTMLElement>('[aria-pressed]');
split?.addEventListener('click', () => {
  split.ariaPressed = String(withoutBlending.hidden);
  withoutBlending.hidden = !withoutBlending.hidden;
});

/** Lets the next picture fill a half of the canvas, and nothing else. */
function drawInto({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement): void {
  const bottom = canvas.clientHeight - offsetTop - offsetHeight;
  renderer.setViewport(offsetLeft, bottom, offsetWidth, offsetHeight);
  renderer.setScissor(offsetLeft, bottom, offsetWidth, offsetHeight);
  stage.fit(offsetWidth, offsetHeight);
}
renderer.setScissorTest(true);

// 6. Each frame: the points as they are between two states; in the other half, those of the later state alone.
function take(frame: SampledFrame): void {
  if (frame.writeValues(clothPoints.array as Float32Array, 0, CLOTH_VALUES) === undefined) return;
  frame.writeValues(ropePoints, CLOTH_VALUES, ROPE_VALUES);
  clothPoints.needsUpdate = true;
  grid.computeVertexNormals();
  drawRope();
}
stage.onFrame((stamp) => {
  for (const pointer of pointers) pointer.flush();
  const frame = sim.sample(stamp);
  if (!withoutBlending.hidden) {
    take(sim.latest);
    drawInto(withoutBlending);
    renderer.render(scene, camera);
  }
  take(frame);
  drawInto(blended);
});

declare global {
  /** For the browser's console. */
  var flag: typeof sim;
}
globalThis.flag = sim;
