/**
 * Reads the physics of a glTF file from its JSON: by the names of nodes, and by `KHR_physics_rigid_bodies` with
 * `KHR_implicit_shapes` (github.com/eoineoineoin/glTF_Physics). Indices become what they name, and everything is checked
 * here: a file with an error changes nothing.
 */
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { requireList, requireNumber, requireObject } from '../../shared/util/validate.js';
import { CoefficientCombineRule } from '../../world/page/index.js';
import type { ShapeKind } from '../shape-of.js';
import { checkJoint, type PhysicsJoint } from './gltf-joints.js';
import { physicsOfName } from './node-names.js';

type Json = Readonly<Record<string, unknown>>;
export type Numbers = readonly number[];

/** The shape of a collider, in the space of its node. */
export type NodeGeometry =
  | { readonly shape: ImplicitShape }
  /** Meshes, by what has them: a node with all that is below it, or a mesh that no node needs to have. */
  | { readonly node: number; readonly kind: ShapeKind; readonly isWithChildren: boolean }
  | { readonly mesh: number; readonly kind: ShapeKind };

export interface ImplicitShape {
  readonly type: SolidType;
  /** In the order of the table of its type. */
  readonly sizes: Numbers;
}

export interface NodeMotion {
  /** Whether its name alone says that it moves: without a collider, it gets the hull of its meshes. */
  readonly isByName?: true;
  readonly isKinematic: boolean;
  /** In kg. Undefined: by the volume of the colliders. */
  readonly mass?: number | undefined;
  readonly centerOfMass?: Numbers | undefined;
  readonly inertiaDiagonal?: Numbers | undefined;
  readonly inertiaOrientation: Numbers;
  readonly linearVelocity: Numbers;
  readonly angularVelocity: Numbers;
  readonly gravityFactor: number;
}

export interface NodeMaterial {
  readonly staticFriction: number;
  readonly dynamicFriction: number;
  readonly restitution: number;
  readonly frictionCombine: CoefficientCombineRule;
  readonly restitutionCombine: CoefficientCombineRule;
}

/** A collider's or a sensor's. */
export interface Volume {
  readonly geometry: NodeGeometry;
  /** Index of its filter. Undefined: it collides with everything. */
  readonly filter?: number | undefined;
  readonly material?: NodeMaterial | undefined;
}

/** The physics of one node. */
export interface NodePhysics {
  readonly motion?: NodeMotion | undefined;
  readonly collider?: Volume | undefined;
  readonly trigger?: Volume | undefined;
  /** Nodes of which the triggers are parts of this one. */
  readonly parts?: Numbers | undefined;
  readonly joint?: NodeJoint | undefined;
  /** Only its collider counts: it is not drawn. */
  readonly isHidden?: boolean;
}

export interface NodeJoint {
  readonly joint: PhysicsJoint;
  readonly connectedNode: number;
  readonly enableCollision: boolean;
}

export interface PhysicsFile {
  /** By the index of the node. */
  readonly nodes: ReadonlyMap<number, NodePhysics>;
  /** Collision groups of colliders, by the index of their filter. */
  readonly groups: Numbers;
  /** Nodes that animations of the file move. */
  readonly animated: ReadonlySet<number>;
}

const PHYSICS = 'KHR_physics_rigid_bodies';
const SHAPES = 'KHR_implicit_shapes';

/** Sizes by type, with the defaults of the specification; `undefined` for one that must be given. */
const SHAPE_SIZES = {
  sphere: { radius: 0.5 },
  box: { size: [1, 1, 1] },
  capsule: { height: 0.5, radiusBottom: 0.25, radiusTop: 0.25 },
  cylinder: { height: 0.5, radiusBottom: 0.25, radiusTop: 0.25 },
  /** Without sizes, it is infinite. */
  plane: { sizeX: 0, sizeZ: 0 },
} as const;

export type SolidType = keyof typeof SHAPE_SIZES;

/** Types of shapes that name a mesh, in the drafts of glTF 2.1. */
const MESH_SHAPES: Readonly<Record<string, ShapeKind>> = {
  mesh: 'trimesh',
  concave: 'trimesh',
  convexMesh: 'hull',
  convex: 'hull',
};

const RULES: Readonly<Record<string, CoefficientCombineRule>> = {
  average: CoefficientCombineRule.Average,
  minimum: CoefficientCombineRule.Min,
  maximum: CoefficientCombineRule.Max,
  multiply: CoefficientCombineRule.Multiply,
};

