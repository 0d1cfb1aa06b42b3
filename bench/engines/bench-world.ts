/** The benchmark's view of an engine, and what all engines have in common. */
import type { BodyId } from '../../src/shared/index.js';
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';

export type EngineName = 'rapier-simd' | 'rapier' | 'rapier-deterministic' | 'cannon' | 'jolt';

export const ENGINE_NAMES: readonly EngineName[] = [
  'rapier-simd',
  'rapier',
  'rapier-deterministic',
  'cannon',
  'jolt',
];

export const FRICTION = 0.5;
export const DENSITY = 1;

export interface BenchWorld {
  /** Name and version of the engine. */
  readonly engineName: string;
  /** The scene's bodies, by their index in it. */
  readonly ids: readonly BodyId[];
  step(dt: number): void;
  /** Puts a body somewhere else, without velocity. */
  drop(id: BodyId, pose: BenchPose): void;
}

/**
 * Applies the scene's rule for fallen bodies, if it has one. Call it before the step of each tick.
 */
export function respawnFallen(
  world: BenchWorld,
  { respawn, bodies: scene }: BenchScene,
  bodies: Bodies,
  tick: number,
): void {
  if (respawn === undefined) return;
  for (let i = tick % respawn.everyTicks; i < scene.length; i += respawn.everyTicks) {
    const [body, id] = [scene[i], world.ids[i]];
    if (body === undefined || id === undefined) continue;
    if ((bodies.pose(id)?.y ?? 0) < respawn.belowY) world.drop(id, body.pose);
  }
}

/** In cubic metres. */
export function volumeOf(shape: BenchShape): number {
  return shape.kind === 'ball'
    ? (4 / 3) * Math.PI * shape.radius ** 3
    : 8 * shape.halfX * shape.halfY * shape.halfZ;
}
