/** The scene: a heap falls into its pit once, before anything is measured, and all contestants begin with that. */
import { createScene, type BenchScene } from '../../scenes/index.js';
import { createRapierScene } from './rapier-scene.js';

const SETTLE_TICKS = 180;

/** @param count How many boxes, from 0. */
export async function settledScene(count: number, seed: number): Promise<BenchScene> {
  const { bodies, ...rest } = createScene('heap', Math.max(1, count), seed);
  const falling = bodies.slice(0, count);
  const { world, boxes } = await createRapierScene({ ...rest, bodies: falling });
  for (let tick = 0; tick < SETTLE_TICKS; tick++) world.step();
  const poses = boxes.map((box) => {
    const [{ x, y, z }, r] = [box.translation(), box.rotation()];
    return { x, y, z, qx: r.x, qy: r.y, qz: r.z, qw: r.w };
  });
  const settled = falling.map(({ pose, ...body }, index) => {
    return Object.assign(body, { pose: poses[index] ?? pose });
  });
  world.free();
  return { ...rest, bodies: settled };
}
