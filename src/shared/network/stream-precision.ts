/** How exact the poses are that travel over a network. */
import { requireInteger, requireNumber } from '../util/validate.js';
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

const DEFAULT_POSITION_STEP = 1 / 1024;
const POSITION_STEP = { min: 1e-6, max: 1 } as const;

/** @throws TypeError, RangeError naming the invalid value. */
export function checkPrecision(given: Partial<StreamPrecision>): StreamPrecision {
  const { positionStep = DEFAULT_POSITION_STEP, rotationBits = ROTATION_BITS.default } = given;
  return {
    positionStep: requireNumber('positionStep', positionStep, POSITION_STEP.min, POSITION_STEP.max),
    rotationBits: requireInteger(
      'rotationBits',
      rotationBits,
      ROTATION_BITS.min,
      ROTATION_BITS.max,
    ),
  };
}
