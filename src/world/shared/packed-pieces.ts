/**
 * Convex pieces of a mesh in one array, which is one asset. For each piece, it has the numbers of its points and of its triangles,
 * three numbers for each point, and three indices for each triangle.
 */
import { ORIGIN, UPRIGHT } from './setting-tables.js';
import type { ShapeData, ShapePart } from './shape-data.js';
import { SHAPE_TYPES } from './shape-table.js';

/** The type of the message that asks the script of a world for pieces: it has a port, which Comlink answers. */
export const PIECES_MESSAGE = 'betwixt:pieces';

/** The parts of a compound shape. @throws RangeError if they cannot be: they may come from a file. */
export function partsOf({ parts, vertices, scale }: ShapeData): readonly ShapePart[] {
  if (parts !== undefined) return parts;
  const pieces: ShapePart[] = [];
  for (let at = 0; at < vertices.length;) {
    const [points = 0, triangles = 0] = vertices.subarray(at, at + 2);
    const middle = at + 2 + 3 * points;
    const end = middle + 3 * triangles;
    if (!(points > 0 && triangles > 0 && end <= vertices.length)) {
      throw new RangeError('the pieces of a mesh are damaged');
    }
    const indices = Uint32Array.from(vertices.subarray(middle, end));
    const hull = { vertices: vertices.subarray(at + 2, middle), indices, ...(scale && { scale }) };
    const shape = { type: SHAPE_TYPES.ConvexPolyhedron, sizes: [], ...hull };
    pieces.push({ shape, translation: ORIGIN, rotation: UPRIGHT });
    at = end;
  }
  return pieces;
}
