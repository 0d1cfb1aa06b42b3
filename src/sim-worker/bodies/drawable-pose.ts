/**
 * Whether the lanes can hold the pose and a display can draw it. Checked in 32 bits, where 1e39 is infinite. A sum with
 * a NaN or infinite term is not finite either. Drawing divides a rotation by its length.
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
