/** The interface of a scene. */
import type { Json } from '../../../src/shared/index.js';
import type { RigidBodyRef } from '../../../src/rapier/rapier.js';
import type { DriveInput } from '../../contract/drive-contract.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import type { SceneKit } from './scene-kit.js';

/**
 * Fills the kit's world and returns the scene's callbacks. The same request must build the same
 * world, body by body: a saved scene is rebuilt first. References that the scene keeps for later,
 * it keeps by `kit.physics.ref`.
 */
export type SceneBuilder = (kit: SceneKit) => Scene;

export interface Scene {
  readonly camera: SceneDescription['camera'];
  /** The body that the camera follows. */
  readonly follow?: RigidBodyRef;
  /** Makes the scene drivable. */
  drive?(input: DriveInput): void;
  /** Called before every step of the engine. */
  beforeStep?(dt: number): void;
  /** Called after every step of the engine, before the poses are published. */
  afterStep?(dt: number): void;
  /**
   * The changes since the scene was built that are in neither the engine nor the bodies' poses.
   */
  save?(): Json;
  /**
   * Restores what `save` returned, in a rebuilt scene. The engine's world is the saved one already.
   */
  restore?(saved: Json): void;
}
