/** The 32-bit lanes of one body. `meta` is an integer; see body-meta.ts. */

export const x = 0;
export const y = 1;
export const z = 2;
export const meta = 3;
export const qx = 4;
export const qy = 5;
export const qz = 6;
export const qw = 7;
