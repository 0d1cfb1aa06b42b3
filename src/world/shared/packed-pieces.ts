/**
 * Convex pieces of a mesh in one array, which is one asset, and the message that asks a worker for them. For each piece, the array
 * has the numbers of its points and of its triangles, three numbers for each point, and three indices for each triangle.
 */
import { ORIGIN, UPRIGHT } from './setting-tables.js';
import type { ShapeData, ShapePart } from './shape-data.js';
import { SHAPE_TYPES } from './shape-table.js';

export const PIECES_MESSAGE = 'betwixt:pieces';

/** A mesh, and how it is cut. */
export interface PiecesOf {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
  /** As the engine takes them. Undefined: its own. */
  readonly parameters: object | undefined;
}

/** Asks the script of a world for pieces. The answer comes through the port. */
export interface PiecesRequest extends PiecesOf {
  readonly type: typeof PIECES_MESSAGE;
  readonly port: { postMessage(answer: PiecesAnswer): void };
}

/** Undefined: the mesh has no pieces. */
export type PiecesAnswer =
  | { readonly packed: Float32Array | undefined }
  | { readonly error: string };

interface PackedHull {
  readonly vertices: ArrayLike<number>;
  readonly indices?: ArrayLike<number> | null;
}

export const packPieces = (hulls: readonly PackedHull[]): Float32Array =>
  Float32Array.from(
    hulls.flatMap(({ vertices, indices }) => [
      vertices.length / 3,
      (indices?.length ?? 0) / 3,
      ...Array.from(vertices),
      ...Array.from(indices ?? []),
    ]),
  );

/** The parts of a compound shape. @throws RangeError if they cannot be: they may come from a file. */
export function partsOf({
  parts,
  vertices,
  scale = { x: 1, y: 1, z: 1 },
}: ShapeData): readonly ShapePart[] {
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
    // A mirrored hull would be inside out.
    if (scale.x * scale.y * scale.z < 0) indices.reverse();
    const hull = { vertices: vertices.subarray(at + 2, middle), indices, scale };
    const shape = { type: SHAPE_TYPES.ConvexPolyhedron, sizes: [], ...hull };
    pieces.push({ shape, translation: ORIGIN, rotation: UPRIGHT });
    at = end;
  }
  return pieces;
}
