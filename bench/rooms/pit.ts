/**
 * The scene of `npm run bench:rooms`: boxes in a pit, and a bar that can stir them, so that all move. Lengths in m,
 * times in s.
 */
import type { RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import { ofBuild } from '../engines/load-rapier.js';

export const BOXES = 200;
/** Rapier's boxes, the bar, and nothing else has a slot. */
export const PIT_CAPACITY = 256;
const HALF = 0.3;
const PIT = { half: 5, wall: 4 } as const;
const BAR = { half: { x: 4.7, y: 0.35, z: 0.15 }, y: 0.5, turnPerTick: 0.03 } as const;
const COLUMNS = 8;

export type PitMotion = 'stirred' | 'awake' | 'resting';

export interface PitOptions {
  readonly build: RapierBuild;
  /**
   * `stirred` (the default): the bar turns, and all boxes move. `awake`: it does not, and the boxes come to rest but do not
   * sleep. `resting`: they sleep.
   */
  readonly motion?: PitMotion;
}

export const createPit = ({ build, motion = 'stirred' }: PitOptions): Simulation =>
  ofBuild[build].rapierSimulation(({ rapier, physics, context }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    const { world } = physics;
    world.createCollider(ColliderDesc.cuboid(PIT.half, 0.5, PIT.half).setTranslation(0, -0.5, 0));
    for (const [x, z] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const wall = ColliderDesc.cuboid(
        x === 0 ? PIT.half : 0.5,
        PIT.wall,
        z === 0 ? PIT.half : 0.5,
      );
      const away = PIT.half + 0.5;
      world.createCollider(wall.setTranslation(x * away, PIT.wall, z * away));
    }
    const turning = world.createRigidBody(
      RigidBodyDesc.kinematicPositionBased().setTranslation(0, BAR.y, 0),
    );
    world.createCollider(ColliderDesc.cuboid(BAR.half.x, BAR.half.y, BAR.half.z), turning);
    const bar = physics.ref(turning);
    const boxes = Array.from({ length: BOXES }, (_, index) => {
      const column = index % COLUMNS;
      const row = Math.floor(index / COLUMNS) % COLUMNS;
      const layer = Math.floor(index / COLUMNS ** 2);
      const shift = context.random.between(-0.1, 0.1);
      const place = RigidBodyDesc.dynamic()
        .setTranslation(column * 1.1 - 3.9 + shift, 1.5 + layer * 0.8, row * 1.1 - 3.9 - shift)
        .setCanSleep(motion === 'resting');
      const body = world.createRigidBody(place);
      world.createCollider(ColliderDesc.cuboid(HALF, HALF, HALF), body);
      return physics.add(body);
    });
    return {
      step(dt: number, tick: number) {
        if (motion === 'stirred') {
          const half = (tick * BAR.turnPerTick) / 2;
          const rotation = { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) };
          bar.body?.setNextKinematicRotation(rotation);
        }
        physics.step(dt);
      },
      commands: {
        /** A player hits one of the boxes. */
        hit(_seat: number, index: number) {
          const box = boxes[index % BOXES];
          const body = box === undefined ? undefined : physics.rigidBodyOf(box);
          body?.applyImpulse({ x: 0, y: 0.5, z: 0 }, true);
        },
      },
      // All that it has is Rapier's, and follows from the tick.
      restore: () => {},
      restoreInPlace: () => {},
    };
  }) as unknown as Simulation;
