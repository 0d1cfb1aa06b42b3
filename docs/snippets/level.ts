import { addGltf } from 'betwixt/three';
import { createWorld } from 'betwixt/world';
import { AnimationMixer, Timer } from 'three';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { camera, renderer, scene } from './scene.js';

// #region add
const world = createWorld();
const gltf = await new GLTFLoader().loadAsync('level.glb');
scene.add(gltf.scene);
const level = await addGltf(world, gltf);
level.bodies.get('Door')?.applyImpulse({ x: 5, y: 0, z: 0 }, true);

const mixer = new AnimationMixer(gltf.scene);
for (const clip of gltf.animations) mixer.clipAction(clip).play();
const timer = new Timer();
renderer.setAnimationLoop((stamp) => {
  mixer.update(Math.min(timer.update(stamp).getDelta(), 1 / 30));
  level.update(world.sample(stamp));
  renderer.render(scene, camera);
});
// #endregion

// #region clone
const second = clone(gltf.scene);
second.position.x = 40;
scene.add(second);
const other = await addGltf(world, gltf, { object: second });
// #endregion
other.remove();

// #region compressed
const loader = new GLTFLoader()
  .setDRACOLoader(new DRACOLoader().setDecoderPath('/draco/'))
  .setKTX2Loader(new KTX2Loader().setTranscoderPath('/basis/').detectSupport(renderer))
  .setMeshoptDecoder(MeshoptDecoder);
// #endregion
export const compressed = loader.loadAsync('compressed.glb');
