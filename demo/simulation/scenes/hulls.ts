/** Convex bodies other than boxes, balls and cones. Centred on their middle. */

/** A cut stone: a hexagonal girdle, a flat top and a point below. */
export const GEM = gem(0.34, 0.2, 0.14, 0.32);

/** A slanted splinter of six corners. */
export const SHARD = new Float32Array([
  -0.36, -0.2, -0.18, 0.32, -0.22, -0.16, -0.02, -0.2, 0.3, -0.2, 0.18, -0.1, 0.26, 0.24, 0.02,
  0.02, 0.16, 0.2,
]);

function gem(girdle: number, table: number, above: number, below: number): Float32Array {
  const points: number[] = [0, -below, 0];
  for (let corner = 0; corner < 6; corner++) {
    const angle = (corner / 6) * 2 * Math.PI;
    const [x, z] = [Math.cos(angle), Math.sin(angle)];
    points.push(x * girdle, 0, z * girdle, x * table, above, z * table);
  }
  return new Float32Array(points);
}
