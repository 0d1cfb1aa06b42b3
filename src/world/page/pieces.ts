/** Convex pieces of concave meshes, for bodies that move: computed when something first needs them. */
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import { loadedPart } from '../../shared/util/errors.js';
import type { ShapeData } from '../shared/shape-data.js';
import { SHAPES } from '../shared/shape-table.js';
import { checkedShape, requireVolume } from './checked-shapes.js';

/** How `ColliderDesc.convexDecomposition` cuts a mesh, with Rapier's names. Default of each: the engine's. */
export interface VHACDParameters {
  /** From 0 to 1: how much it prefers to cut along planes of symmetry. */
  readonly alpha?: number | undefined;
  /** From 0 to 1: how much it prefers to cut along planes of revolution. */
  readonly beta?: number | undefined;
  /** From 0 to 1: how concave a piece may be. With less there are more pieces, which fit better. */
  readonly concavity?: number | undefined;
  /** From 1: with more, it tries fewer planes. */
  readonly planeDownsampling?: number | undefined;
  /** From 1: with more, hulls are computed from fewer cells. */
  readonly convexHullDownsampling?: number | undefined;
  /** From 1: limits the pieces; the engine makes somewhat more. */
  readonly maxConvexHulls?: number | undefined;
  /** From 1 to 1024: cells along the mesh. With more, the pieces fit better; 256 take many seconds. */
  readonly resolution?: number | undefined;
  /** Whether hulls are approximate, which is much faster. */
  readonly convexHullApproximation?: boolean | undefined;
}

/** Creates workers, which run the same script as those of worlds. Undefined: there never was a world, and this thread computes. */
let createWorker: CreateWorker | undefined;

export function setPiecesWorker(create: CreateWorker): void {
  createWorker = create;
}

/**
 * @param name Of the mesh, for errors.
 * @throws TypeError, RangeError for an invalid mesh.
 */
export function piecesOf(
  vertices: ArrayLike<number>,
  indices: ArrayLike<number>,
  parameters?: VHACDParameters,
  name = `a mesh of ${indices.length / 3} triangles`,
): ShapeData {
  const shape = checkedShape('TriMesh', vertices, indices);
  requireVolume(shape.vertices);
  const mesh = { vertices: shape.vertices, indices: shape.indices, parameters };
  const compute = async (): Promise<void> => {
    const { computePieces } = await loadedPart(import('./computed-pieces.js'));
    pieces.packed = await computePieces(mesh, name, createWorker);
  };
  let ready: Promise<void> | undefined;
  const pieces = {
    packed: undefined as Float32Array | undefined,
    ready: () => (ready ??= compute()),
  };
  return { ...shape, type: SHAPES.Compound.type, pieces };
}
