/**
 * The contract's shapes as three.js geometries. Shapes of one kind share a unit geometry that instances
 * scale, so that a thousand boxes of a thousand sizes are one draw call.
 */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { mergeVertices, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Shape } from '../../contract/scene-contract.js';
import type { Detail } from '../quality/levels.js';

/** Faces that meet at a sharper angle keep an edge between them, in radians. */
const CREASE_ANGLE = Math.PI / 5;

/** Steps of a capsule's proportions, which scaling cannot produce: finer ones are invisible. */
const RATIO_STEPS = 100;

/**
 * Sides of round things, for each detail: of kinds with many, some, and few instances. Without a
 * graphics card triangles are expensive.
 */
const SIDES: Record<Detail, readonly [many: number, some: number, few: number]> = {
  coarse: [5, 7, 12],
  fair: [10, 14, 20],
  fine: [16, 22, 40],
};

/** Sides of one round thing: smaller than 0.3 m, than 1 m, and larger. */
const SIDES_OF_ONE: Record<Detail, readonly [small: number, typical: number, large: number]> = {
  coarse: [6, 10, 20],
  fair: [8, 14, 32],
  fine: [16, 28, 64],
};

/**
 * How many sides a round thing needs.
 *
 * @param count How many such things are drawn: many are small on the screen.
 */
export function sidesFor(count: number, detail: Detail): number {
  const [many, some, few] = SIDES[detail];
  return count <= 12 ? few : count <= 150 ? some : many;
}

/** How many sides a round thing of a given size needs if there are few of its kind. */
export function sidesOf(shape: Shape, detail: Detail): number {
  const [small, typical, large] = SIDES_OF_ONE[detail];
  const radius = 'radius' in shape ? shape.radius : 0;
  return radius < 0.3 ? small : radius < 1 ? typical : large;
}

/** How a shape is made from a geometry that others share. */
export interface UnitShape {
  /** Equal for shapes that share a geometry. */
  readonly key: string;
  /** Factors of the shared geometry along x, y and z. */
  readonly scale: readonly [number, number, number];
}

const AS_IT_IS = [1, 1, 1] as const;

export function unitShapeOf(shape: Shape): UnitShape {
  switch (shape.kind) {
    case 'box':
      return { key: 'box', scale: shape.size };
    case 'ball':
      return { key: 'ball', scale: [shape.radius, shape.radius, shape.radius] };
    case 'capsule':
      return {
        key: `capsule ${capsuleRatio(shape)}`,
        scale: [shape.radius, shape.radius, shape.radius],
      };
    case 'cylinder':
    case 'cone':
      return { key: shape.kind, scale: [shape.radius, shape.height, shape.radius] };
    case 'hull':
    case 'mesh':
      return { key: `${shape.kind} ${shape.name}`, scale: AS_IT_IS };
  }
}

/** Round shapes look the same from all sides: stripes make their spin visible. */
export function isRound(shape: Shape): boolean {
  return shape.kind !== 'box' && shape.kind !== 'hull' && shape.kind !== 'mesh';
}

/**
 * The geometry that shapes of one key share. The caller disposes of it.
 *
 * @param around Sides of round shapes: see {@link sidesFor}.
 */
export function createUnitGeometry(shape: Shape, around: number): BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return new BoxGeometry();
    case 'ball':
      return new SphereGeometry(1, around, Math.max(3, Math.round(around * 0.55)));
    case 'capsule':
      return new CapsuleGeometry(
        1,
        capsuleRatio(shape),
        Math.max(1, Math.floor(around / 4)),
        around,
      );
    case 'cylinder':
      return new CylinderGeometry(1, 1, 1, around);
    case 'cone':
      return new ConeGeometry(1, 1, around);
    case 'hull':
      return indexed(new ConvexGeometry(pointsOf(shape.points)));
    case 'mesh':
      return meshGeometry(shape.vertices, shape.indices);
  }
}

/** A capsule's cylinder in radii. */
function capsuleRatio({ radius, height }: { radius: number; height: number }): number {
  return Math.round((height / radius) * RATIO_STEPS) / RATIO_STEPS;
}

function pointsOf(coordinates: Float32Array): Vector3[] {
  return Array.from({ length: Math.floor(coordinates.length / 3) }, (_, index) =>
    new Vector3().fromArray(coordinates, index * 3),
  );
}

function meshGeometry(vertices: Float32Array, indices: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const creased = toCreasedNormals(geometry, CREASE_ANGLE);
  geometry.dispose();
  return indexed(creased);
}

/**
 * Triangles share their vertices, which are then computed once: a third of the work without a
 * graphics card.
 */
function indexed(geometry: BufferGeometry): BufferGeometry {
  const shared = mergeVertices(geometry);
  geometry.dispose();
  return shared;
}
