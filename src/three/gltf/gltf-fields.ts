/**
 * The fields of `KHR_physics_rigid_bodies` and `KHR_implicit_shapes`, with their ranges and defaults. An error begins with the path
 * of the field: `physicsMaterials[2].restitution`.
 */
import { float32 } from '../../shared/util/limits.js';
import {
  type Check,
  type Checked,
  choice,
  flag,
  number,
  optional,
} from '../../shared/util/options.js';
import {
  requireChoice,
  requireList,
  requireObject,
  requireText,
} from '../../shared/util/validate.js';
import { CoefficientCombineRule } from '../../world/page/index.js';
import type { ShapeKind } from '../shape-of.js';

export type Numbers = readonly number[];

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

export const listOf =
  <Item>(check: Check<Item>, standard?: readonly Item[]): Check<readonly Item[]> =>
  (name, value = standard) =>
    requireList(name, value).map((each, at) => check(`${name}[${at}]`, each, []));

const amount = (standard?: number) => number(0, float32, standard);
/** In 32 bits, more than nothing. */
const size = (standard?: number) => number(2 ** -126, float32, standard);

const vector = (length: number, standard?: Numbers, item = number(-float32, float32)) =>
  mapped(listOf(item, standard), (given, name) => {
    if (given.length === length) return given;
    throw new RangeError(`${name} must have ${length} numbers, but has ${given.length}`);
  });

/** A quaternion of any length. */
const rotation = mapped(vector(4, [0, 0, 0, 1]), (given, name) => {
  const length = Math.hypot(...given);
  if (length > 0) return given.map((each) => each / length);
  throw new RangeError(`${name} must be a rotation, such as [0, 0, 0, 1], but all of it is 0`);
});

export const checkMotion = fields({
  isKinematic: flag(false),
  /** In kg. Undefined: by the volume of the colliders. 0 means infinite, as in the inertia. */
  mass: optional(amount()),
  centerOfMass: optional(vector(3)),
  inertiaDiagonal: optional(vector(3, undefined, amount())),
  inertiaOrientation: rotation,
  linearVelocity: vector(3, [0, 0, 0]),
  angularVelocity: vector(3, [0, 0, 0]),
  gravityFactor: number(-float32, float32, 1),
});

export type NodeMotion = ReturnType<typeof checkMotion>;

const RULES = {
  average: CoefficientCombineRule.Average,
  minimum: CoefficientCombineRule.Min,
  maximum: CoefficientCombineRule.Max,
  multiply: CoefficientCombineRule.Multiply,
};

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
const rule = mapped(choice(namesOf(RULES), 'average'), (name) => RULES[name]);

export const checkMaterial = fields({
  staticFriction: amount(0.6),
  dynamicFriction: amount(0.6),
  restitution: amount(0),
  frictionCombine: rule,
  restitutionCombine: rule,
});

export type NodeMaterial = ReturnType<typeof checkMaterial>;

const systems = optional(listOf(requireText));

export const checkFilters = listOf(
  fields({
    collisionSystems: systems,
    collideWithSystems: systems,
    notCollideWithSystems: systems,
  }),
  [],
);

export type CollisionFilter = ReturnType<typeof checkFilters>[number];

const ends = mapped(
  fields({ height: size(0.5), radiusBottom: amount(0.25), radiusTop: amount(0.25) }),
  (given, name) => {
    if (given.radiusBottom + given.radiusTop > 0) return given;
    throw new RangeError(`${name} must have a radiusBottom or a radiusTop above 0`);
  },
);

const SOLIDS = {
  sphere: fields({ radius: size(0.5) }),
  box: fields({ size: vector(3, [1, 1, 1], size()) }),
  capsule: ends,
  cylinder: ends,
  /** Without sizes, it is infinite. */
  plane: fields({ sizeX: amount(0), sizeZ: amount(0) }),
};

export type SolidType = keyof typeof SOLIDS;

export interface ImplicitShape {
  readonly type: SolidType;
  /** In the order of the fields of its type. */
  readonly sizes: Numbers;
}

export type MeshGeometry =
  /** The meshes of a node, with those of all nodes below it or without them. */
  | { readonly node: number; readonly kind: ShapeKind; readonly isWithChildren: boolean }
  /** A mesh that no node needs to have. */
  | { readonly mesh: number; readonly kind: ShapeKind };

/** The shape of a collider, in the space of its node. */
export type NodeGeometry = { readonly shape: ImplicitShape } | MeshGeometry;

/** @param mesh Checks an index of a mesh, which shapes of the drafts of glTF 2.1 have. */
export function shapeCheck(mesh: Check<number>): Check<NodeGeometry> {
  const meshes = (kind: ShapeKind) => mapped(fields({ mesh }), (given) => ({ ...given, kind }));
  const [triangles, hull] = [meshes('trimesh'), meshes('hull')];
  const types = { ...SOLIDS, mesh: triangles, concave: triangles, convexMesh: hull, convex: hull };
  return (name, value) => {
    const given = requireObject(name, value);
    const type = requireChoice(`${name}.type`, given['type'], namesOf(types));
    const { [type]: described = {} } = given;
    const read = types[type](`${name}.${type}`, described, []);
    if ('mesh' in read) return read;
    const sizes = Object.values<number | Numbers>(read).flat();
    return { shape: { type: type as SolidType, sizes } };
  };
}
