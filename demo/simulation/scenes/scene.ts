/** What a scene is, to the simulation that runs it. */
import type { Json } from '../../../src/shared/index.js';
import type { RigidBodyRef } from '../../../src/sim-worker/engines/rapier.js';
import type { DriveInput } from '../../contract/drive-contract.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import type { SceneKit } from './scene-kit.js';

/**
 * Fills the kit's world and says how the scene goes on. The same request must build the same world, body by body: a
 * saved scene is built again first. What the scene keeps of it for later, it keeps by `kit.physics.ref`.
 */
export type SceneBuilder = (kit: SceneKit) => Scene;

export interface Scene {
  readonly camera: SceneDescription['camera'];
  /** What the camera follows. */
  readonly follow?: RigidBodyRef;
  /** Makes the scene drivable. */
  drive?(input: DriveInput): void;
  /** Called before every step of the engine. */
  beforeStep?(dt: number): void;
  /** Called after every step of the engine, before the poses are published. */
  afterStep?(dt: number): void;
  /** What has changed since the scene was built and neither the engine nor the bodies' poses know. */
  save?(): Json;
  /** Takes back what `save` gave, in a scene built anew. The engine's world is the saved one already. */
  restore?(saved: Json): void;
}
