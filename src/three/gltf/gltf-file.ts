/**
 * Reads the physics of a glTF file from its JSON: by the names of nodes, and by `KHR_physics_rigid_bodies` with
 * `KHR_implicit_shapes` (github.com/eoineoineoin/glTF_Physics). Indices become what they name, and all fields are checked
 * here, before anything is made.
 */
import type { Object3D } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { type Check, flag, list, optional } from '../../shared/util/options.js';
import { requireInteger, requireObject } from '../../shared/util/validate.js';
import {
  checkFilters,
  checkMaterial,
  checkMotion,
  type CollisionFilter,
  fields,
  listOf,
  mapped,
} from './gltf-fields.js';
import { checkJoint } from './gltf-joints.js';
import { type NodeGeometry, ofMeshes, shapeCheck } from './gltf-shapes.js';
import { physicsOfName } from './node-names.js';

/** The JSON of a glTF file, or an object in it. */
export type GltfJson = Readonly<Record<string, unknown>>;

/** A loaded file: the part of it that both three's `GLTFLoader` and drei's `useGLTF` give. Their types differ. */
export type LoadedGltf = Pick<GLTF, 'scene' | 'scenes'> & Record<'parser', ReadParser>;

/** The part of the loader's parser that is read. */
type ReadParser = Pick<GLTF['parser'], 'extensions' | 'getDependency'> &
  Readonly<Record<'json', GltfJson> & Record<'plugins', object>>;

/** The physics of one node. */
export interface NodePhysics extends Partial<ReturnType<ReturnType<typeof nodeCheck>>> {
  /** The collider of a node whose name alone says that it moves, if its body has no other. */
  readonly hull?: Volume;
  /** Only its collider counts: it is not drawn. */
  readonly isHidden?: boolean;
}

/** A collider's or a sensor's. */
export type Volume = NonNullable<NodePhysics['collider']>;

export type NodeJoint = NonNullable<NodePhysics['joint']>;

const PHYSICS = 'KHR_physics_rigid_bodies';
const SHAPES = 'KHR_implicit_shapes';

/** The objects of a file, by their index. */
type FileObjects = Readonly<Record<'nodes' | 'meshes', readonly Object3D[]>>;

/** @throws Error, TypeError, RangeError that say where in the file something is wrong. */
export function readPhysics(
  { json, extensions, plugins }: Omit<ReadParser, 'getDependency'>,
  objects: FileObjects,
): ReadonlyMap<Object3D, NodePhysics> {
  const known = new Set([PHYSICS, SHAPES, ...Object.keys({ ...extensions, ...plugins })]);
  const required = list<string>('extensionsRequired', json['extensionsRequired']);
  const unknown = required.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new Error(
      `this glTF requires the extension ${unknown}, which the loader does not know: without it the file may mean something ` +
        'else. Give the loader a plugin for it, or export the file without it',
    );
  }
  const checkNode = nodeCheck(json, objects);
  const all = list<GltfJson & { readonly name?: string }>('nodes', json['nodes']);
  const read = all.map(({ name = '', ...node }, index): [Object3D, NodePhysics] => {
    const object = objects.nodes[index] as Object3D;
    const { [PHYSICS]: own } = extensionsOf(node);
    const path = `${placeOf(index, name)}: ${PHYSICS}`;
    return [object, own === undefined ? physicsOfName(object, name) : checkNode(path, own, [])];
  });
  return new Map(read);
}

/** Where a node is in the file, for messages. */
export const placeOf = (index: number, name: string): string =>
  `node ${index}${name && ` "${name}"`}`;

const extensionsOf = ({ extensions }: GltfJson): GltfJson => (extensions ?? {}) as GltfJson;

