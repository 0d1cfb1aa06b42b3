/** Vector arithmetic with + − × ÷ and the square root, which give the same bits in every browser. */

export interface Vector {
  x: number;
  y: number;
  z: number;
}

export const zero = (): Vector => ({ x: 0, y: 0, z: 0 });

/** Adds `vector` times `factor` to `to`. */
export function add(to: Vector, vector: Vector, factor = 1): void {
  to.x += vector.x * factor;
  to.y += vector.y * factor;
  to.z += vector.z * factor;
}

/** Sets `to` to `from` − `less`. */
export function subtract(to: Vector, from: Vector, less: Vector): void {
  to.x = from.x - less.x;
  to.y = from.y - less.y;
  to.z = from.z - less.z;
}

export function length({ x, y, z }: Vector): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** The shortest rotation from the y axis, along which cones point, to a vector. */
export function turnTo(vector: Vector): readonly [qx: number, qy: number, qz: number, qw: number] {
  const size = length(vector);
  const norm = Math.sqrt(2 * size * (size + vector.y));
  if (norm < 1e-6) return [1, 0, 0, 0];
  return [vector.z / norm, 0, -vector.x / norm, norm / 2 / size];
}
