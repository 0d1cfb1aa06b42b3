import { connect } from 'betwixt';
import { keyboardSource } from 'betwixt/inputs';
import { BodyBinding } from 'betwixt/three';
import { Mesh, MeshNormalMaterial, SphereGeometry } from 'three';
import type { simulation } from './balls.worker.js';
import { camera, renderer, scene } from '../scene.js'; // your three.js scene

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./balls.worker.ts', import.meta.url), { type: 'module' }),
  { tickRateHz: 60, capacity: 20 },
);
const bodies = new BodyBinding();
const geometry = new SphereGeometry(0.2);
const material = new MeshNormalMaterial();
bodies.populate(sim, () => new Mesh(geometry, material), { parent: scene });
const keyboard = keyboardSource(sim.inputs, { keys: ['Space'] });

renderer.setAnimationLoop((stamp) => {
  keyboard.flush();
  bodies.update(sim.sample(stamp));
  renderer.render(scene, camera);
});
