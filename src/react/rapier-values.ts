/** Values with the names of `@react-three/rapier`: handles, vectors, groups, and what `useRapier().rapier` has. */
import { Euler, Quaternion, Vector3 } from 'three';
import type { Rotation, Vector } from '../shared/util/vectors.js';
import { Collider, RigidBody } from '../world/page/index.js';
import * as world from '../world/page/rapier-names.js';
import { requireInteger } from '../shared/util/validate.js';

/** A Vector3 of three.js. @param value What has x, y and z. Default 0. */
export const vec3 = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Vector3 => new Vector3(x, y, z);

/** A Quaternion of three.js. @param value What has x, y, z and w. Default: not turned. */
export const quat = ({ x, y, z, w }: Rotation = { x: 0, y: 0, z: 0, w: 1 }): Quaternion =>
  new Quaternion(x, y, z, w);

/** An Euler of three.js. @param value Radians about x, y and z. Default 0. */
export const euler = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Euler => new Euler(x, y, z);

/** The body of a `<RigidBody>`: a handle of `betwixt/world`. Its class is for `instanceof`. */
export type RapierRigidBody = RigidBody;
export const RapierRigidBody = RigidBody;

/** The collider of a component: a handle of `betwixt/world`. Its class is for `instanceof`. */
export type RapierCollider = Collider;
export const RapierCollider = Collider;

/** Three numbers, as Rapier's `Vector3`. */
class RapierVector3 implements Vector {
  x: number;
  y: number;
  z: number;

  constructor(x: number, y: number, z: number) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

/** A unit quaternion, as Rapier's `Quaternion`. */
class RapierQuaternion implements Rotation {
  x: number;
  y: number;
  z: number;
  w: number;

  constructor(x: number, y: number, z: number, w: number) {
    this.x = x;
    this.y = y;
    this.z = z;
    this.w = w;
  }
}

/** Rapier's names for what needs no engine. */
export const rapier = { ...world, Vector3: RapierVector3, Quaternion: RapierQuaternion };

const ALL = 0xffff;

/**
 * The 32 bits of `collisionGroups` and `solverGroups`. Two colliders meet if each is in a group that the other one
 * meets.
 *
 * @param memberships The groups that it is in: 0 to 15.
 * @param filters The groups that it meets: 0 to 15. Default: all.
 * @returns The 32 bits.
 * @throws TypeError, RangeError for a group that is not an integer from 0 to 15.
 */
export const interactionGroups = (
  memberships: number | number[],
  filters?: number | number[],
): number =>
  // Without the shift to an unsigned number, group 15 would make it negative.
  ((bits('memberships', memberships) << 16) |
    (filters === undefined ? ALL : bits('filters', filters))) >>>
  0;

const bits = (name: string, groups: number | number[]): number =>
  [groups].flat().reduce((all, group) => all | (1 << requireInteger(name, group, 0, 15)), 0);
