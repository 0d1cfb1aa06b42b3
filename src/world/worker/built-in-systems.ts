/** The systems that every world has, by the names that the page uses. */
import type { Rapier } from '../../rapier/rapier-builds.js';
import { plus, rotated, type Vector } from '../../shared/util/vectors.js';
import type {
  AttractorFields,
  IgnoredPairFields,
  BuiltInSystems,
} from '../shared/built-in-systems.js';
import { defineSystem, type FilteredPair, type SystemDefinition } from './system.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;

/** A pull is an impulse at this rate, that of steps by default: so it is the same at any tick rate. */
const PULLS_PER_SECOND = 60;

/** A point that pulls bodies. Each of its impulses is on one body alone, so the order of the bodies does not matter. */
const attractor = defineSystem(({ physics, bodyOf }) => ({
  beforeStep(fields: AttractorFields, { dt }) {
    const own = fields.body === null ? undefined : bodyOf(fields.body);
    // The system's body was removed, and the page does not know that yet.
    if (fields.body !== null && own === undefined) return;
    const center = own === undefined ? fields : placeOn(own, fields);
    physics.world.bodies.forEach((body) => {
      if (body === own || !body.isDynamic() || !body.isEnabled()) return;
      const way = plus(center, body.translation(), -1);
      const distance = Math.sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
      if (distance >= fields.range || distance === 0 || !isMeant(body, fields)) return;
      const factor = (pullOf(fields, distance, body) * dt * PULLS_PER_SECOND) / distance;
      const impulse = { x: way.x * factor, y: way.y * factor, z: way.z * factor };
      body.applyImpulse(impulse, true);
    });
  },
}));

const placeOn = (body: RigidBody, at: Vector): Vector =>
  plus(body.translation(), rotated(body.rotation(), at), 1);

function pullOf(fields: AttractorFields, distance: number, body: RigidBody): number {
  const { type, strength, range, gravitationalConstant } = fields;
  if (type === 'static') return strength;
  if (type === 'linear') return strength * (distance / range);
  return (gravitationalConstant * strength * body.mass()) / (distance * distance);
}

/** Whether a collider of it and the attractor are in each other's groups. */
function isMeant(body: RigidBody, { collisionGroups: own }: AttractorFields): boolean {
  if (own === null) return true;
  for (let index = 0; index < body.numColliders(); index++) {
    const groups = body.collider(index).collisionGroups();
    if (((own >>> 16) & groups) !== 0 && ((groups >>> 16) & own) !== 0) return true;
  }
  return false;
}

/** Two bodies that do not touch, and do not notice each other. */
const ignoredPair = defineSystem(() => ({
  filterContact: (pair: FilteredPair, fields: IgnoredPairFields) =>
    isPair(pair, fields) ? null : undefined,
  filterIntersection: (pair: FilteredPair, fields: IgnoredPairFields) => !isPair(pair, fields),
}));

const isPair = ({ body1, body2 }: FilteredPair, { body, other }: IgnoredPairFields): boolean =>
  (body1 === body && body2 === other) || (body1 === other && body2 === body);

export const BUILT_IN_SYSTEMS: {
  readonly [Name in keyof BuiltInSystems]: SystemDefinition<BuiltInSystems[Name]>;
} = {
  'betwixt/attractor': attractor,
  'betwixt/ignored-pair': ignoredPair,
};
