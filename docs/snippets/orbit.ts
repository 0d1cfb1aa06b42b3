import * as THREE from 'three';
import { connect } from 'betwixt';
import { BodyBinding } from 'betwixt/three';
import type { simulation } from './orbit.worker.js';

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./orbit.worker.ts', import.meta.url), { type: 'module' }),
  { tickRateHz: 60, capacity: 16 },
);

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.set(0, 3, 6);
camera.lookAt(0, 0, 0);
document.body.append(renderer.domElement);

const bodies = new BodyBinding();
const moon = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshNormalMaterial());
scene.add(moon);
bodies.attach(moon, await sim.queries.moonId());

renderer.setAnimationLoop((stamp) => {
  bodies.update(sim.sample(stamp));
  renderer.render(scene, camera);
});

await sim.commands.setSpeed(2);
