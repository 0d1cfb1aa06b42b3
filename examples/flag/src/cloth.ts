/** The points of the flag and the rope, and what holds them. Lengths in m; the pole is at x = z = 0. */

/** Row by row from the upper left corner. The points of the first column are tied to the pole. */
export const CLOTH = { columns: 25, rows: 15, spacing: 0.125, left: 0.07, top: 5.7 } as const;
/** From the top. */
export const ROPE = { points: 22, spacing: 0.15, x: -1.1, top: 5.85 } as const;
export const POLE_RADIUS = 0.05;
/** Three for each point: those of the cloth, then those of the rope. */
export const CLOTH_VALUES = 3 * CLOTH.columns * CLOTH.rows;
export const ROPE_VALUES = 3 * ROPE.points;

export type Point = {
  x: number;
  y: number;
  z: number;
  /** Where it was a tick ago. */
  oldX: number;
  oldY: number;
  oldZ: number;
  /** How easily links move it: 1 ÷ its mass, and 0 if it is tied. */
  readonly ease: number;
};

/** Two points that stay this far apart. */
export interface Link {
  readonly a: Point;
  readonly b: Point;
  readonly length: number;
}

const pointAt = (x: number, y: number, ease: number): Point => {
  return { x, y, z: 0, oldX: x, oldY: y, oldZ: 0, ease };
};

/** All points and links, at the beginning. */
export function hang() {
  const { columns, spacing, left, top } = CLOTH;
  const rows = Array.from({ length: CLOTH.rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) =>
      pointAt(left + spacing * column, top - spacing * row, column === 0 ? 0 : 1),
    ),
  );
  const rope = Array.from({ length: ROPE.points }, (_, index) => {
    // A weight hangs at its end.
    const ease = index === 0 ? 0 : index === ROPE.points - 1 ? 0.2 : 1;
    return pointAt(ROPE.x, ROPE.top - ROPE.spacing * index, ease);
  });
  const links: Link[] = [];
  const link = (length: number, a?: Point, b?: Point): void => {
    if (a !== undefined && b !== undefined && a.ease + b.ease > 0) links.push({ a, b, length });
  };
  for (const [index, row] of rows.entries()) {
    const below = rows[index + 1] ?? [];
    for (const [column, point] of row.entries()) {
      link(spacing, point, row[column + 1]);
      link(spacing, point, below[column]);
      // The diagonals keep squares square.
      link(spacing * Math.SQRT2, point, below[column + 1]);
      link(spacing * Math.SQRT2, row[column + 1], below[column]);
    }
  }
  for (const [index, point] of rope.entries()) link(ROPE.spacing, point, rope[index + 1]);
  return { rows, rope, points: [...rows.flat(), ...rope], links };
}

/** The direction that the cloth faces at a point, from the points around it. */
export function normalAt(rows: readonly (readonly Point[])[], row: number, column: number) {
  const at = (r: number, c: number): Point => rows[r]?.[c] ?? (rows[row]?.[column] as Point);
  const [left, right] = [at(row, column - 1), at(row, column + 1)];
  const [above, below] = [at(row - 1, column), at(row + 1, column)];
  const [ux, uy, uz] = [right.x - left.x, right.y - left.y, right.z - left.z];
  const [vx, vy, vz] = [above.x - below.x, above.y - below.y, above.z - below.z];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz + 1e-12);
  return [nx / length, ny / length, nz / length] as const;
}

/** Moves both ends of a link, the heavier one less, so that they are as far apart as they should be. */
export function putRight({ a, b, length }: Link): void {
  const [dx, dy, dz] = [b.x - a.x, b.y - a.y, b.z - a.z];
  const now = Math.sqrt(dx * dx + dy * dy + dz * dz + 1e-12);
  const share = (1 - length / now) / (a.ease + b.ease);
  a.x += dx * share * a.ease;
  a.y += dy * share * a.ease;
  a.z += dz * share * a.ease;
  b.x -= dx * share * b.ease;
  b.y -= dy * share * b.ease;
  b.z -= dz * share * b.ease;
}

export function pushOutOfPole(p: Point): void {
  const distance = Math.sqrt(p.x * p.x + p.z * p.z + 1e-12);
  const out = Math.max(1, POLE_RADIUS / distance);
  p.x *= out;
  p.z *= out;
}
