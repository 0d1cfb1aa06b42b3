import { connect } from 'betwixt';
import { pointerSource } from 'betwixt/inputs';
import { BodyBinding, planeCoordinates } from 'betwixt/three';
import { InstancedMesh, MeshNormalMaterial, Plane, SphereGeometry, Vector3 } from 'three';
import { camera, mesh as vane, renderer, scene } from '../scene.js'; // your three.js scene
import type { simulation } from './src/sim.worker.js';

const DROPS = 400;
const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./src/sim.worker.ts', import.meta.url), { type: 'module' }),
  { tickRateHz: 60, capacity: DROPS, display: { values: 1 } },
);

const drops = new InstancedMesh(new SphereGeometry(0.1), new MeshNormalMaterial(), DROPS);
scene.add(drops, vane);
const bodies = new BodyBinding();
const instances = bodies.instances(drops);
bodies.populate(sim, () => instances);

const wind = new Float32Array(1);
sim.on('gust', ({ value }) => console.log('a gust towards', value.x));
const pointer = pointerSource(sim.inputs, {
  target: renderer.domElement,
  coordinates: planeCoordinates(camera, new Plane(new Vector3(0, 0, 1))),
});

renderer.setAnimationLoop((stamp) => {
  pointer.flush();
  const frame = sim.sample(stamp);
  bodies.update(frame);
  frame.writeValues(wind);
  vane.rotation.z = -0.1 * (wind[0] ?? 0);
  renderer.render(scene, camera);
});
