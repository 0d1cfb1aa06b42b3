/** Has workers compute pieces: one for each mesh, one mesh after another, once for equal ones. Loaded when the first is asked for. */
import { releaseProxy, wrap } from 'comlink';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import { loadedPart } from '../../shared/util/errors.js';
import {
  requireBoolean,
  requireInteger,
  requireKnownKeys,
  requireNumber,
} from '../../shared/util/validate.js';
import { PIECES_MESSAGE } from '../shared/packed-pieces.js';
import type { findPieces, PiecesOf } from '../worker/find-pieces.js';

let last: Promise<unknown> = Promise.resolve();

/** The least and the greatest value of each number. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  alpha: [0, 1],
  beta: [0, 1],
  concavity: [0, 1],
  planeDownsampling: [1, 2 ** 16],
  convexHullDownsampling: [1, 2 ** 16],
  maxConvexHulls: [1, 2 ** 16],
  resolution: [1, 1024],
};

/** By the functions that pages have loaded before: a table of `options.ts` adds 0.8 kB to each. */
function requireParameters(parameters: object): void {
  const all = [...Object.keys(RANGES), 'convexHullApproximation'];
  requireKnownKeys('convexDecomposition', parameters, all, { prefix: 'parameters.', all });
  for (const [name, value] of Object.entries(parameters)) {
    const [low, high] = RANGES[name] ?? [];
    if (value === undefined) continue;
    if (low === undefined || high === undefined) requireBoolean(`parameters.${name}`, value);
    // Shares have no whole numbers.
    else (high === 1 ? requireNumber : requireInteger)(`parameters.${name}`, value, low, high);
  }
}

/** Equal meshes have the same pieces: those that were computed last, by all that they depend on, the oldest first. */
const known = new Map<string, ReturnType<typeof findPieces>>();
const MOST_KNOWN = 64;

/**
 * @param name Of the mesh, for errors.
 * @param create Undefined, or if it makes no worker: this thread computes.
 * @throws TypeError, RangeError for a wrong parameter, or if there are no pieces; Error if the worker does not load or fails.
 */
export async function computePieces(
  mesh: PiecesOf,
  name: string,
  create: CreateWorker | undefined,
): Promise<Float32Array> {
  const { vertices, indices, parameters } = mesh;
  requireParameters(parameters ?? {});
  const key = [JSON.stringify(parameters), vertices.join(), indices.join()].join(';');
  let packed = known.get(key);
  if (packed === undefined) {
    packed = last.then(() => ask(mesh, create));
    last = packed.catch(() => {});
    known.set(key, packed);
  }
  const [oldest = key] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
  const found = await packed.catch((cause: unknown) => {
    // The next description tries again.
    known.delete(key);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the pieces of ${name} cannot be computed: ${why}`, { cause });
  });
  if (found !== undefined) return found;
  throw new RangeError(
    `${name} has no pieces: its triangles enclose no volume. Repair it, or take its hull`,
  );
}

async function ask(
  mesh: PiecesOf,
  create: CreateWorker | undefined,
): ReturnType<typeof findPieces> {
  const worker = await create?.('transfer');
  const { port1, port2 } = new MessageChannel();
  // Comlink closes the port of a proxy that nothing holds any longer.
  const pieces = wrap<typeof findPieces>(port1);
  try {
    if (worker === undefined || worker.attachMemory !== undefined) {
      const own = await loadedPart(import('../worker/find-pieces.js'));
      return await own.findPieces(mesh);
    }
    const failed = new Promise<never>((_, reject) => {
      for (const type of ['error', 'exit'] as const) {
        worker.addEventListener(type, ({ message = '' }: Partial<ErrorEvent>) =>
          reject(new Error(`the worker did not load, or has ended. ${message}`.trim())),
        );
      }
    });
    worker.postMessage({ type: PIECES_MESSAGE, port: port2 }, [port2]);
    return await Promise.race([failed, pieces(mesh)]);
  } finally {
    pieces[releaseProxy]();
    port1.close();
    worker?.terminate();
  }
}
