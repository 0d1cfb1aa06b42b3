/**
 * The fields of `KHR_physics_rigid_bodies`, with their ranges and defaults. An error begins with the path of the field:
 * `physicsMaterials[2].restitution`.
 */
import { Quaternion, Vector3 } from 'three';
import { float32 } from '../../shared/util/limits.js';
import {
  type Check,
  type Checked,
  choice,
  flag,
  number,
  optional,
} from '../../shared/util/options.js';
import { requireList, requireObject, requireText } from '../../shared/util/validate.js';
import { CoefficientCombineRule } from '../../world/page/index.js';

/** An object with fields. Others are ignored: extensions may add some. */
export const fields =
  <T extends Readonly<Record<string, Check<unknown>>>>(table: T): Check<Checked<T>> =>
  (name, value) => {
    const given = requireObject(name, value);
    const read = Object.entries(table).map(([key, check]) => [
      key,
      check(`${name}.${key}`, given[key], []),
    ]);
    return Object.fromEntries(read) as Checked<T>;
  };

/** Makes something else of a value that was checked. */
export const mapped =
  <From, To>(check: Check<From>, to: (value: From, name: string) => To): Check<To> =>
  (name, value, all) =>
    to(check(name, value, all), name);

/** @param length How many there must be. Default: any number. */
export const listOf =
  <Item>(check: Check<Item>, standard?: readonly Item[], length?: number): Check<readonly Item[]> =>
  (name, value = standard) => {
    const items = requireList(name, value);
    if (items.length === (length ?? items.length)) {
      return items.map((each, at) => check(`${name}[${at}]`, each, []));
    }
    throw new RangeError(`${name} must have ${length} numbers, but has ${items.length}`);
  };

export const amount = (standard?: number) => number(0, float32, standard);
export const signed = (standard?: number) => number(-float32, float32, standard);

export const triple = (standard?: readonly number[], item = signed()) =>
  mapped(listOf(item, standard, 3), ([x, y, z]) => new Vector3(x, y, z));

/** A quaternion of any length. */
const rotation = mapped(
  listOf(signed(), [0, 0, 0, 1], 4),
  ([x, y, z, w]) => new Quaternion(x, y, z, w),
);

export const checkMotion = fields({
  isKinematic: flag(false),
  /** In kg. Undefined: by the volume of the colliders. 0 means infinite, as in the inertia. */
  mass: optional(amount()),
  centerOfMass: optional(triple()),
  inertiaDiagonal: optional(triple(undefined, amount())),
  inertiaOrientation: rotation,
  linearVelocity: triple([0, 0, 0]),
  angularVelocity: triple([0, 0, 0]),
  gravityFactor: signed(1),
});

export type NodeMotion = ReturnType<typeof checkMotion>;

export const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

/** One of the names in a table, which becomes what it has there. */
export const choiceIn = <T extends object>(table: T, standard?: NoInfer<keyof T & string>) =>
  mapped(choice(namesOf(table), standard), (name) => table[name]);

const { Average, Min, Max, Multiply } = CoefficientCombineRule;
const RULES = { average: Average, minimum: Min, maximum: Max, multiply: Multiply };
const rule = choiceIn(RULES, 'average');

export const checkMaterial = fields({
  staticFriction: amount(0.6),
  dynamicFriction: amount(0.6),
  restitution: amount(0),
  frictionCombine: rule,
  restitutionCombine: rule,
});

const names = optional(listOf(requireText));

export const checkFilters = listOf(
  fields({ collisionSystems: names, collideWithSystems: names, notCollideWithSystems: names }),
  [],
);

export type CollisionFilter = ReturnType<typeof checkFilters>[number];
