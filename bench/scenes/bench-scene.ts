/** A scene to measure engines with, as engine-independent plain data. Metres and seconds. */

export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export type BenchShape =
  | { readonly kind: 'box'; readonly halfX: number; readonly halfY: number; readonly halfZ: number }
  | { readonly kind: 'ball'; readonly radius: number };

/** Position and rotation; the rotation is a unit quaternion. */
export interface BenchPose extends Vector {
  readonly qx: number;
  readonly qy: number;
  readonly qz: number;
  readonly qw: number;
}

/** A moving body. Its density is 1, its friction 0.5, its restitution 0, and nothing damps it. */
export interface BenchBody {
  readonly shape: BenchShape;
  readonly pose: BenchPose;
  readonly canSleep: boolean;
  readonly startsAsleep: boolean;
}

/** A box that does not move. */
export interface BenchStatic {
  readonly pose: BenchPose;
  readonly half: Vector;
}

/** When fallen bodies are put back to where they began. By tick, not by time: part of the scene. */
export interface RespawnRule {
  /** Bodies lower than this are put back, without velocity. */
  readonly belowY: number;
  /** In tick k, those with an index of k modulo this are checked. */
  readonly everyTicks: number;
}

export interface BenchScene {
  readonly name: SceneName;
  readonly seed: number;
  readonly gravity: Vector;
  readonly bodies: readonly BenchBody[];
  readonly statics: readonly BenchStatic[];
  readonly respawn: RespawnRule | undefined;
}

/**
 * - `heap`: boxes fall into a pit with walls and settle in a heap that never sleeps.
 * - `rain`: boxes and balls fall past pegs, and from the top again: a steady state of short
 *   contacts.
 * - `resting`: boxes lie on the ground, asleep.
 * - `stack`: towers of ten boxes that never sleep.
 */
export type SceneName = 'heap' | 'rain' | 'resting' | 'stack';

export const SCENE_NAMES: readonly SceneName[] = ['heap', 'rain', 'resting', 'stack'];
