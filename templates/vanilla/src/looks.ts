/** The looks of the bodies. Lengths in m. */

export const BODIES = [
  { shape: 'ball', color: 0xd9593d, x: -1.6 },
  { shape: 'box', color: 0x2f7f86, x: 0 },
  { shape: 'cone', color: 0xe3a92f, x: 1.6 },
] as const;
export type BodyLook = (typeof BODIES)[number];

/** Radius of the ball and of the cone's base, and half the side of the box. */
export const RADIUS_M = 0.5;
export const CONE_HEIGHT_M = 1.2;
/** A round plate with its center at height 0. */
export const PLATE_M = { radius: 3.6, halfHeight: 0.2 } as const;
