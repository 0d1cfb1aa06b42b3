/** Has workers compute pieces: one for each mesh, one mesh after another, once for equal ones. Loaded when the first is asked for. */
import { releaseProxy, wrap } from 'comlink';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import { loadedPart } from '../../shared/util/errors.js';
import { PIECES_MESSAGE } from '../shared/packed-pieces.js';
import type { findPieces, PiecesOf } from '../worker/find-pieces.js';

let last: Promise<unknown> = Promise.resolve();

/** Equal meshes have the same pieces: those of the last meshes, by all that they depend on, the oldest first. */
const known = new Map<string, Promise<Float32Array>>();
const MOST_KNOWN = 64;

/**
 * @param name Of the mesh, for errors.
 * @param create Undefined, or if it makes no worker: this thread computes.
 * @throws Error if there are no pieces, or the worker does not load or fails.
 */
export async function computePieces(
  mesh: PiecesOf,
  name: string,
  create: CreateWorker | undefined,
): Promise<Float32Array> {
  const { vertices, indices, parameters } = mesh;
  const key = [vertices.join(), indices.join(), JSON.stringify(parameters)].join(';');
  let packed = known.get(key);
  if (packed === undefined) {
    packed = last.then(() => ask(mesh, create));
    // The next description tries again.
    last = packed.catch(() => known.delete(key));
    known.set(key, packed);
    for (const oldest of known.keys()) if (known.size > MOST_KNOWN) known.delete(oldest);
  }
  return packed.catch((cause: Error) => {
    throw new Error(`the pieces of ${name} cannot be computed: ${cause.message}`, { cause });
  });
}

async function ask(mesh: PiecesOf, create: CreateWorker | undefined): Promise<Float32Array> {
  const worker = await create?.('transfer');
  if (worker === undefined || worker.attachMemory !== undefined) {
    return (await loadedPart(import('../worker/find-pieces.js'))).findPieces(mesh);
  }
  const { port1, port2 } = new MessageChannel();
  // Comlink closes the port of a proxy that nothing holds any longer.
  const pieces = wrap<typeof findPieces>(port1);
  const failed = new Promise<never>((_, reject) => {
    const fail = ({ message = '' }: Partial<ErrorEvent>) =>
      reject(new Error(`the worker did not load, or has ended. ${message}`.trim()));
    worker.addEventListener('error', fail);
    worker.addEventListener('exit', fail);
  });
  worker.postMessage({ type: PIECES_MESSAGE, port: port2 }, [port2]);
  try {
    return await Promise.race([failed, pieces(mesh)]);
  } finally {
    pieces[releaseProxy]();
    worker.terminate();
  }
}
