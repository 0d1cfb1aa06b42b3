/** What answers about a world are read from. */
import type { RayData } from '../../shared/world/questions.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldColliders } from './world-colliders.js';

export interface AskedWorld {
  readonly rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly physics: RapierWorld;
  readonly bodies: WorldBodies;
  readonly colliders: WorldColliders;
}

export type Collider = InstanceType<Rapier['Collider']>;
export type Ray = InstanceType<Rapier['Ray']>;

export const rayOf = ({ rapier }: AskedWorld, { origin, dir }: RayData): Ray =>
  new rapier.Ray(origin, dir);
