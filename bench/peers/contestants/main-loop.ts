/** Baseline: an accumulator on the main thread, and the newest state drawn. */
import { createRapierScene } from '../scene/rapier-scene.js';
import { PROBE_SPEED } from '../scene/peer-scene.js';
import type { Contestant, OpenContestant } from './contestant.js';
import { DrawnBodies } from './drawn-bodies.js';

const TICK_SECONDS = 1 / 60;
/** Longer frames are cut, so that slow steps do not require more and more of them. */
const MAX_STEP_SECONDS = 0.25;

export const openMainLoop: OpenContestant = async (scene): Promise<Contestant> => {
  const { world, boxes, single, instanced } = await createRapierScene(scene);
  const drawn = new DrawnBodies(boxes.length);
  const instances = [...boxes, instanced];
  let [lastSeconds, accumulatorSeconds, fedSeconds] = [0, 0, 0];
  return {
    frame(_stampMs, displaySeconds) {
      const passedSeconds = Math.min(displaySeconds - lastSeconds, MAX_STEP_SECONDS);
      lastSeconds = displaySeconds;
      accumulatorSeconds += passedSeconds;
      fedSeconds += passedSeconds;
      while (accumulatorSeconds >= TICK_SECONDS) {
        world.step();
        accumulatorSeconds -= TICK_SECONDS;
      }
      for (const [index, body] of instances.entries()) {
        drawn.setInstanceFrom(index, body.translation(), body.rotation());
      }
      drawn.single.position.copy(single.translation());
    },
    singleX: () => drawn.singleX(),
    instancedX: () => drawn.instancedX(),
    singleZ: () => drawn.singleZ(),
    instancedZ: () => drawn.instancedZ(),
    ageMs: () => (fedSeconds - drawn.singleX()) * 1000,
    takeOutsideMs: () => 0,
    begin: () => {},
    tick: () => null,
    teleport(x) {
      for (const body of [single, instanced]) {
        body.setTranslation({ ...body.translation(), x }, true);
      }
    },
    push(z) {
      for (const body of [single, instanced]) body.setLinvel({ x: PROBE_SPEED, y: 0, z }, true);
    },
    failNextStep: null,
    dispose: () => world.free(),
  };
};
