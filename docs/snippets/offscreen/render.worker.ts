import { connect } from 'betwixt';
import { receiveCanvas } from 'betwixt/offscreen/worker';
import { BodyBinding } from 'betwixt/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { simulation } from '../orbit.worker.js';

const { canvas, element, onResize, connectInputs } = await receiveCanvas();
const renderer = new THREE.WebGLRenderer({ canvas });
const camera = new THREE.PerspectiveCamera(50);
camera.position.set(0, 2, 6);
const controls = new OrbitControls(camera, element); // as on a page
onResize(({ width, height, pixelRatio }) => {
  renderer.setPixelRatio(pixelRatio);
  renderer.setSize(width, height, false); // the canvas has no style here
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
});

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('../orbit.worker.ts', import.meta.url), { type: 'module' }),
);
connectInputs(sim.inputs);

const scene = new THREE.Scene();
const bodies = new BodyBinding();
bodies.populate(sim, () => new THREE.Mesh(new THREE.SphereGeometry(0.5)), { parent: scene });
const pointer = new THREE.Raycaster();
element.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
  const x = (offsetX / element.clientWidth) * 2 - 1;
  const y = 1 - (offsetY / element.clientHeight) * 2;
  pointer.setFromCamera(new THREE.Vector2(x, y), camera);
  postMessage({ hits: pointer.intersectObjects(scene.children).length }); // to the page
});

requestAnimationFrame(function draw(stamp) {
  requestAnimationFrame(draw);
  bodies.update(sim.sample(stamp));
  controls.update();
  renderer.render(scene, camera);
});
