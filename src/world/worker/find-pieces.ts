/** Cuts meshes into convex pieces. The script of a world does so in a worker that does nothing else. */
import { loadRapier } from '../../rapier/load-simd.js';
import type { WorkerHost } from '../../sim-worker/thread/host.js';
import {
  packPieces,
  PIECES_MESSAGE,
  type PiecesAnswer,
  type PiecesOf,
  type PiecesRequest,
} from '../shared/packed-pieces.js';

/** @returns As in the answer. */
export async function findPieces({
  vertices,
  indices,
  parameters,
}: PiecesOf): Promise<Float32Array | undefined> {
  const { ColliderDesc } = await loadRapier();
  const desc = ColliderDesc.convexDecomposition(vertices, indices, parameters);
  // The engine makes a compound shape of hulls that are in their places.
  const found = desc?.shape as { readonly shapes?: Parameters<typeof packPieces>[0] } | undefined;
  return found?.shapes && packPieces(found.shapes);
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
