/** Cuts meshes into convex pieces. The script of a world does so in a worker that does nothing else. */
import { expose, type Endpoint } from 'comlink';
import { loadRapier } from '../../rapier/load-simd.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { WorkerHost } from '../../sim-worker/thread/host.js';
import { PIECES_MESSAGE } from '../shared/packed-pieces.js';

/** A mesh, and how it is cut. */
export interface PiecesOf {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
  /** As the engine takes them. Undefined: its own. */
  readonly parameters: object | undefined;
}

type Hull = InstanceType<Rapier['ConvexPolyhedron']>;

/** @returns As `partsOf` reads them. @throws Error if the mesh has no pieces. */
export async function findPieces(mesh: PiecesOf): Promise<Float32Array> {
  const { ColliderDesc } = await loadRapier();
  const desc = ColliderDesc.convexDecomposition(mesh.vertices, mesh.indices, mesh.parameters);
  if (desc === null)
    throw new Error('its triangles enclose no volume. Repair it, or take its hull');
  // The engine makes a compound shape of hulls that are in their places.
  const { shapes } = desc.shape as unknown as { readonly shapes: readonly Hull[] };
  const packed = shapes.flatMap(({ vertices, indices }) => {
    const [points, corners] = [Array.from(vertices), Array.from(indices ?? [])];
    return [points.length / 3, corners.length / 3].concat(points, corners);
  });
  return Float32Array.from(packed);
}

/** Answers pages that ask for pieces, through the port of their message. */
export function answerForPieces({ endpoint }: WorkerHost): void {
  endpoint.addEventListener('message', (event) => {
    const message = ((event as MessageEvent<unknown>).data ?? {}) as Record<string, unknown>;
    if (message['type'] === PIECES_MESSAGE) expose(findPieces, message['port'] as Endpoint);
  });
}
