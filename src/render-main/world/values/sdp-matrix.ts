/** Symmetric matrices of angular inertia. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import { rotated } from '../../../shared/world/rotations.js';

/** A symmetric 3 × 3 matrix, with Rapier's name: an angular inertia, in kg m², or the inverse of one. */
export class SdpMatrix3 {
  /** Row by row: the first three of the first row, two of the second, one of the third. */
  readonly elements: Float32Array;

  /** @param elements Six, row by row. */
  constructor(elements: ArrayLike<number>) {
    this.elements = Float32Array.from(elements);
  }

  /** First row, first column, in kg m² or the inverse. */
  get m11(): number {
    return this.elements[0] as number;
  }

  /** First row, second column, in kg m² or the inverse. */
  get m12(): number {
    return this.elements[1] as number;
  }

  /** First row, third column, in kg m² or the inverse. */
  get m13(): number {
    return this.elements[2] as number;
  }

  /** Second row, second column, in kg m² or the inverse. */
  get m22(): number {
    return this.elements[3] as number;
  }

  /** Second row, third column, in kg m² or the inverse. */
  get m23(): number {
    return this.elements[4] as number;
  }

  /** Third row, third column, in kg m² or the inverse. */
  get m33(): number {
    return this.elements[5] as number;
  }
}

/** Which row and column each of the six is in. */
const PLACES = [
  ['x', 'x'],
  ['x', 'y'],
  ['x', 'z'],
  ['y', 'y'],
  ['y', 'z'],
  ['z', 'z'],
] as const;
type Axis = (typeof PLACES)[number][0];
/** Whether something turns about each axis. */
export type Free = Readonly<Record<Axis, boolean>>;

/** What has these values about the axes of a frame, without the rows and columns of axes that are not free. */
export function turnedMatrix(values: Readonly<Vector>, frame: Rotation, free: Free): SdpMatrix3 {
  const axes = [
    rotated({ x: 1, y: 0, z: 0 }, frame),
    rotated({ x: 0, y: 1, z: 0 }, frame),
    rotated({ x: 0, y: 0, z: 1 }, frame),
  ] as const;
  const factors = [values.x, values.y, values.z];
  return new SdpMatrix3(
    PLACES.map(([row, column]) =>
      free[row] && free[column]
        ? axes.reduce((sum, axis, at) => sum + (factors[at] ?? 0) * axis[row] * axis[column], 0)
        : 0,
    ),
  );
}

/** The inverse of what is about the free axes; zeros if there is none. */
export function inverseOf(matrix: SdpMatrix3, free: Free): SdpMatrix3 {
  const a = free.x ? matrix.m11 : 1;
  const d = free.y ? matrix.m22 : 1;
  const f = free.z ? matrix.m33 : 1;
  const { m12: b, m13: c, m23: e } = matrix;
  const determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  const cofactors = [
    d * f - e * e,
    c * e - b * f,
    b * e - c * d,
    a * f - c * c,
    b * c - a * e,
    a * d - b * b,
  ];
  return new SdpMatrix3(
    PLACES.map(([row, column], at) =>
      determinant !== 0 && free[row] && free[column] ? (cofactors[at] ?? 0) / determinant : 0,
    ),
  );
}
