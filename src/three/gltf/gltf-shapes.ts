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
import { ColliderDesc, HalfSpace } from '../../world/page/index.js';
import { type Drawn, drawnBy, drawnOf, nameOf } from '../drawn-geometry.js';
import { matrixOfStretch, type Stretch } from '../scene-space.js';
import { shapeOfDrawn, type ShapeKind } from '../shape-of.js';
import type { ImplicitShape, NodeGeometry, SolidType } from './gltf-file.js';
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

/** A quarter of a circle about a point of the axis. */
const quarterAt = (radius: number, y: number, from: number): Vector2[] =>
  Array.from({ length: AROUND / 4 + 1 }, (_, step) => {
    const angle = from + (step / AROUND) * 2 * Math.PI;
    return new Vector2(Math.max(0, radius * Math.cos(angle)), y + radius * Math.sin(angle));
  });

/** Quarters of circles about both ends: the hull fills what is between. */
function capsuleProfile(height: number, bottom: number, top: number): Vector2[] {
  return [...quarterAt(bottom, -height / 2, -Math.PI / 2), ...quarterAt(top, height / 2, 0)];
}

/** A collider at the origin of its node. */
export interface DescribedVolume {
  readonly desc: ColliderDesc;
  /** The box around it; empty for a plane without an end. */
  readonly box: Box3;
}

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
  stretch: Stretch,
): DescribedVolume {
  if (!('shape' in geometry))
    return describeMeshes(scene.sourceOf(geometry), geometry.kind, stretch);
  const { type, sizes } = geometry.shape;
  if (type === 'plane' && sizes.includes(0)) {
    return { desc: new ColliderDesc(new HalfSpace({ x: 0, y: 1, z: 0 })), box: new Box3() };
  }
  const solid = solidOf(geometry.shape, () => SOLIDS[type](sizes));
  const kinds: Readonly<Record<string, ShapeKind>> = {
    LatheGeometry: 'hull',
    PlaneGeometry: 'trimesh',
  };
  // As the specification has it, a negative scale counts by its size.
  const [x, y, z] = stretch.scale.toArray().map(Math.abs);
  const scaled = { ...stretch, scale: new Vector3(x, y, z) };
  return described(solid.geometry, solid.drawn, kinds[solid.geometry.type], scaled);
}

function describeMeshes(source: GltfMeshes, kind: ShapeKind, stretch: Stretch): DescribedVolume {
  const [mesh] = source.meshes;
  if (mesh === undefined) {
    throw new RangeError(`${nameOf(source.root)} has no mesh to make a collider of`);
  }
  if (mesh === source.root && source.meshes.length === 1) {
    return described(mesh, drawnBy(mesh), kind, stretch);
  }
  const solid = solidOf(source, () => merged(source));
  return described(solid.geometry, solid.drawn, kind, stretch);
}

function described(
  source: BufferGeometry | Mesh,
  drawn: Drawn,
  kind: ShapeKind | undefined,
  stretch: Stretch,
): DescribedVolume {
  const { min, max } = drawn.extents;
  const box = new Box3(new Vector3(...min), new Vector3(...max));
  box.applyMatrix4(matrixOfStretch(stretch));
  return { desc: shapeOfDrawn(source, drawn, kind, stretch), box };
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
