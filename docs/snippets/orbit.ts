import { connect } from 'betwixt';
import { BodyBinding } from 'betwixt/three';
import type { simulation } from './orbit.worker.js';
import { camera, mesh, renderer, scene } from './scene.js'; // your three.js scene

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./orbit.worker.ts', import.meta.url), { type: 'module' }),
  { tickRateHz: 60 },
);
const bodies = new BodyBinding();
bodies.populate(sim, () => mesh, { parent: scene });

renderer.setAnimationLoop((stamp) => {
  bodies.update(sim.sample(stamp));
  renderer.render(scene, camera);
});