const NO_PHYSICS =
  'this glTF has no physics. Give it some in one of three ways: end the names of nodes with -col, -convcol, -colonly, ' +
  `-convcolonly, -pieces or -rigid; export the extension ${PHYSICS}; or make colliders of its meshes yourself, with ` +
  'shapeOf(mesh) or addMesh of meshPhysics';

/** @throws Error, TypeError, RangeError that say where in the file something is wrong. */
export function readPhysics({ parser }: GLTF): PhysicsFile {
  const json = parser.json as Json;
  requireKnown(json, new Set([...Object.keys(parser.extensions), ...Object.keys(parser.plugins)]));
  const nodes = new Map<number, NodePhysics>();
  const reader = new Reader(json);
  for (const [index, node] of reader.nodes.entries()) {
    const physics = reader.nodeAt(index, node);
    if (physics !== undefined) nodes.set(index, physics);
  }
  if (nodes.size === 0) throw new Error(NO_PHYSICS);
  return { nodes, groups: reader.groups(), animated: reader.animated() };
}

/** @param known By the loader and its plugins. */
function requireKnown({ extensionsRequired }: Json, known: ReadonlySet<string>): void {
  for (const name of listOf('extensionsRequired', extensionsRequired)) {
    if (known.has(name as string) || name === PHYSICS || name === SHAPES) continue;
    throw new Error(
      `this glTF requires the extension ${name as string}, which the loader does not know: without it the file may mean ` +
        'something else. Give the loader a plugin for it, or export the file without it',
    );
  }
}

class Reader {
  readonly nodes: readonly Json[];
  readonly #shapes: readonly unknown[];
  readonly #meshes: readonly unknown[];
  readonly #materials: readonly unknown[];
  readonly #filters: readonly unknown[];
  readonly #joints: readonly unknown[];
  readonly #animations: readonly unknown[];

  constructor(json: Json) {
    const extensions = objectOf('extensions', json['extensions']);
    const physics = objectOf(PHYSICS, extensions[PHYSICS]);
    const implicit = objectOf(SHAPES, extensions[SHAPES])['shapes'];
    this.nodes = listOf('nodes', json['nodes']) as readonly Json[];
    this.#shapes = listOf('shapes', implicit ?? json['shapes']);
    this.#meshes = listOf('meshes', json['meshes']);
    this.#animations = listOf('animations', json['animations']);
    this.#materials = listOf('physicsMaterials', physics['physicsMaterials']);
    this.#filters = listOf('collisionFilters', physics['collisionFilters']);
    this.#joints = listOf('physicsJoints', physics['physicsJoints']);
  }

  nodeAt(index: number, node: Json): NodePhysics | undefined {
    const name = typeof node['name'] === 'string' ? node['name'] : '';
    const where = `node ${index}${name === '' ? '' : ` "${name}"`}`;
    const own = objectOf(`extensions of ${where}`, node['extensions'])[PHYSICS];
    if (own === undefined) return physicsOfName(index, name);
    const { motion, collider, trigger, joint } = requireObject(`${PHYSICS} of ${where}`, own);
    const parts = trigger && requireObject(`trigger of ${where}`, trigger)['nodes'];
    return {
      motion: motion === undefined ? undefined : motionOf(`motion of ${where}`, motion),
      collider:
        collider === undefined ? undefined : this.#collider(`collider of ${where}`, collider),
      trigger:
        trigger === undefined || parts !== undefined
          ? undefined
          : this.#volume(`trigger of ${where}`, trigger),
      parts:
        parts === undefined ? undefined : this.#parts(`trigger.nodes of ${where}`, index, parts),
      joint: joint === undefined ? undefined : this.#joint(`joint of ${where}`, index, joint),
    };
  }

  animated(): ReadonlySet<number> {
    const animated = new Set<number>();
    for (const animation of this.#animations) {
      for (const channel of listOf('channels', (animation as Json)['channels'])) {
        const { node, path } = (channel as { readonly target: Json }).target;
        if (typeof node === 'number' && path !== 'weights') animated.add(node);
      }
    }
    return animated;
  }

