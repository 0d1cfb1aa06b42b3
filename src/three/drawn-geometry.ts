/**
 * Reads what is drawn of a geometry, which alone decides what collides, for every shape and wherever colliders are made. Like
 * the renderer, it reads the triangles within the draw range, and with several materials only the groups that have one.
 * Points that no triangle uses may be anywhere. Points of a mesh with morph targets or bones are where three.js draws them at
 * that moment.
 */
import {
  AttachedBindMode,
  BoxGeometry,
  BufferGeometry,
  type Material,
  type Matrix3,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
  Vector3,
} from 'three';
import type { Shape } from '../world/page/index.js';
import { warnOnce } from '../shared/util/development.js';
import { isShown, ChangeDetector } from './change-detector.js';
import { isInstanced, placementOf, type Stretch, updateWorldMatrices } from './scene-space.js';

/** Points, and the triangles between them. */
export interface Triangles {
  /** Three numbers for each point that is drawn: x, y and z. */
  readonly points: Float32Array;
  /** Three for each triangle: which points it has, counted from 0. */
  readonly indices: Uint32Array;
}

/** The drawn part of a geometry. */
export interface Drawn {
  readonly isEmpty: boolean;
  /** Whether its points are not those of the geometry, of which its type and its parameters then say nothing. */
  readonly isDeformed: boolean;
  readonly extents: Extents;
  /** Shapes that were made of it. Scaled colliders share them, so that their points are sent once. */
  readonly shapes: { hull?: Shape; trimesh?: Shape; pieces?: Shape };
  /** In the space of the geometry. Kept only for a moment, because there may be many. */
  triangles(): Triangles;
}

type Materials = Material | readonly Material[] | undefined;
type Attribute = ReturnType<BufferGeometry['getAttribute']>;

/** Types of geometries without triangles. */
export const LINE_TYPES: ReadonlySet<string> = new Set(['EdgesGeometry', 'WireframeGeometry']);

const known = new WeakMap<object, { readonly changes: ChangeDetector; drawn: Drawn | undefined }>();

/**
 * Calls {@link drawnOf} once for all meshes with the same geometry, until its versions say that it has changed. A mesh with
 * morph targets or bones is read again in each turn of the page: its pose counts when a collider is made.
 */
export function drawnBy(mesh: Mesh): Drawn {
  const { geometry, material } = mesh;
  const key = keyOf(mesh);
  let read = known.get(key);
  if (read === undefined) {
    read = { changes: new ChangeDetector(), drawn: undefined };
    known.set(key, read);
    if (key === mesh) queueMicrotask(() => known.delete(mesh));
  }
  read.changes.addGeometry(geometry, material);
  if (read.changes.takeChange()) read.drawn = undefined;
  read.drawn ??= drawnOf(mesh);
  return read.drawn;
}

/** Has a geometry read again: it may have changed without a new version, as long as it was never rendered. */
export function forget(mesh: Mesh): void {
  known.delete(keyOf(mesh));
}

function keyOf(mesh: Mesh): object {
  if (hasPose(mesh)) return mesh;
  // Meshes with several materials may draw other parts of it.
  return Array.isArray(mesh.material) ? mesh.material : mesh.geometry;
}

/**
 * Reads what is drawn. Interleaved, normalized and half-precision attributes are fine.
 *
 * @param source Of a mesh, its pose counts, and its groups if it has an array of materials.
 * @throws TypeError for positions that the page cannot read; RangeError for an index without a point, and for a point that
 *   is not finite.
 */
export function drawnOf(source: BufferGeometry | Mesh): Drawn {
  const mesh = isMesh(source) ? source : undefined;
  const own = isMesh(source) ? source.geometry : source;
  const geometry = 'isInstancedBufferGeometry' in own ? boxOf(own) : own;
  // Other meshes with the geometry share what is read, and this one may get other materials.
  const material = mesh?.material;
  const isDeformed = mesh !== undefined && hasPose(mesh);
  const posed = isDeformed && (!isSkinned(mesh) || updateBones(mesh)) ? mesh : undefined;
  let triangles: Triangles | undefined;
  const read = (): Triangles => {
    if (triangles === undefined) {
      triangles = readTriangles(geometry, cornersOf(geometry, material), posed);
      queueMicrotask(() => (triangles = undefined));
    }
    return triangles;
  };
  const { points } = read();
  const isEmpty = points.length === 0;
  return { isEmpty, isDeformed, extents: extentsOf(points), shapes: {}, triangles: read };
}

