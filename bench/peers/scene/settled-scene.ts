/**
 * Builds the scene: a heap falls into its pit once, before anything is measured, and all
 * contestants begin with that.
 */
import { createScene, type BenchPose } from '../../scenes/index.js';
import type { PeerScene, PoseNumbers } from './peer-scene.js';
import { createRapierScene } from './rapier-scene.js';

const SETTLE_TICKS = 180;

/** @param bodies How many boxes, from 0. */
export async function settledScene(bodies: number, seed: number): Promise<PeerScene> {
  const { gravity, bodies: boxes, statics } = createScene('heap', Math.max(1, bodies), seed);
  const falling: PeerScene = {
    gravityY: gravity.y,
    boxes: boxes.slice(0, bodies).map(({ pose }) => numbersOf(pose)),
    statics: statics.map(({ pose, half }) => {
      return { pose: numbersOf(pose), half: [half.x, half.y, half.z] };
    }),
  };
  return { ...falling, boxes: await settle(falling) };
}

async function settle(scene: PeerScene): Promise<PoseNumbers[]> {
  const { world, boxes } = await createRapierScene(scene);
  for (let tick = 0; tick < SETTLE_TICKS; tick++) world.step();
  const settled = boxes.map((body): PoseNumbers => {
    const [p, r] = [body.translation(), body.rotation()];
    return [p.x, p.y, p.z, r.x, r.y, r.z, r.w];
  });
  world.free();
  return settled;
}

function numbersOf({ x, y, z, qx, qy, qz, qw }: BenchPose): PoseNumbers {
  return [x, y, z, qx, qy, qz, qw];
}
