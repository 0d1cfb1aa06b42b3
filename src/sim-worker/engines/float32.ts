/** The largest finite number in 32 bits: Rapier computes with such numbers. */
export const MAX_FLOAT32 = 3.4028234663852886e38;
