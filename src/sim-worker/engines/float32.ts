/** The largest finite 32-bit float. Rapier computes with 32-bit floats. */
export const MAX_FLOAT32 = 3.4028234663852886e38;
