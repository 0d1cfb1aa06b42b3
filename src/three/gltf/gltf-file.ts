/**
 * Reads the physics of a glTF file from its JSON: by the names of nodes, and by `KHR_physics_rigid_bodies` with
 * `KHR_implicit_shapes` (github.com/eoineoineoin/glTF_Physics). Indices become what they name, and everything is checked
 * here: a file with an error changes nothing.
 */
import type { Object3D } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { anything, type Check, flag, list, optional } from '../../shared/util/options.js';
import { requireInteger, requireObject } from '../../shared/util/validate.js';
import {
  checkFilters,
  checkMaterial,
  checkMotion,
  type CollisionFilter,
  fields,
  listOf,
  mapped,
  type NodeMaterial,
} from './gltf-fields.js';
import { checkJoint } from './gltf-joints.js';
import { type NodeGeometry, shapeCheck } from './gltf-shapes.js';
import { physicsOfName } from './node-names.js';

/** The JSON of a glTF file, or an object in it. */
type GltfJson = Readonly<Record<string, unknown>>;

/** A loaded file: the part of it that both three's `GLTFLoader` and drei's `useGLTF` give. Their types differ. */
export type LoadedGltf = Pick<GLTF, 'scene' | 'scenes'> & Record<'parser', ReadParser>;

/** The part of the loader's parser that is read. */
type ReadParser = Pick<GLTF['parser'], 'extensions' | 'getDependency'> &
  Readonly<Record<'json', GltfJson> & Record<'plugins', object>>;

/** A collider's or a sensor's. */
export interface Volume {
  readonly geometry: NodeGeometry;
  /** Collision groups of the node. Undefined: it collides with everything. */
  readonly collisionFilter?: number | undefined;
  readonly physicsMaterial?: NodeMaterial | undefined;
}

/** A sensor, or several: those of other nodes. */
type Trigger =
  | (Volume & { readonly nodes?: never })
  | { readonly nodes: readonly Object3D[]; readonly geometry?: never };

/** The physics of one node. */
export interface NodePhysics extends Partial<ReturnType<ReturnType<typeof nodeCheck>>> {
  /** The collider of a node whose name alone says that it moves, if its body has no other. */
  readonly hull?: Volume;
  /** Only its collider counts: it is not drawn. */
  readonly isHidden?: boolean;
}

export type NodeJoint = NonNullable<NodePhysics['joint']>;

const PHYSICS = 'KHR_physics_rigid_bodies';
const SHAPES = 'KHR_implicit_shapes';

/** The objects of a file, by their index. */
export interface FileObjects {
  readonly nodes: readonly Object3D[];
  readonly meshes: readonly Object3D[];
}

/** @throws Error, TypeError, RangeError that say where in the file something is wrong. */
export function readPhysics(
  { json, extensions, plugins }: Omit<ReadParser, 'getDependency'>,
  objects: FileObjects,
): ReadonlyMap<Object3D, NodePhysics> {
  requireKnown(json, [...Object.keys(extensions), ...Object.keys(plugins)]);
  const checkNode = nodeCheck(json, objects);
  const physics = new Map<Object3D, NodePhysics>();
  const all = list<GltfJson & { readonly name?: string }>('nodes', json['nodes']);
  for (const [index, { name = '', ...node }] of all.entries()) {
    const object = objects.nodes[index] as Object3D;
    const path = `${placeOf(index, name)}: ${PHYSICS}`;
    const { [PHYSICS]: own } = extensionsOf(node);
    const read = own === undefined ? physicsOfName(object, name) : checkNode(path, own, []);
    if (read !== undefined) physics.set(object, read);
  }
  return physics;
}

/** Where a node is in the file, for messages. */
export const placeOf = (index: number, name: string): string =>
  `node ${index}${name && ` "${name}"`}`;

/** @param known By the loader and its plugins. */
function requireKnown({ extensionsRequired }: GltfJson, known: readonly string[]): void {
  for (const name of list<string>('extensionsRequired', extensionsRequired)) {
    if ([PHYSICS, SHAPES, ...known].includes(name)) continue;
    throw new Error(
      `this glTF requires the extension ${name}, which the loader does not know: without it the file may mean something ` +
        'else. Give the loader a plugin for it, or export the file without it',
    );
  }
}

const extensionsOf = ({ extensions }: GltfJson): GltfJson => (extensions ?? {}) as GltfJson;

