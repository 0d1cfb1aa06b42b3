/**
 * Whether the lanes can hold the pose and a display can draw it. Judged in 32 bits, where 1e39 is infinite.
 * A sum with NaN or an infinity in it is one itself; a rotation is divided by its length when it is drawn.
 */
export function isDrawablePose(
  x: number,
  y: number,
  z: number,
  qx: number,
  qy: number,
  qz: number,
  qw: number,
): boolean {
  const { fround } = Math;
  const lengthSquared = fround(qx) ** 2 + fround(qy) ** 2 + fround(qz) ** 2 + fround(qw) ** 2;
  return lengthSquared > 0 && Number.isFinite(fround(x) + fround(y) + fround(z) + lengthSquared);
}
