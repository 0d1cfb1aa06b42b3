/** Lines that show the shape of a collider, relative to it. */
import { Quaternion, Vector3 } from 'three';
import { ConvexHull } from 'three/addons/math/ConvexHull.js';
import { partsOf } from '../world/shared/packed-pieces.js';
import { type ShapeData, scaled } from '../world/shared/shape-data.js';
import { coreRowOf, type ShapeName, shapeRowOf } from '../world/shared/shape-table.js';

/** A radius and a height: a point of a line that is turned about the y axis. */
type ProfilePoint = readonly [radius: number, y: number];

const AROUND = 24;
const QUARTER = AROUND / 4;
/** Half of the side of what is drawn of a half space, in m or the simulation's own unit. */
const HALF_PLANE = 10;
/** Edges between triangles that are this nearly in one plane are not drawn. */
const FLAT_COSINE = 1 - 1e-5;

/** Six numbers for each segment. Every end of one is on the surface of the shape. */
export function outlineOf(shape: ShapeData): Float32Array {
  const lines = new Lines();
  const row = shapeRowOf(shape.type);
  const core = coreRowOf(shape.type);
  const border = core === undefined ? 0 : (shape.sizes.at(-1) ?? 0);
  const { name } = core ?? row ?? {};
  if (name !== undefined) OUTLINES[name]?.(lines, shape, border);
  return Float32Array.from(lines.numbers);
}

type Draw = (lines: Lines, shape: ShapeData, border: number) => void;

/** By the names of shapes: those with a border are drawn as what is inside of it. */
const OUTLINES: Readonly<Partial<Record<ShapeName, Draw>>> = {
  Ball: (lines, { sizes: [radius = 0] }) => lines.revolved(cylinder(0, 0, radius), [0]),
  Cuboid(lines, { sizes }, border) {
    if (border === 0) lines.chain(boxOf(sizes), EDGES);
    else lines.hull(boxOf(sizes), border);
  },
  Capsule(lines, { sizes: [half = 0, radius = 0] }) {
    lines.revolved(cylinder(half, 0, radius), [half, -half]);
  },
  Cylinder(lines, { sizes: [half = 0, radius = 0] }, border) {
    const circles = [half + border, half, -half, -half - border];
    lines.revolved(cylinder(half, radius, border), circles);
  },
  Cone(lines, { sizes: [half = 0, radius = 0] }, border) {
    lines.revolved(cone(half, radius, border), [-half, -half - border]);
  },
  ConvexPolyhedron: (lines, shape, border) => lines.hull(pointsOf(shape), border),
  TriMesh: (lines, shape) => lines.triangles(pointsOf(shape), shape.indices),
  Polyline: (lines, shape) => lines.chain(pointsOf(shape), shape.indices),
  Segment: (lines, shape) => lines.chain(pointsOf(shape), shape.indices),
  Triangle: (lines, shape) => lines.triangles(pointsOf(shape), Uint32Array.of(0, 1, 2)),
  HalfSpace(lines, { sizes }) {
    const square = new Lines();
    square.chain(boxOf([HALF_PLANE, 0, HALF_PLANE]), EDGES);
    const normal = new Vector3().fromArray(sizes);
    const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal);
    lines.moved(square.numbers, rotation, new Vector3());
  },
  Voxels(lines, { sizes: [x = 0, y = 0, z = 0], vertices, indices }) {
    lines.voxels([x, y, z], vertices, new Int32Array(indices.slice().buffer));
  },
  Compound(lines, shape) {
    for (const part of shape.pieces === undefined ? partsOf(shape) : []) {
      const rotation = new Quaternion().copy(part.rotation).normalize();
      lines.moved(outlineOf(part.shape), rotation, new Vector3().copy(part.translation));
    }
  },
  HeightField: (lines, { sizes, vertices }) => lines.heightfield(sizes, vertices),
};

/** The corners of a box. */
const boxOf = (half: readonly number[]): Float32Array =>
  Float32Array.from({ length: 24 }, (_, at) => {
    const axis = at % 3;
    return ((at - axis) / 3) & (1 << axis) ? (half[axis] ?? 0) : -(half[axis] ?? 0);
  });

/** The edges of a box: the corners at which bits of the number differ in one. */
const EDGES = Uint32Array.from(
  [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
    [1, 2, 4].flatMap((bit) => (corner & bit ? [] : [corner, corner | bit])),
  ),
);

const pointsOf = ({ vertices, scale }: ShapeData): Float32Array => scaled(vertices, scale);

/** Part of a circle around a point, from the top: 1 is a quarter turn. */
function arc(radius: number, y: number, from: number, to: number, x = 0): ProfilePoint[] {
  const steps = QUARTER * Math.ceil(to - from) || 1;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 2;
    return [x + radius * Math.sin(angle), y + radius * Math.cos(angle)];
  });
}

function cylinder(half: number, radius: number, border: number): ProfilePoint[] {
  return [
    [0, half + border],
    ...arc(border, half, 0, 1, radius),
    ...arc(border, -half, 1, 2, radius),
    [0, -half - border],
  ];
}

