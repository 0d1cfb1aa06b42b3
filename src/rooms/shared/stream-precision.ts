/** How exact the poses are that travel over a network. */
import { checkOptions, integer, number } from '../../shared/util/options.js';
import { ROTATION_BITS } from './quantized-rotation.js';

/** How exact the poses are that a room sends. */
export interface StreamPrecision {
  /**
   * Distance between two neighbouring positions, in units of length, 1e-6 to 1. Default 1 / 1024: about 1 mm,
   * if a unit is a metre. Positions reach 2^31 steps in each direction, 2,097 km by default.
   */
  readonly positionStep: number;
  /** Bits of each of the three numbers of a rotation, 6 to 15. Default 11: rotations err by up to 0.14°. */
  readonly rotationBits: number;
}

export const PRECISION = {
  positionStep: number(1e-6, 1, 1 / 1024),
  rotationBits: integer(ROTATION_BITS.min, ROTATION_BITS.max, ROTATION_BITS.default),
};

/** @throws TypeError, RangeError naming the invalid value. */
export const checkPrecision = (given: Partial<StreamPrecision>): StreamPrecision =>
  checkOptions('precision', given, PRECISION);

/** Positions as multiples of a step. */
const MAX_INTEGER = 2 ** 31 - 1;

export class PositionScale {
  readonly #step: number;
  readonly #perUnit: number;

  /** @param step Greater than 0. */
  constructor(step: number) {
    this.#step = step;
    this.#perUnit = 1 / step;
  }

  /** The nearest multiple, as a 32-bit integer. What is farther away than that ends there. */
  quantize(coordinate: number): number {
    const multiple = Math.round(coordinate * this.#perUnit);
    return multiple > MAX_INTEGER ? MAX_INTEGER : multiple < -MAX_INTEGER ? -MAX_INTEGER : multiple;
  }

  coordinate(multiple: number): number {
    return multiple * this.#step;
  }
}
