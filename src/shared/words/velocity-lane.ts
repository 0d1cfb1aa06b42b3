/** The 32-bit lanes of one body's velocity, all floats. Lanes 3 and 7 are unused, so that a body has as many as a pose. */

export const x = 0;
export const y = 1;
export const z = 2;
export const wx = 4;
export const wy = 5;
export const wz = 6;
