import { addGltf } from 'betwixt/three';
import { Ball, QueryFilterFlags, createWorld } from 'betwixt/world';
import { AnimationMixer, Timer, type Vector3 } from 'three';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { camera, renderer, scene } from './scene.js';

// #region add
const world = createWorld({ queries: true });
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

// #region camera
const ball = new Ball(0.3);
const upright = { x: 0, y: 0, z: 0, w: 1 };
const walls = QueryFilterFlags.ONLY_FIXED | QueryFilterFlags.EXCLUDE_SENSORS;

/** @param back From the head to the camera, of length 1. */
export function follow(head: Vector3, back: Vector3, distance: number): void {
  const hit = world.castShape(head, upright, back, ball, 0, distance, true, walls);
  camera.position.copy(head).addScaledVector(back, hit?.time_of_impact ?? distance);
  camera.lookAt(head);
}
// #endregion

// #region compressed
const loader = new GLTFLoader()
  .setDRACOLoader(new DRACOLoader().setDecoderPath('/draco/'))
  .setKTX2Loader(new KTX2Loader().setTranscoderPath('/basis/').detectSupport(renderer))
  .setMeshoptDecoder(MeshoptDecoder);
// #endregion
export const compressed = loader.loadAsync('compressed.glb');
