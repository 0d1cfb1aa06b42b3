/** The costs of the three.js binding, with objects that are not rendered. */
import { Group, Object3D, Scene } from 'three';
import type { SampledFrame } from '../../src/render-main/index.js';
import { BodyBinding } from '../../src/three/index.js';
import { poseFrame } from './kernel-cases.js';
import type { Batch } from './measure.js';

/** Attached objects in a scene, or in a parent of it that is moved and turned. */
export function updateObjects(
  bodies: number,
  motion: 'tumbling' | 'resting',
  within: 'scene' | 'parent',
): Batch {
  const { ids, pair, pose } = poseFrame(bodies, motion);
  const frame: SampledFrame = {
    hasState: true,
    alpha: 0.37,
    blend: 0.37,
    tick: 1,
    newestTick: 1,
    newestValues: undefined,
    writeValues: () => undefined,
    pose,
    newest: () => undefined,
    velocity: () => undefined,
    isAsleep: () => undefined,
    writeMatrices: () => 0,
  };
  const scene = new Scene();
  const group = new Group();
  group.position.set(1, 2, 3);
  group.rotation.set(1, 2, 3);
  scene.add(group);
  const binding = new BodyBinding();
  for (const id of ids) {
    const object = new Object3D();
    (within === 'scene' ? scene : group).add(object);
    binding.attach(object, id);
  }
  return {
    items: bodies,
    run: () => {
      // Another frame each time: a rotation that is there already is not written.
      pair.blend = 1 - pair.blend;
      binding.update(frame);
    },
  };
}

/** Attaching and detaching one object while others are attached; constant, so that it does not depend on their number. */
export function attachAndDetach(others: number): Batch {
  const { ids } = poseFrame(others + 1, 'resting');
  const binding = new BodyBinding();
  const objects = ids.map(() => new Object3D());
  for (const [index, id] of ids.entries()) {
    binding.attach(objects[index] as Object3D, id);
  }
  const times = 1000;
  return {
    items: times,
    run: () => {
      for (let index = 0; index < times; index++) {
        const at = index % objects.length;
        const object = objects[at] as Object3D;
        binding.detach(object);
        binding.attach(object, ids[at] as (typeof ids)[number]);
      }
    },
  };
}
