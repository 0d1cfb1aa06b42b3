/** Cuts meshes into convex pieces. The script of a world does so in a worker that does nothing else. */
import { loadRapier } from '../../rapier/load-simd.js';
import type { WorkerHost } from '../../sim-worker/thread/host.js';
import {
  PIECES_MESSAGE,
  type PiecesAnswer,
  type PiecesOf,
  type PiecesRequest,
} from '../shared/pieces-request.js';

interface HullOfEngine {
  readonly vertices: ArrayLike<number>;
  readonly indices?: ArrayLike<number> | null;
}

/** As `partsOf` reads them. */
const packPieces = (hulls: readonly HullOfEngine[]): Float32Array =>
  Float32Array.from(
    hulls.flatMap(({ vertices, indices }) => [
      vertices.length / 3,
      (indices?.length ?? 0) / 3,
      ...Array.from(vertices),
      ...Array.from(indices ?? []),
    ]),
  );

/** @returns As in the answer. */
export async function findPieces({
  vertices,
  indices,
  parameters,
}: PiecesOf): Promise<Float32Array | undefined> {
  const { ColliderDesc } = await loadRapier();
  const desc = ColliderDesc.convexDecomposition(vertices, indices, parameters);
  // The engine makes a compound shape of hulls that are in their places.
  const found = desc?.shape as { readonly shapes?: readonly HullOfEngine[] } | undefined;
  return found?.shapes && packPieces(found.shapes);
}

/** A simulation of a world, in whatever thread. */
export interface FindingSimulation {
  readonly findPieces: typeof findPieces;
}

/** Answers requests for pieces, one after another. */
export function answerForPieces({ endpoint }: WorkerHost): void {
  endpoint.addEventListener('message', (event) => {
    const request = ((event as MessageEvent<unknown>).data ?? {}) as Partial<PiecesRequest>;
    if (request.type !== PIECES_MESSAGE) return;
    const { port, ...mesh } = request as PiecesRequest;
    findPieces(mesh).then(
      (packed) => port.postMessage({ packed }),
      (error: unknown) => port.postMessage({ error: String(error) } satisfies PiecesAnswer),
    );
  });
}
