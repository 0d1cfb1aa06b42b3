/** Symmetric matrices of angular inertia. */

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
