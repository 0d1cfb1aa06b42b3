/**
 * Whether a restored world continues with the same bits: a stack of boxes and balls that is pushed over, saved while
 * everything touches, and continued from each saved state with the same pushes.
 */
import { StateHash } from '../../src/shared/recording/state-hash.js';
import type { Rapier } from '../../src/sim-worker/engines/rapier.js';

type World = InstanceType<Rapier['World']>;

export interface RestoredRuns {
  /** How many states were saved and continued. */
  readonly saved: number;
  /** How many of them led to another state at some tick. */
  readonly differing: number;
  /** After how many ticks the first of those did. */
  readonly firstAfter: number | undefined;
  /** Of the last state of the run that was never restored. */
  readonly hash: string;
}

const LAYERS = 6;
const ROWS = 5;
const COLUMNS = 4;

/**
 * @param rapier Initialized, of any build and version from 0.19 on.
 * @param ticks Length of the run.
 * @param saveEvery Ticks between two saved states.
 */
export function measureRestoredRuns(rapier: Rapier, ticks = 360, saveEvery = 10): RestoredRuns {
  const { pusher, world } = createStack(rapier);
  const hashes: string[] = [];
  const saved: { readonly tick: number; readonly bytes: Uint8Array }[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    if (tick % saveEvery === 0) saved.push({ tick, bytes: world.takeSnapshot() });
    pushAndStep(world, pusher, tick);
    hashes.push(hashOf(world));
  }
  world.free();
  const after = saved.map((state) => firstDifference(rapier, pusher, state, hashes));
  const differing = after.filter((found) => found !== undefined);
  return {
    saved: saved.length,
    differing: differing.length,
    firstAfter: differing.length === 0 ? undefined : Math.min(...differing),
    hash: hashes.at(-1) ?? '',
  };
}

/** @returns After how many ticks the restored world differs. */
function firstDifference(
  rapier: Rapier,
  pusher: number,
  { tick: start, bytes }: { readonly tick: number; readonly bytes: Uint8Array },
  hashes: readonly string[],
): number | undefined {
  const world = rapier.World.restoreSnapshot(bytes);
  try {
    for (let tick = start; tick < hashes.length; tick++) {
      pushAndStep(world, pusher, tick);
      if (hashOf(world) !== hashes[tick]) return tick - start + 1;
    }
    return undefined;
  } finally {
    world.free();
  }
}

function createStack(rapier: Rapier): { readonly world: World; readonly pusher: number } {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(ColliderDesc.cuboid(30, 1, 30).setTranslation(0, -1, 0));
  for (let layer = 0; layer < LAYERS; layer++) {
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const at = RigidBodyDesc.dynamic().setTranslation(
          row * 1.02 + (layer % 3) * 0.01,
          0.5 + layer * 1.01,
          column * 1.02 + (row % 2) * 0.01,
        );
        const isBall = (layer + row + column) % 4 === 0;
        const shape = isBall ? ColliderDesc.ball(0.5) : ColliderDesc.cuboid(0.5, 0.5, 0.5);
        world.createCollider(shape, world.createRigidBody(at));
      }
    }
  }
  const at = RigidBodyDesc.kinematicVelocityBased().setTranslation(-4, 2, 1.5);
  const pusher = world.createRigidBody(at);
  world.createCollider(ColliderDesc.cuboid(0.5, 2, 3), pusher);
  return { world, pusher: pusher.handle };
}

/** It moves back and forth. The velocities are constants, which are equal in every JavaScript engine. */
function pushAndStep(world: World, pusher: number, tick: number): void {
  const x = tick % 180 < 120 ? 2.5 : -3;
  world.getRigidBody(pusher).setLinvel({ x, y: 0, z: 0.25 }, true);
  world.timestep = 1 / 60;
  world.step();
}

function hashOf(world: World): string {
  const hash = new StateHash();
  world.forEachRigidBody((body) => {
    const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    for (const value of [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]) {
      hash.addFloat(value);
    }
  });
  return hash.digest();
}