/** Checks the physics of nodes, by the lists of their file. */
function nodeCheck(json: GltfJson, objects: FileObjects) {
  const { [PHYSICS]: lists = {}, [SHAPES]: implicit = {} } = extensionsOf(json);
  const physics = requireObject(PHYSICS, lists);
  const { shapes = json['shapes'] } = requireObject(SHAPES, implicit);
  const node = itemIn('nodes', objects.nodes, anything<Object3D>());
  const mesh = itemIn('meshes', objects.meshes, anything<Object3D>());
  const shape = optional(itemIn('shapes', shapes, shapeCheck(mesh)));
  const filters = groupsOf(physics['collisionFilters']);
  const collisionFilter = optional(itemIn('collisionFilters', filters, anything<number>()));
  const materials = physics['physicsMaterials'];
  const physicsMaterial = optional(itemIn('physicsMaterials', materials, checkMaterial));
  const joint = itemIn('physicsJoints', physics['physicsJoints'], checkJoint);
  const geometry = mapped(
    fields({ shape, node: optional(node), mesh: optional(mesh), convexHull: flag(false) }),
    ({ shape: own, node: ofNode, mesh: ofMesh, convexHull }, path): NodeGeometry => {
      const given = [own?.source, ofNode, ofMesh].filter((each) => each !== undefined);
      const [source] = given;
      if (source === undefined || given.length > 1) {
        throw new TypeError(`${path} must have one of shape, node and mesh`);
      }
      const kind = own ? own.kind : 'trimesh';
      const isWithChildren = ofNode !== undefined;
      // Other kinds are convex.
      return { source, isWithChildren, kind: convexHull && kind === 'trimesh' ? 'hull' : kind };
    },
  );
  const volumeFields = fields({ geometry, collisionFilter, physicsMaterial });
  // Some files give it a shape without a geometry around it.
  const volume: Check<Volume> = (path, value) => {
    const given = requireObject(path, value);
    return volumeFields(path, { geometry: given, ...given }, []);
  };
  const compound = fields({ nodes: listOf(node) });
  const trigger: Check<Trigger> = (path, value) =>
    ('nodes' in requireObject(path, value) ? compound : volume)(path, value, []);
  return fields({
    motion: optional(checkMotion),
    collider: optional(volume),
    trigger: optional(trigger),
    joint: optional(fields({ joint, connectedNode: node, enableCollision: flag(false) })),
  });
}

/** The item that an index names. Each is checked once, when it is first named. */
function itemIn<Item>(name: string, given: unknown, check: Check<Item>): Check<Item> {
  const items = list(name, given);
  const checked = new Map<number, Item>();
  return (path, value) => {
    const what = `${path}, an index of the file's ${items.length} ${name},`;
    const index = requireInteger(what, value, 0, items.length - 1);
    const item = checked.get(index) ?? check(`${name}[${index}]`, items[index], []);
    checked.set(index, item);
    return item;
  };
}

/** The indices of the nodes that animations of a file move. */
export const animatedIn = ({ animations }: GltfJson): readonly number[] =>
  list<{ channels: { target: GltfJson }[] }>('animations', animations)
    .flatMap(({ channels }) => channels.map(({ target }) => target))
    .filter(({ path }) => path !== 'weights')
    .map(({ node }) => node as number);

/** Rapier has 16 groups. One is for what has no filter. */
const MOST_GROUPS = 15;

/**
 * Rapier's groups for the filters of a file, by their index. Names become pairs that collide, if both filters allow it, as the
 * specification has it. Filters that collide with the same ones share a bit, and have the bits of those that they collide
 * with: inclusion means what it says, however many names there are. Each also has bit 15, for what has no filter and
 * collides with everything.
 */
function groupsOf(value: unknown): readonly number[] {
  const filters = checkFilters('collisionFilters', value, []);
  const rows = filters.map((a) => filters.map((b) => lets(a, b) && lets(b, a)));
  const kinds = [...new Set(rows.map(String))];
  if (kinds.length > MOST_GROUPS) {
    throw new RangeError(
      `collisionFilters has ${kinds.length} that collide with different ones, but the engine tells ${MOST_GROUPS} apart`,
    );
  }
  const bits = rows.map((row) => 1 << kinds.indexOf(String(row)));
  const hitOf = (row: readonly boolean[]): number =>
    bits.reduce((all, bit, other) => (row[other] ? all | bit : all), 1 << MOST_GROUPS);
  return rows.map((row, index) => ((bits[index] as number) << 16) | hitOf(row));
}

/** Whether a filter lets something collide that has another one. */
function lets(filter: CollisionFilter, { collisionSystems = [] }: CollisionFilter): boolean {
  const { collideWithSystems: only, notCollideWithSystems: not } = filter;
  if (only !== undefined && !collisionSystems.every((name) => only.includes(name))) return false;
  return collisionSystems.length === 0 || !collisionSystems.every((name) => not?.includes(name));
}
