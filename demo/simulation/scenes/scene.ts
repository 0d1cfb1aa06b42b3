/** What a scene is, to the simulation that runs it. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { DriveInput, SceneDescription } from '../../contract/scene-contract.js';
import type { SceneKit } from './scene-kit.js';

/** Fills the kit's world and says how the scene goes on. */
export type SceneBuilder = (kit: SceneKit) => Scene;

export interface Scene {
  readonly camera: SceneDescription['camera'];
  /** What the camera follows. */
  readonly follow?: RigidBody;
  /** Makes the scene drivable. */
  drive?(input: DriveInput): void;
  /** Called before every step of the engine. */
  beforeStep?(stepS: number): void;
  /** Called after every step of the engine, before the poses are published. */
  afterStep?(stepS: number): void;
}
