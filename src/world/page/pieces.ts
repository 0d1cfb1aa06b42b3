/** Convex pieces of concave meshes, for bodies that move: computed once for equal meshes, when something first needs them. */
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import { assetName } from '../../shared/recording/asset.js';
import { loadedPart } from '../../shared/util/errors.js';
import { flag, group, integer, number, optional } from '../../shared/util/options.js';
import { settled, type PendingPieces, type ShapeData } from '../shared/shape-data.js';
import { checkedMesh } from './checked-shapes.js';
import type { NamedMesh } from './compute-pieces.js';

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

const share = optional(number(0, 1));
const count = optional(integer(1, 2 ** 16));
const PARAMETERS = group('convexDecomposition', {
  alpha: share,
  beta: share,
  concavity: share,
  planeDownsampling: count,
  convexHullDownsampling: count,
  maxConvexHulls: count,
  resolution: optional(integer(1, 1024)),
  convexHullApproximation: optional(flag()),
});

/** Creates workers, which run the same script as those of worlds. Undefined: there are none here. */
let createWorker: CreateWorker | undefined;

export function setPiecesWorker(create: CreateWorker | undefined): void {
  createWorker = create;
}

/** By mesh and parameters. */
const known = new Map<string, Pieces>();
const MOST_KNOWN = 256;

class Pieces implements PendingPieces {
  packed: Float32Array | undefined;
  readonly #mesh: NamedMesh;
  readonly #key: string;
  #ready: Promise<void> | undefined;

  constructor(mesh: NamedMesh, key: string) {
    this.#mesh = mesh;
    this.#key = key;
    known.set(key, this);
    const [oldest = ''] = known.keys();
    if (known.size > MOST_KNOWN) known.delete(oldest);
  }

  get ready(): Promise<void> {
    this.#ready ??= this.#compute();
    return this.#ready;
  }

  async #compute(): Promise<void> {
    try {
      const { computePieces } = await loadedPart(import('./compute-pieces.js'));
      this.packed = await computePieces(this.#mesh, createWorker);
    } catch (error) {
      // The next description tries again.
      known.delete(this.#key);
      throw error;
    }
  }
}

/**
 * @param name Of the mesh, for errors.
 * @throws TypeError, RangeError for an invalid mesh or parameter.
 */
export function piecesOf(
  vertices: ArrayLike<number>,
  indices: ArrayLike<number>,
  parameters?: VHACDParameters,
  name = `a mesh of ${indices.length / 3} triangles`,
): ShapeData {
  const shape = checkedMesh(vertices, indices);
  const checked = parameters && PARAMETERS('parameters', parameters);
  const key = assetName(shape.vertices) + assetName(shape.indices) + JSON.stringify(checked);
  const mesh = { name, vertices: shape.vertices, indices: shape.indices, parameters: checked };
  return settled({ ...shape, pieces: known.get(key) ?? new Pieces(mesh, key) });
}