/** Checks the physics of nodes, by the lists of their file. */
function nodeCheck(json: GltfJson, { nodes, meshes }: FileObjects) {
  const { [PHYSICS]: lists = {}, [SHAPES]: implicit = {} } = extensionsOf(json);
  const physics = requireObject(PHYSICS, lists);
  const { shapes = json['shapes'] } = requireObject(SHAPES, implicit);
  const listed = <Item>(name: string, check: Check<Item>, given = physics[name]): Check<Item> =>
    itemIn(name, listOf(check, [])(name, given, []));
  const node = itemIn('nodes', nodes);
  const mesh = itemIn('meshes', meshes);
  const geometry = mapped(
    fields({
      shape: optional(listed('shapes', shapeCheck(mesh), shapes)),
      node: optional(ofMeshes(node, 'trimesh', true)),
      mesh: optional(ofMeshes(mesh, 'trimesh')),
      convexHull: flag(false),
    }),
    ({ convexHull, ...sources }, path): NodeGeometry => {
      const [source, ...others] = Object.values(sources).filter((each) => each !== undefined);
      if (source === undefined || others.length > 0) {
        throw new TypeError(`${path} must have one of shape, node and mesh`);
      }
      // Other kinds are convex.
      return convexHull && source.kind === 'trimesh' ? { ...source, kind: 'hull' } : source;
    },
  );
  const volumeFields = fields({
    geometry,
    collisionFilter: optional(itemIn('collisionFilters', groupsOf(physics))),
    physicsMaterial: optional(listed('physicsMaterials', checkMaterial)),
  });
  // Some files give it a shape without a geometry around it.
  const volume = (path: string, value: unknown) =>
    volumeFields(path, { geometry: value, ...requireObject<object>(path, value) }, []);
  const compound = fields({ nodes: listOf(node) });
  /** A sensor, or several: those of other nodes. */
  const trigger = (path: string, value: unknown) =>
    ('nodes' in requireObject(path, value) ? compound : volume)(path, value, []);
  const joint = listed('physicsJoints', checkJoint);
  return fields({
    motion: optional(checkMotion),
    collider: optional(volume),
    trigger: optional(trigger),
    joint: optional(fields({ joint, connectedNode: node, enableCollision: flag(false) })),
  });
}

/** The item that an index names. */
const itemIn =
  <Item>(name: string, items: readonly Item[]): Check<Item> =>
  (path, value) => {
    const what = `${path}, an index of the file's ${items.length} ${name},`;
    return items[requireInteger(what, value, 0, items.length - 1)] as Item;
  };

/** Rapier has 16 groups. One is for what has no filter. */
const MOST_GROUPS = 15;

/**
 * Rapier's groups for the filters of a file, by their index. Names become pairs that collide, if both filters allow it, as the
 * specification has it. Filters that collide with the same ones share a bit, and have the bits of those that they collide
 * with: inclusion means what it says, however many names there are. Each also has bit 15, for what has no filter and
 * collides with everything.
 */
function groupsOf({ collisionFilters }: GltfJson): readonly number[] {
  const filters = checkFilters('collisionFilters', collisionFilters, []);
  const rows = filters.map((a) => filters.map((b) => lets(a, b) && lets(b, a)));
  const kinds = [...new Set(rows.map(String))];
  if (kinds.length > MOST_GROUPS) {
    throw new RangeError(
      `collisionFilters has ${kinds.length} that collide with different ones, but the engine tells ${MOST_GROUPS} apart`,
    );
  }
  const bits = rows.map((row) => 1 << kinds.indexOf(String(row)));
  return rows.map((row, own) => {
    const hit = bits.filter((_, other) => row[other]);
    return hit.reduce((all, bit) => all | bit, ((bits[own] as number) << 16) | (1 << MOST_GROUPS));
  });
}

/** Whether a filter lets something collide that has another one. */
function lets(filter: CollisionFilter, { collisionSystems = [] }: CollisionFilter): boolean {
  const { collideWithSystems: only, notCollideWithSystems: not } = filter;
  if (only !== undefined && !collisionSystems.every((name) => only.includes(name))) return false;
  return collisionSystems.length === 0 || !collisionSystems.every((name) => not?.includes(name));
}