export const isMesh = (source: BufferGeometry | Mesh): source is Mesh => 'isMesh' in source;

/** The same with other points. */
export function sheared({ isEmpty, triangles }: Drawn, { elements }: Matrix3): Drawn {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = elements;
  const { points: before, indices } = triangles();
  const points = new Float32Array(before.length);
  for (let at = 0; at < points.length; at += 3) {
    const x = before[at] as number;
    const y = before[at + 1] as number;
    const z = before[at + 2] as number;
    points[at] = xx * x + yx * y + zx * z;
    points[at + 1] = xy * x + yy * y + zy * z;
    points[at + 2] = xz * x + yz * y + zz * z;
  }
  const all = { points, indices };
  return {
    isEmpty,
    isDeformed: true,
    extents: extentsOf(points),
    shapes: {},
    triangles: () => all,
  };
}

export const isSkinned = (mesh: Mesh): mesh is SkinnedMesh => 'isSkinnedMesh' in mesh;

/** Whether morph targets or bones put the points elsewhere than its geometry says. */
function hasPose(mesh: Mesh): boolean {
  const { attributes, morphAttributes } = mesh.geometry;
  if ('isInstancedBufferGeometry' in mesh.geometry) return false;
  const influences = morphAttributes.position && mesh.morphTargetInfluences;
  if (influences?.some((influence) => influence !== 0) === true) return true;
  if (!isSkinned(mesh) || (mesh.skeleton as unknown) === undefined) return false;
  return attributes['skinIndex'] !== undefined && attributes['skinWeight'] !== undefined;
}

/**
 * Does for a skin what rendering does: its bones may be anywhere in the scene.
 *
 * @returns False for a mesh without a size, which has no space that its points could be in.
 */
function updateBones(mesh: SkinnedMesh): boolean {
  const done = new Set<Object3D>();
  updateWorldMatrices(mesh, done);
  for (const bone of mesh.skeleton.bones) updateWorldMatrices(bone, done);
  const isAttached = mesh.bindMode === AttachedBindMode;
  const space = isAttached ? mesh.matrixWorld : mesh.bindMatrix;
  mesh.bindMatrixInverse.copy(space).invert();
  return mesh.bindMatrixInverse.determinant() !== 0;
}

/**
 * Reads the points that corners of triangles have, each once and in the order of the geometry. There may be many: loops over
 * them make no arrays and call no callbacks.
 *
 * @param corners They become the indices.
 * @param posed The mesh, if its pose puts the points elsewhere.
 */
function readTriangles(
  geometry: BufferGeometry,
  corners: Uint32Array,
  posed: Mesh | undefined,
): Triangles {
  // A geometry may draw little of a buffer that it shares with others.
  let [first, end] = [Infinity, 0];
  for (let at = 0; at < corners.length; at++) {
    first = Math.min(first, corners[at] as number);
    end = Math.max(end, (corners[at] as number) + 1);
  }
  /** Whether points are drawn, and then which points they become. */
  const newIndices = new Uint32Array(Math.max(0, end - first));
  for (let at = 0; at < corners.length; at++) newIndices[(corners[at] as number) - first] = 1;
  const position = geometry.getAttribute('position');
  const points = new Float32Array(3 * newIndices.length);
  const point = new Vector3();
  let count = 0;
  for (let index = first; index < end; index++) {
    if (newIndices[index - first] === 0) continue;
    if (posed === undefined) {
      const z = position.itemSize < 3 ? 0 : position.getZ(index);
      point.set(position.getX(index), position.getY(index), z);
    } else {
      posed.getVertexPosition(index, point);
    }
    const { x, y, z } = point;
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) {
      throw new RangeError(
        `point ${index} of ${nameOf(geometry)} is (${x}, ${y}, ${z}): its numbers must be finite`,
      );
    }
    point.toArray(points, 3 * count);
    newIndices[index - first] = count;
    count += 1;
  }
  for (let at = 0; at < corners.length; at++) {
    corners[at] = newIndices[(corners[at] as number) - first] as number;
  }
  const whole = corners.length - (corners.length % 3);
  return { points: points.slice(0, 3 * count), indices: corners.subarray(0, whole) };
}