function cone(half: number, radius: number, border: number): ProfilePoint[] {
  // The slope of its side: how far the border is turned there.
  const tilt = Math.atan2(2 * half, radius) / (Math.PI / 2);
  return [
    ...arc(border, half, 0, tilt),
    ...arc(border, -half, tilt, 1, radius),
    ...arc(border, -half, 1, 2, radius),
    [0, -half - border],
  ];
}

class Lines {
  readonly numbers: number[] = [];

  segment(from: readonly number[], to: readonly number[]): void {
    this.numbers.push(...from, ...to);
  }

  /** A circle around the y axis. */
  circle(radius: number, height: number): void {
    const at = (step: number): number[] => {
      const angle = (2 * Math.PI * step) / AROUND;
      return [radius * Math.sin(angle), height, radius * Math.cos(angle)];
    };
    for (let step = 0; step < AROUND; step++) this.segment(at(step), at(step + 1));
  }

  /** A profile that is revolved about the y axis, drawn on four sides, and circles at heights of it. */
  revolved(profile: readonly ProfilePoint[], circles: readonly number[]): void {
    for (const [cos, sin] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const) {
      const at = ([radius, y]: ProfilePoint): number[] => [radius * cos, y, radius * sin];
      for (let index = 1; index < profile.length; index++) {
        this.segment(at(profile[index - 1] as ProfilePoint), at(profile[index] as ProfilePoint));
      }
    }
    for (const height of new Set(circles)) {
      const radii = profile
        .filter(([, y]) => Math.abs(y - height) < 1e-9)
        .map(([radius]) => radius);
      this.circle(Math.max(...radii), height);
    }
  }

  /** The edges of the hull of points; with a border, once for each face. */
  hull(points: Float32Array, border: number): void {
    const list = [];
    for (let at = 0; at < points.length; at += 3) list.push(new Vector3().fromArray(points, at));
    const { faces } = new ConvexHull().setFromPoints(list);
    const drawn = new Set<object>();
    for (const face of faces) {
      const offset = face.normal.clone().multiplyScalar(border);
      for (let edge = face.edge, side = 0; side < 3; side++, edge = edge.next) {
        const from = edge.tail()?.point;
        const isFlat = edge.twin.face.normal.dot(face.normal) > FLAT_COSINE;
        // Without a border, both faces have the same edge.
        const isDrawn = border === 0 && drawn.has(edge.twin);
        if (from === undefined || isFlat || isDrawn) continue;
        drawn.add(edge);
        const to = edge.head().point.clone().add(offset);
        this.segment(from.clone().add(offset).toArray(), to.toArray());
      }
    }
  }

  /** Boxes, by points in them or by the numbers of their cells. */
  voxels(size: readonly [number, number, number], points: Float32Array, cells: Int32Array): void {
    const box = new Lines();
    box.chain(boxOf(size.map((length) => length / 2)), EDGES);
    const found = cells.length > 0 ? cells : points.map((at, index) => at / (size[index % 3] ?? 1));
    for (let at = 0; at < found.length; at += 3) {
      const [x = 0, y = 0, z = 0] = size.map(
        (length, axis) => (Math.floor(found[at + axis] as number) + 0.5) * length,
      );
      this.moved(box.numbers, new Quaternion(), new Vector3(x, y, z));
    }
  }

  moved(numbers: ArrayLike<number>, rotation: Quaternion, translation: Vector3): void {
    const point = new Vector3();
    for (let at = 0; at < numbers.length; at += 3) {
      point.set(numbers[at] as number, numbers[at + 1] as number, numbers[at + 2] as number);
      this.numbers.push(...point.applyQuaternion(rotation).add(translation).toArray());
    }
  }

  /** Each edge once. */
  triangles(points: Float32Array, indices: Uint32Array): void {
    const edges = new Set<number>();
    const count = points.length / 3;
    for (let at = 0; at < indices.length; at++) {
      const from = indices[at] as number;
      const to = indices[at % 3 === 2 ? at - 2 : at + 1] as number;
      const key = Math.min(from, to) * count + Math.max(from, to);
      if (edges.has(key)) continue;
      edges.add(key);
      this.segment(pointAt(points, from), pointAt(points, to));
    }
  }

  chain(points: Float32Array, indices: Uint32Array): void {
    const ends = indices.length > 0 ? indices : chainIndices(points.length / 3);
    for (let at = 0; at + 1 < ends.length; at += 2) {
      this.segment(pointAt(points, ends[at] as number), pointAt(points, ends[at + 1] as number));
    }
  }

  heightfield(sizes: readonly number[], heights: Float32Array): void {
    const [rows = 1, columns = 1, width = 1, factor = 1, depth = 1] = sizes;
    const at = (row: number, column: number): number[] => [
      (column / columns - 0.5) * width,
      (heights[column * (rows + 1) + row] as number) * factor,
      (row / rows - 0.5) * depth,
    ];
    for (let row = 0; row <= rows; row++) {
      for (let column = 0; column <= columns; column++) {
        if (row < rows) this.segment(at(row, column), at(row + 1, column));
        if (column < columns) this.segment(at(row, column), at(row, column + 1));
      }
    }
  }
}

const pointAt = (points: Float32Array, index: number): number[] => [
  ...points.subarray(3 * index, 3 * index + 3),
];

const chainIndices = (points: number): Uint32Array =>
  Uint32Array.from({ length: 2 * Math.max(0, points - 1) }, (_, at) => (at + 1) >> 1);
