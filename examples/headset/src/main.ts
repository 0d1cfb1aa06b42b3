/** Boxes on a table, and hands that push, grab and throw them: in a headset, or on the page. */
import { dragBodies, meshPhysics, watchContext } from 'betwixt/three';
import * as THREE from 'three';
import { blocksIn } from '../../stage/block.js';
import { element, fail } from '../../stage/page.js';
import { WOOD, colorOf, furnish, solid } from '../../stage/stage.js';
import { HAND_RADIUS, Hand } from './hand.js';

const isEmulated = new URLSearchParams(location.search).has('emulator');
const headset = isEmulated ? (await import('./emulator.js')).emulateHeadset() : undefined;

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
watchContext(renderer.domElement);
renderer.xr.enabled = true;
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(50, 1, 0.05, 100);
const scene = new THREE.Scene();
const { ground } = furnish(scene, 3);

// About one tick for each frame of a headset.
const physics = await meshPhysics({ tickRateHz: 90 }).catch(fail);

const box = blocksIn(scene, physics, 0.008);

const ABOVE_TABLE = { x: 0, y: 1.5, z: -0.6 };

// 1. The floor, a table, and a wall of boxes on it.
physics.addMesh(ground);
box([1.4, 0.06, 0.7], [0, 0.8, -0.6], WOOD);
const boxes = Array.from({ length: 18 }, (_, index) => {
  const row = Math.floor(index / 6);
  return box(
    [0.1, 0.1, 0.1],
    [0.12 * ((index % 6) - 2.5), 0.885 + 0.105 * row, -0.6],
    colorOf(row),
    0.2,
  );
});

// 2. Hands, drawn where the controllers are.
const hands = [0, 1].map((index) => {
  const space = renderer.xr.getControllerGrip(index);
  space.add(solid(new THREE.SphereGeometry(HAND_RADIUS), colorOf(2)));
  scene.add(space);
  const hand = new Hand(space, physics);
  const buttons = renderer.xr.getController(index);
  for (const name of ['select', 'squeeze'] as const) {
    buttons.addEventListener(`${name}start`, () => hand.grab(boxes));
    buttons.addEventListener(`${name}end`, () => hand.release());
  }
  return hand;
});

// 3. Each frame.
renderer.setAnimationLoop((stamp, frame) => {
  for (const hand of hands) hand.follow();
  // In a headset, the time at which the frame is shown, if the browser says it.
  physics.update(frame?.predictedDisplayTime || stamp);
  for (const mesh of boxes) {
    if (mesh.position.y < -1) physics.setMeshPosition(mesh, ABOVE_TABLE);
  }
  renderer.render(scene, camera);
});

// 4. Into the headset, and back to the page.
const button = element('button');
const system = navigator.xr;
const canEnter = await system?.isSessionSupported('immersive-vr').catch(() => false);
button.hidden = canEnter !== true;
element('footer').hidden = isEmulated;
element('output').textContent = button.hidden
  ? 'No headset: drag the boxes'
  : isEmulated
    ? 'In VR, the pointer is a hand: press to grab, turn the wheel to reach'
    : 'Push the boxes, and hold the trigger to grab one';
button.addEventListener('click', () => {
  toggleSession().catch((error: unknown) => {
    element('p').textContent = `The headset does not start: ${String(error)}`;
  });
});
async function toggleSession(): Promise<void> {
  const current = renderer.xr.getSession();
  if (current !== null) return current.end();
  const session = await system?.requestSession('immersive-vr', {
    requiredFeatures: ['local-floor'],
  });
  await renderer.xr.setSession(session ?? null);
}
let endDragging = dragBodies(renderer.domElement, camera, scene, physics);
renderer.xr.addEventListener('sessionstart', () => {
  endDragging();
  button.textContent = 'Leave VR';
});
renderer.xr.addEventListener('sessionend', () => {
  endDragging = dragBodies(renderer.domElement, camera, scene, physics);
  button.textContent = 'Enter VR';
  resize();
});

function resize(): void {
  if (renderer.xr.isPresenting) return;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  // The headset has moved it.
  camera.position.set(0.4, 1.5, 0.9);
  camera.lookAt(0, 0.95, -0.6);
  camera.fov = 50;
  camera.aspect = innerWidth / innerHeight;
  camera.zoom = Math.min(1, 0.85 * camera.aspect);
  camera.updateProjectionMatrix();
}
resize();
addEventListener('resize', resize);

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera, headset, table: { boxes, hands } });
