/** Pieces of bodies: what is drawn, and the collider that goes with it. */
import type { ColliderDesc } from '@dimforge/rapier3d-simd-compat';
import type { Rapier } from '../../src/rapier/rapier.js';
import type { Part, Rotation, Shape, Vector } from '../contract/scene-contract.js';

/** Where a part sits in its body. */
export interface Placement {
  readonly offset?: Vector;
  readonly rotation?: Rotation;
}

const part = (shape: Shape, color: number, placement: Placement | undefined): Part => ({
  shape,
  color,
  ...placement,
});

export const box = (size: Vector, color: number, at?: Placement): Part =>
  part({ kind: 'box', size }, color, at);

export const ball = (radius: number, color: number, at?: Placement): Part =>
  part({ kind: 'ball', radius }, color, at);

/** Axis along y; `height` is the part between the caps. */
export const capsule = (radius: number, height: number, color: number, at?: Placement): Part =>
  part({ kind: 'capsule', radius, height }, color, at);

export const cylinder = (radius: number, height: number, color: number, at?: Placement): Part =>
  part({ kind: 'cylinder', radius, height }, color, at);

/** Tip up. */
export const cone = (radius: number, height: number, color: number, at?: Placement): Part =>
  part({ kind: 'cone', radius, height }, color, at);

export const hull = (name: string, points: Float32Array, color: number, at?: Placement): Part =>
  part({ kind: 'hull', name, points }, color, at);

/** Triangles. Only for things that never move. */
export interface Mesh {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
}

export const mesh = (name: string, { vertices, indices }: Mesh, color: number): Part =>
  part({ kind: 'mesh', name, vertices, indices }, color, undefined);

/** The collider of a part, in its place. */
export function colliderOf(rapier: Rapier, { shape, offset, rotation }: Part): ColliderDesc {
  const desc = colliderOfShape(rapier, shape);
  if (offset) desc.setTranslation(offset[0], offset[1], offset[2]);
  if (rotation) {
    desc.setRotation({ x: rotation[0], y: rotation[1], z: rotation[2], w: rotation[3] });
  }
  return desc;
}

function colliderOfShape({ ColliderDesc, TriMeshFlags }: Rapier, shape: Shape): ColliderDesc {
  switch (shape.kind) {
    case 'box':
      return ColliderDesc.cuboid(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2);
    case 'ball':
      return ColliderDesc.ball(shape.radius);
    case 'capsule':
      return ColliderDesc.capsule(shape.height / 2, shape.radius);
    case 'cylinder':
      return ColliderDesc.cylinder(shape.height / 2, shape.radius);
    case 'cone':
      return ColliderDesc.cone(shape.height / 2, shape.radius);
    case 'hull': {
      const desc = ColliderDesc.convexHull(shape.points);
      if (desc === null) throw new RangeError(`the points of "${shape.name}" have no convex hull`);
      return desc;
    }
    case 'mesh':
      // Without the flag a rolling ball bumps at the seams between triangles.
      return ColliderDesc.trimesh(shape.vertices, shape.indices, TriMeshFlags.FIX_INTERNAL_EDGES);
  }
}