  /**
   * Rapier's groups for the filters. Names become pairs that collide, each found from both sides as the specification has it;
   * a filter then has its own bit, and the bits of those that it collides with. So inclusion means what it says, however
   * many names there are. Each also has bit 15, for what has no filter and collides with everything.
   */
  groups(): Numbers {
    const filters = this.#filters.map((each, index) =>
      filterOf(`collisionFilters[${index}]`, each),
    );
    if (filters.length > MOST_FILTERS) {
      throw new RangeError(
        `collisionFilters has ${filters.length} filters, but the engine tells ${MOST_FILTERS} apart`,
      );
    }
    return filters.map((filter, index) => {
      let mask = 1 << MOST_FILTERS;
      for (const [at, other] of filters.entries()) {
        if (lets(filter, other.systems) && lets(other, filter.systems)) mask |= 1 << at;
      }
      return ((1 << index) << 16) | mask;
    });
  }

  #collider(where: string, value: unknown): Volume {
    const { physicsMaterial } = requireObject(where, value);
    const at = `physicsMaterial of ${where}`;
    const material =
      physicsMaterial === undefined
        ? undefined
        : materialOf(at, itemAt(at, this.#materials, physicsMaterial, 'physicsMaterials'));
    return { ...this.#volume(where, value), material };
  }

  #volume(where: string, value: unknown): Volume {
    const { geometry, collisionFilter } = requireObject(where, value);
    const filter = `collisionFilter of ${where}`;
    if (collisionFilter !== undefined) {
      itemAt(filter, this.#filters, collisionFilter, 'collisionFilters');
    }
    return {
      geometry: this.#geometry(`geometry of ${where}`, geometry),
      filter: collisionFilter as number | undefined,
    };
  }

  #geometry(where: string, value: unknown): NodeGeometry {
    const { shape, node, mesh, convexHull } = requireObject(where, value);
    const given = [shape, node, mesh].filter((index) => index !== undefined).length;
    if (given !== 1) {
      throw new TypeError(`${where} must have one of shape, node and mesh, but has ${given}`);
    }
    const kind = convexHull === true ? 'hull' : 'trimesh';
    if (node !== undefined) {
      itemAt(`node in the ${where}`, this.nodes, node, 'nodes');
      return { node: node as number, kind, isWithChildren: true };
    }
    if (mesh !== undefined) {
      itemAt(`mesh in the ${where}`, this.#meshes, mesh, 'meshes');
      return { mesh: mesh as number, kind };
    }
    const at = `shape in the ${where}`;
    const described = requireObject(at, itemAt(at, this.#shapes, shape, 'shapes'));
    const name = `shapes[${shape as number}]`;
    const type = described['type'] as string;
    const meshKind = Object.hasOwn(MESH_SHAPES, type) ? MESH_SHAPES[type] : undefined;
    if (meshKind === undefined) return { shape: shapeFrom(name, type, described[type]) };
    const named = requireObject(`${type} of ${name}`, described[type])['mesh'];
    itemAt(`mesh of ${name}`, this.#meshes, named, 'meshes');
    return { mesh: named as number, kind: convexHull === true ? 'hull' : meshKind };
  }

  #parts(where: string, own: number, value: unknown): Numbers {
    const parts = requireList<number>(where, value);
    for (const part of parts) {
      itemAt(where, this.nodes, part, 'nodes');
      if (part === own) throw new RangeError(`${where} has the node itself`);
    }
    return parts;
  }

  #joint(where: string, own: number, value: unknown): NodeJoint {
    const { joint, connectedNode, enableCollision } = requireObject(where, value);
    const connected = `connectedNode of the ${where}`;
    itemAt(connected, this.nodes, connectedNode, 'nodes');
    if (connectedNode === own) throw new RangeError(`${connected} is the node itself`);
    const described = itemAt(`joint of the ${where}`, this.#joints, joint, 'physicsJoints');
    return {
      joint: checkJoint(`physicsJoints[${joint as number}]`, described),
      connectedNode: connectedNode as number,
      enableCollision: enableCollision === true,
    };
  }
}

/** Rapier has 16 groups. One is for what has no filter. */
const MOST_FILTERS = 15;

interface Filter {
  readonly systems: readonly string[];
  readonly only: readonly string[] | undefined;
  readonly not: readonly string[] | undefined;
}

function filterOf(where: string, value: unknown): Filter {
  const filter = requireObject(where, value);
  const names = (name: string) => {
    const list = filter[name];
    return list === undefined ? undefined : requireList<string>(`${name} of ${where}`, list);
  };
  const [only, not] = [names('collideWithSystems'), names('notCollideWithSystems')];
  return { systems: names('collisionSystems') ?? [], only, not };
}

/** Whether a filter lets something collide that belongs to systems. */
function lets({ only, not }: Filter, systems: readonly string[]): boolean {
  if (only !== undefined && !systems.every((name) => only.includes(name))) return false;
  return systems.length === 0 || !systems.every((name) => not?.includes(name));
}

function motionOf(where: string, value: unknown): NodeMotion {
  const motion = requireObject(where, value);
  const vector = (name: string, length: number, least?: number) =>
    motion[name] === undefined
      ? undefined
      : numbers(`${name} of the ${where}`, motion[name], length, least);
  const { mass, gravityFactor = 1, isKinematic } = motion;
  return {
    isKinematic: isKinematic === true,
    mass: mass === undefined ? undefined : number(`mass of the ${where}`, mass, 0),
    centerOfMass: vector('centerOfMass', 3),
    inertiaDiagonal: vector('inertiaDiagonal', 3, 0),
    inertiaOrientation: vector('inertiaOrientation', 4) ?? [0, 0, 0, 1],
    linearVelocity: vector('linearVelocity', 3) ?? [0, 0, 0],
    angularVelocity: vector('angularVelocity', 3) ?? [0, 0, 0],
    gravityFactor: number(`gravityFactor of the ${where}`, gravityFactor),
  };
}

function materialOf(where: string, value: unknown): NodeMaterial {
  const material = requireObject(where, value);
  const size = (name: string, standard: number) =>
    number(`${name} of ${where}`, material[name] ?? standard, 0);
  const rule = (name: string) => {
    const text = (material[name] ?? 'average') as string;
    const found = Object.hasOwn(RULES, text) ? RULES[text] : undefined;
    if (found !== undefined) return found;
    throw new RangeError(`${name} of ${where} must be one of ${Object.keys(RULES).join(', ')}`);
  };
  return {
    staticFriction: size('staticFriction', 0.6),
    dynamicFriction: size('dynamicFriction', 0.6),
    restitution: size('restitution', 0),
    frictionCombine: rule('frictionCombine'),
    restitutionCombine: rule('restitutionCombine'),
  };
}

function shapeFrom(where: string, type: string, value: unknown): ImplicitShape {
  const table = Object.hasOwn(SHAPE_SIZES, type) ? SHAPE_SIZES[type as SolidType] : undefined;
  if (table === undefined) {
    const known = [...Object.keys(SHAPE_SIZES), ...Object.keys(MESH_SHAPES)].join(', ');
    throw new RangeError(`type of ${where} must be one of ${known}, but is ${String(type)}`);
  }
  const given = objectOf(`${type} of ${where}`, value);
  const sizes = Object.entries(table).flatMap(([name, standard]) => {
    const at = `${name} of ${where}`;
    const size = given[name] ?? standard;
    return Array.isArray(standard) ? numbers(at, size, 3, 0) : [number(at, size, 0)];
  });
  // One of two radii may be 0, and a plane may have no sizes.
  const needed =
    type === 'box'
      ? sizes
      : type === 'plane'
        ? []
        : [sizes[0], Math.max(...sizes.slice(type === 'sphere' ? 0 : 1))];
  if (needed.includes(0)) throw new RangeError(`${where} is a ${type} without a size`);
  return { type: type as SolidType, sizes };
}

const number = (where: string, value: unknown, least = -LARGEST): number =>
  requireNumber(where, value, least, LARGEST);

/** The engine has 32 bits. */
const LARGEST = 3.4e38;

function numbers(where: string, value: unknown, length: number, least?: number): Numbers {
  const list = requireList<number>(where, value);
  if (list.length !== length) {
    throw new RangeError(`${where} must have ${length} numbers, but has ${list.length}`);
  }
  return list.map((each, index) => number(`${where}[${index}]`, each, least));
}

const listOf = (where: string, value: unknown): readonly unknown[] =>
  value === undefined ? [] : requireList(where, value);

const objectOf = (where: string, value: unknown): Json =>
  value === undefined ? {} : requireObject(where, value);

/** The item of an index. @param list Its name in the file. */
function itemAt(where: string, items: readonly unknown[], index: unknown, list: string): unknown {
  if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < items.length) {
    return items[index as number];
  }
  throw new RangeError(`${where} is ${String(index)}, but the file has ${items.length} ${list}`);
}
