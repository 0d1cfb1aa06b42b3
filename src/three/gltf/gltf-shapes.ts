/** From the geometry of a collider in a glTF file to descriptions of colliders. */
import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  LatheGeometry,
  Matrix4,
  type Mesh,
  type Object3D,
  PlaneGeometry,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import { ColliderDesc } from '../../world/page/index.js';
import { type Drawn, drawnBy, drawnOf, nameOf } from '../drawn-geometry.js';
import { matrixOfStretch, type Placement } from '../scene-space.js';
import { shapeOfDrawn, type ShapeKind } from '../shape-of.js';
import type { ImplicitShape, NodeGeometry, SolidType } from './gltf-fields.js';
import type { GltfScene, GltfMeshes } from './gltf-scene.js';

/** In the field's usual fineness: hulls of what no solid of the engine is, such as a ball that is stretched. */
const AROUND = 24;

const SOLIDS: Readonly<Record<SolidType, (sizes: readonly number[]) => BufferGeometry>> = {
  sphere: ([radius]) => new SphereGeometry(radius, AROUND, AROUND / 2),
  box: ([x, y, z]) => new BoxGeometry(x, y, z),
  cylinder: ([height, bottom, top]) => new CylinderGeometry(top, bottom, height, AROUND),
  capsule: ([height = 0, bottom = 0, top = 0]) =>
    bottom === top
      ? new CapsuleGeometry(bottom, height, AROUND / 4, AROUND)
      : new LatheGeometry(capsuleProfile(height, bottom, top), AROUND),
  plane: ([x, z]) => new PlaneGeometry(x, z).rotateX(-Math.PI / 2),
};

/** Half of a circle about a point of the axis. */
const halfAt = (radius: number, y: number): Vector2[] =>
  Array.from({ length: AROUND / 2 + 1 }, (_, step) => {
    const angle = (step / AROUND - 1 / 4) * 2 * Math.PI;
    return new Vector2(Math.max(0, radius * Math.cos(angle)), y + radius * Math.sin(angle));
  });

/** Whole balls at both ends, of which one may contain the other: the hull fills what is between. */
const capsuleProfile = (height: number, bottom: number, top: number): Vector2[] => [
  ...halfAt(bottom, -height / 2),
  ...halfAt(top, height / 2),
];

/**
 * Half of the sizes of a plane without an end, in m or the simulation's own unit. Hulls sink into the engine's half-space if they
 * have a face with more than four corners.
 */
const [FAR, DEEP] = [5000, 100];

/** A collider in its body. */
export interface DescribedVolume {
  readonly desc: ColliderDesc;
  /** The box around it in the body; empty for a plane without an end. */
  readonly box: Box3;
  /** Of its triangles. */
  volume(): number;
}

const UNSCALED = new Vector3(1, 1, 1);

interface Solid {
  readonly geometry: BufferGeometry;
  readonly drawn: Drawn;
}

const solids = new WeakMap<ImplicitShape | GltfMeshes, Solid>();

/**
 * One collider, also for several meshes: their hull is one, too.
 *
 * @throws RangeError, TypeError as `shapeOf` does.
 */
export function describeVolume(
  geometry: NodeGeometry,
  scene: GltfScene,
  placement: Placement,
): DescribedVolume {
  if (!('shape' in geometry))
    return describeMeshes(scene.sourceOf(geometry), geometry.kind, placement);
  const { type, sizes } = geometry.shape;
  if (type === 'plane' && sizes.includes(0)) {
    const { position, rotation } = placement;
    const { x, y, z } = new Vector3(0, -DEEP, 0).applyQuaternion(rotation).add(position);
    const desc = ColliderDesc.cuboid(FAR, DEEP, FAR).setTranslation(x, y, z);
    return { desc: desc.setRotation(rotation), box: new Box3(), volume: () => 0 };
  }
  const solid = solidOf(geometry.shape, () => SOLIDS[type](sizes));
  const kinds: Readonly<Record<string, ShapeKind>> = {
    LatheGeometry: 'hull',
    PlaneGeometry: 'trimesh',
  };
  // At most x of its scale is negative, and that mirrors these solids into themselves.
  return described(solid.geometry, solid.drawn, kinds[solid.geometry.type], placement);
}

function describeMeshes(
  source: GltfMeshes,
  kind: ShapeKind,
  placement: Placement,
): DescribedVolume {
  const [mesh] = source.meshes;
  if (mesh === undefined) {
    throw new RangeError(`${nameOf(source.root)} has no mesh of triangles to make a collider of`);
  }
  if (mesh === source.root && source.meshes.length === 1) {
    return described(mesh, drawnBy(mesh), kind, placement);
  }
  const solid = solidOf(source, () => merged(source));
  return described(solid.geometry, solid.drawn, kind, placement);
}

function described(
  source: BufferGeometry | Mesh,
  drawn: Drawn,
  kind: ShapeKind | undefined,
  placement: Placement,
): DescribedVolume {
  const { position, rotation } = placement;
  const { min, max } = drawn.extents;
  const box = new Box3(new Vector3(...min), new Vector3(...max));
  const stretch = matrixOfStretch(placement);
  box.applyMatrix4(stretch);
  box.applyMatrix4(new Matrix4().compose(position, rotation, UNSCALED));
  const desc = shapeOfDrawn(source, drawn, kind, placement);
  desc.setTranslation(position.x, position.y, position.z).setRotation(rotation);
  const volume = () => volumeIn(drawn.triangles()) * Math.abs(stretch.determinant());
  return { desc, box, volume };
}

/** The volume within closed triangles: the sum of tetrahedra with a corner at the origin. */
function volumeIn({ points, indices }: ReturnType<Drawn['triangles']>): number {
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()] as const;
  let sum = 0;
  for (let at = 0; at < indices.length; at += 3) {
    for (const [corner, point] of [a, b, c].entries()) {
      point.fromArray(points, 3 * (indices[at + corner] as number));
    }
    sum += a.dot(b.cross(c)) / 6;
  }
  return Math.abs(sum);
}

function solidOf(key: ImplicitShape | GltfMeshes, make: () => BufferGeometry): Solid {
  let solid = solids.get(key);
  if (solid === undefined) {
    const geometry = make();
    solid = { geometry, drawn: drawnOf(geometry) };
    solids.set(key, solid);
  }
  return solid;
}

/** The triangles of meshes as they are drawn, in the space of their root. */
function merged({ root, meshes }: GltfMeshes): BufferGeometry {
  const points: number[] = [];
  const indices: number[] = [];
  const point = new Vector3();
  for (const mesh of meshes) {
    const triangles = drawnBy(mesh).triangles();
    const matrix = new Matrix4();
    for (let at: Object3D | null = mesh; at !== null && at !== root; at = at.parent) {
      if (at.matrixAutoUpdate) at.updateMatrix();
      matrix.premultiply(at.matrix);
    }
    const first = points.length / 3;
    for (const index of triangles.indices) indices.push(first + index);
    for (let at = 0; at < triangles.points.length; at += 3) {
      points.push(...point.fromArray(triangles.points, at).applyMatrix4(matrix).toArray());
    }
  }
  const geometry = new BufferGeometry().setIndex(indices);
  geometry.name = root.name;
  return geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
}
