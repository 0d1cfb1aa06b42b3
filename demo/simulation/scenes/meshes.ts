/**
 * Computed triangle meshes: the same one is drawn and collided with, so that the two cannot differ.
 */
import type { Vector } from '../../contract/scene-contract.js';
import type { Mesh } from '../shapes.js';

/**
 * A grid of points joined by triangles. Seen from the front, columns run to the left of rows, as y
 * does of x.
 */
export function gridMesh(
  rows: number,
  columns: number,
  pointAt: (row: number, column: number) => Vector,
): Mesh {
  const vertices = new Float32Array(rows * columns * 3);
  const indices = new Uint32Array((rows - 1) * (columns - 1) * 6);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      vertices.set(pointAt(row, column), (row * columns + column) * 3);
      if (row === rows - 1 || column === columns - 1) continue;
      const a = row * columns + column;
      const b = a + columns;
      indices.set([a, b, a + 1, b, b + 1, a + 1], next);
      next += 6;
    }
  }
  return { vertices, indices };
}

/** A profile of (radius, height), turned about the y axis. From inside to outside its front is above. */
export function surfaceOfRevolution(
  profile: readonly (readonly [radius: number, y: number])[],
  segments: number,
): Mesh {
  return gridMesh(profile.length, segments + 1, (row, column) => {
    const [radius, y] = profile[row] ?? [0, 0];
    // The last column equals the first one, to the last bit.
    const angle = ((column % segments) / segments) * 2 * Math.PI;
    return [radius * Math.cos(angle), y, -radius * Math.sin(angle)];
  });
}

/** A ring about the y axis. @param radius To the middle of its rim. @param rim Half of the rim's thickness. */
export function ring(radius: number, rim: number): Mesh {
  const around = 10;
  const profile = Array.from({ length: around + 1 }, (_, index) => {
    // The last point equals the first one, to the last bit.
    const angle = Math.PI - ((index % around) / around) * 2 * Math.PI;
    return [radius + rim * Math.cos(angle), rim * Math.sin(angle)] as const;
  });
  return surfaceOfRevolution(profile, 48);
}

/** Heights over a square in the plane, centred on the origin. Its front is above. */
export function terrain(
  side: number,
  cells: number,
  heightAt: (x: number, z: number) => number,
): Mesh {
  return gridMesh(cells + 1, cells + 1, (row, column) => {
    const x = (row / cells - 0.5) * side;
    const z = -(column / cells - 0.5) * side;
    return [x, heightAt(x, z), z];
  });
}

/** A place on a way, and the direction to its left or outer side. */
export interface WayPoint {
  readonly at: Vector;
  /** A unit vector, horizontal. */
  readonly outwards: Vector;
}

export interface TroughProfile {
  readonly radius: number;
  readonly thickness: number;
  /** How far the sides go up from the bottom, in radians. */
  readonly inner: number;
  readonly outer: number;
}

/** A trough with a round bottom along a way; solid, so that it is drawn from both sides. */
export function trough(way: readonly WayPoint[], profile: TroughProfile): Mesh {
  const { radius, thickness, inner, outer } = profile;
  const steps = 12;
  // Around the section: the inside from the inner edge to the outer one, then the outside back.
  const section: (readonly [out: number, up: number])[] = [];
  for (let step = 0; step <= steps; step++) {
    const angle = -inner + ((inner + outer) * step) / steps;
    section.push([radius * Math.sin(angle), -radius * Math.cos(angle)]);
  }
  for (let step = steps; step >= 0; step--) {
    const angle = -inner + ((inner + outer) * step) / steps;
    section.push([(radius + thickness) * Math.sin(angle), -(radius + thickness) * Math.cos(angle)]);
  }
  section.push(section[0] ?? [0, 0]);
  return gridMesh(way.length, section.length, (row, column) => {
    const { at, outwards } = way[row] ?? { at: [0, 0, 0], outwards: [1, 0, 0] };
    const [out, up] = section[column] ?? [0, 0];
    return [at[0] + outwards[0] * out, at[1] + up, at[2] + outwards[2] * out];
  });
}