/** Maps each corner of a triangle, or each end of a line, to its point. */
function cornersOf(geometry: BufferGeometry, materials: Materials): Uint32Array {
  // Types say that it is always there.
  const position = geometry.getAttribute('position') as Attribute | undefined;
  if (position === undefined) return new Uint32Array();
  if (!('getX' in position)) throw unreadable(geometry);
  const { index, type } = geometry;
  const total = index?.count ?? position.count;
  // Points that are no whole triangles are just points.
  const isOfPoints = LINE_TYPES.has(type) || (index === null && total % 3 !== 0);
  const ranges = rangesOf(geometry, materials, total, isOfPoints ? 1 : 3);
  const corners = new Uint32Array(ranges.reduce((sum, [start, end]) => sum + end - start, 0));
  let at = 0;
  for (const [start, end] of ranges) {
    for (let corner = start; corner < end; corner++) {
      const point = index === null ? corner : index.getX(corner);
      if (!(point >= 0 && point < position.count)) {
        throw new RangeError(
          `index ${corner} of ${nameOf(geometry)} is ${point}, but it has ${position.count} points, counted from 0`,
        );
      }
      corners[at] = point;
      at += 1;
    }
  }
  return corners;
}

/** The parts of the index, or of the points, that are drawn, each once and in their order. */
function rangesOf(
  { drawRange, groups }: BufferGeometry,
  materials: Materials,
  total: number,
  each: number,
): readonly (readonly [start: number, end: number])[] {
  const all = { start: 0, count: total };
  const drawn = Array.isArray(materials)
    ? groups
        .filter((group) => isShown(materials as readonly Material[], group.materialIndex))
        .toSorted((a, b) => a.start - b.start)
    : [all];
  const ranges: [number, number][] = [];
  let last = Math.max(0, drawRange.start);
  const most = Math.min(total, drawRange.start + drawRange.count);
  for (const group of drawn) {
    const start = Math.max(last, group.start);
    const count = Math.min(most, group.start + group.count) - start;
    // The negation also skips NaN.
    if (!(count >= each)) continue;
    last = start + count - (count % each);
    ranges.push([start, last]);
  }
  return ranges;
}

/** Only the shader knows what is drawn of an instanced geometry, such as a text: its own bounding box is taken. */
function boxOf(geometry: BufferGeometry): BufferGeometry {
  geometry.computeBoundingBox();
  const { boundingBox } = geometry;
  if (boundingBox === null || boundingBox.isEmpty()) return new BufferGeometry();
  const size = boundingBox.getSize(new Vector3());
  const { x, y, z } = boundingBox.getCenter(new Vector3());
  return new BoxGeometry(size.x, size.y, size.z).translate(x, y, z);
}

function unreadable(geometry: BufferGeometry): TypeError {
  return new TypeError(
    `${nameOf(geometry)} has no position attribute with points that the page can read: add a collider with a ` +
      'ColliderDesc of your own',
  );
}

/** @throws TypeError, RangeError if nothing of a geometry is drawn. */
export function requireDrawn({ isEmpty }: Drawn, geometry: BufferGeometry): void {
  if (!isEmpty) return;
  // Types say that it is always there.
  const position = geometry.getAttribute('position') as Attribute | undefined;
  if (position === undefined || position.count === 0) throw unreadable(geometry);
  throw new RangeError(
    `nothing of ${nameOf(geometry)} is drawn: no triangle of its index is within its draw range and its groups`,
  );
}

/** For messages. */
export const nameOf = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  name === '' ? `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}` : `the ${type} "${name}"`;

export type Triple = readonly [number, number, number];

/** Where points are. Loops over points make no arrays and call no callbacks: there may be many. */
interface Extents {
  readonly min: Triple;
  readonly max: Triple;
  readonly center: Triple;
  /** Radius of the smallest ball around the center that contains the points. */
  readonly radius: number;
  /** Distance of the nearest and the farthest from the origin. */
  readonly nearest: number;
  readonly farthest: number;
  /** Distance of the farthest from the y axis. */
  readonly round: number;
}

function extentsOf(points: Float32Array): Extents {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let [nearest, farthest, round] = [Infinity, 0, 0];
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at] as number;
    const y = points[at + 1] as number;
    const z = points[at + 2] as number;
    min[0] = Math.min(min[0], x);
    min[1] = Math.min(min[1], y);
    min[2] = Math.min(min[2], z);
    max[0] = Math.max(max[0], x);
    max[1] = Math.max(max[1], y);
    max[2] = Math.max(max[2], z);
    const flat = x * x + z * z;
    round = Math.max(round, flat);
    nearest = Math.min(nearest, flat + y * y);
    farthest = Math.max(farthest, flat + y * y);
  }
  const center: Triple = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  return {
    min,
    max,
    center,
    radius: radiusAround(points, center, [1, 1, 1]),
    nearest: Math.sqrt(nearest),
    farthest: Math.sqrt(farthest),
    round: Math.sqrt(round),
  };
}

