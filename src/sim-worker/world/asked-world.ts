/** What answers about a world are read from. */
import type { FilterData, RayData } from '../../shared/world/questions.js';
import { NO_HANDLE } from '../../shared/world/world-batch.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldColliders } from './world-colliders.js';
import type { WorldShapes } from './world-shapes.js';

export interface AskedWorld {
  readonly rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly physics: RapierWorld;
  readonly bodies: WorldBodies;
  readonly colliders: WorldColliders;
  readonly shapes: WorldShapes;
}

export type Collider = InstanceType<Rapier['Collider']>;
export type Ray = InstanceType<Rapier['Ray']>;

export const rayOf = ({ rapier }: AskedWorld, { origin, dir }: RayData): Ray =>
  new rapier.Ray(origin, dir);

type Predicate = (collider: Collider) => boolean;

/** The last arguments of the engine's queries. */
export function passedOver({ bodies, colliders }: AskedWorld, filter: FilterData) {
  const { flags, groups, excludeCollider = NO_HANDLE, excludeRigidBody = NO_HANDLE } = filter;
  const excluded = new Set(filter.excluded);
  const isKept: Predicate = (collider) => !excluded.has(colliders.handleOf(collider) ?? NO_HANDLE);
  return [
    flags,
    groups,
    colliders.get(excludeCollider),
    bodies.get(excludeRigidBody),
    excluded.size === 0 ? undefined : isKept,
  ] as [
    flags: number | undefined,
    groups: number | undefined,
    excludeCollider: Collider | undefined,
    excludeRigidBody: ReturnType<WorldBodies['get']>,
    predicate: Predicate | undefined,
  ];
}
