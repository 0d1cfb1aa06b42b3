/** Where each obstacle is: its lane goes along −z. In m. */
export const LANES = { flat: 0, slope: 6, steps: 12, box: 18, lift: 24, turntable: 30, gap: 36 };
export const CAR_X = -14;
/** Height of the walker above a floor. */
export const START_Y = 0.85;
