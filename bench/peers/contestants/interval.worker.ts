/**
 * Baseline: a worker that steps by `setInterval` and posts every pose, as such workers are usually
 * written.
 */
import type { BenchScene } from '../../scenes/index.js';
import { PROBE_SPEED } from '../scene/peer-scene.js';
import { createRapierScene } from '../scene/rapier-scene.js';

/** The page's messages. */
export type IntervalMessage =
  | { readonly kind: 'start'; readonly scene: BenchScene }
  | { readonly kind: 'teleport'; readonly x: number }
  | { readonly kind: 'push'; readonly z: number }
  | { readonly kind: 'fail' };

export interface IntervalState {
  /** x y z qx qy qz qw of the boxes, of the instanced probe and of the single one. */
  readonly poses: Float32Array;
  /** When the step began, in ms since 1970. */
  readonly atMs: number;
  readonly stepMs: number;
}

let teleport: (x: number) => void = () => {};
let push: (z: number) => void = () => {};
let failsNext = false;

onmessage = ({ data }: MessageEvent<IntervalMessage>): void => {
  if (data.kind === 'start') void start(data.scene);
  else if (data.kind === 'teleport') teleport(data.x);
  else if (data.kind === 'push') push(data.z);
  else failsNext = true;
};

async function start(scene: BenchScene): Promise<void> {
  const { world, boxes, single, instanced } = await createRapierScene(scene);
  const bodies = [...boxes, instanced, single];
  teleport = (x) => {
    for (const body of [single, instanced]) body.setTranslation({ ...body.translation(), x }, true);
  };
  push = (z) => {
    for (const body of [single, instanced]) body.setLinvel({ x: PROBE_SPEED, y: 0, z }, true);
  };
  setInterval(() => {
    const startMs = performance.now();
    if (failsNext) {
      failsNext = false;
      throw new Error('this step fails on request');
    }
    world.step();
    const stepMs = performance.now() - startMs;
    const poses = new Float32Array(bodies.length * 7);
    for (const [index, body] of bodies.entries()) {
      const [p, r] = [body.translation(), body.rotation()];
      poses.set([p.x, p.y, p.z, r.x, r.y, r.z, r.w], index * 7);
    }
    const state: IntervalState = { poses, atMs: performance.timeOrigin + startMs, stepMs };
    postMessage(state);
  }, 1000 / 60);
}
