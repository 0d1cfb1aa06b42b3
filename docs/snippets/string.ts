import { connect } from 'betwixt';
import { BufferAttribute, BufferGeometry, Line } from 'three';
import { camera, renderer, scene } from './scene.js'; // your three.js scene

const sim = await connect(
  () => new Worker(new URL('./string.worker.ts', import.meta.url), { type: 'module' }),
  { display: { values: 60 } },
);
const points = new Float32Array(60);
const position = new BufferAttribute(points, 3);
const string = new Line(new BufferGeometry().setAttribute('position', position));
string.frustumCulled = false;
scene.add(string);

renderer.setAnimationLoop((stamp) => {
  position.needsUpdate = sim.sample(stamp).writeValues(points) !== undefined;
  renderer.render(scene, camera);
});