/** The radius of the smallest ball around a point that contains all points, with everything scaled. */
export function radiusAround(points: Float32Array, center: Triple, scale: Triple): number {
  const [centerX, centerY, centerZ] = center;
  const [scaleX, scaleY, scaleZ] = scale;
  let radius = 0;
  for (let at = 0; at < points.length; at += 3) {
    const x = ((points[at] as number) - centerX) * scaleX;
    const y = ((points[at + 1] as number) - centerY) * scaleY;
    const z = ((points[at + 2] as number) - centerZ) * scaleZ;
    radius = Math.max(radius, x * x + y * y + z * z);
  }
  return Math.sqrt(radius);
}

/** A reason. */
export const FLAT = 'its scale in the scene is 0 along an axis';

/** Why a kind of object that is drawn gets no collider. Undefined for a mesh, and for what draws nothing. */
export function whyNoCollider(object: Object3D): string | undefined {
  if ('isBatchedMesh' in object) {
    return 'a BatchedMesh draws several geometries in one: use an InstancedMesh for each';
  }
  if ('isLineSegments2' in object || 'isLine' in object) return 'lines have no surface';
  if ('isPoints' in object) return 'points have no surface';
  return 'isSprite' in object ? 'a sprite faces the camera' : undefined;
}

/** Why an object cannot be added as a mesh. */
export const whyNoMesh = (object: Object3D): string | undefined =>
  whyNoCollider(object) ??
  ('isMesh' in object ? undefined : 'it is no mesh: take the meshes in it, which traverse() finds');

/** Warns once for each reason. */
export function warnOfNoCollider(name: string, reason: string): void {
  warnOnce(
    `no collider: ${reason}`,
    `${name} gets no collider, because ${reason}. If it should collide as it is, give its body a collider that needs no mesh`,
  );
}

/** @param name Of what would have to be sheared. */
export function warnOfShear(name: string): void {
  warnOnce(
    'a shape that cannot be sheared',
    `${name} is stretched by a parent that is not turned like it, which no ball, box or other solid can be: it collides as ` +
      "the nearest one. Choose the shape 'hull' or 'trimesh' of its mesh, or put the scale on the mesh itself",
  );
}

/** Warns if the parents of what a body moves stretch it: a body that turns cannot be drawn as it collides. */
export function warnOfMovingShear(object: Object3D, instances: readonly Stretch[] = []): void {
  const isMany = 'isMesh' in object && isInstanced(object as Mesh);
  const isStretched = isMany
    ? instances.some(({ shear }) => shear !== undefined)
    : object.parent !== null && !isEven(placementOf(object.parent));
  if (!isStretched) return;
  warnOnce(
    'a parent that stretches what moves',
    `the scale of a parent of ${nameOf(object)} is not the same along all axes: when its body turns, it is not drawn as it ` +
      'collides. Put that scale on the meshes in it, or make it the same along all axes',
  );
}

function isEven({ scale, shear }: Stretch): boolean {
  const sizes = scale.toArray().map(Math.abs);
  return (
    shear === undefined && Math.max(...sizes) - Math.min(...sizes) <= 1e-4 * Math.max(...sizes)
  );
}

/** Warns if a skin is drawn at bones that a body does not move. @param root The object that it moves. */
export function warnOfOtherBones(mesh: Mesh, root: Object3D): void {
  if (!isSkinned(mesh) || mesh.bindMode !== AttachedBindMode) return;
  const bones = (mesh.skeleton as SkinnedMesh['skeleton'] | undefined)?.bones ?? [];
  const isIn = (object: Object3D | null): boolean =>
    object !== null && (object === root || isIn(object.parent));
  const other = bones.find((bone) => !isIn(bone));
  if (other === undefined) return;
  warnOnce(
    'a skin with bones elsewhere',
    `${nameOf(mesh)} is drawn where its bones are, and its body does not move ${nameOf(other)}: the body moves, but not what ` +
      'is drawn. Put the whole model, with its bones, into what the body moves: a <RigidBody>, or a mesh that you add instead',
  );
}

/** An edited mesh has no valid shape any more. */
export function warnOfOldCollider(mesh: Mesh, { message }: Error): void {
  warnOnce(
    `a collider that was kept: ${message}`,
    `${nameOf(mesh)} keeps the collider that it had, because there is none of what it is now: ${message}`,
  );
}
