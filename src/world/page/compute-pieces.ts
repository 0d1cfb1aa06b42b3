/** Has workers compute pieces: one for each mesh, one mesh after another, once for equal ones. Loaded when the first is asked for. */
import type { CreateWorker, WorkerLike } from '../../render-main/api/create-worker.js';
import { withResolvers } from '../../render-main/util/promises.js';
import {
  requireBoolean,
  requireInteger,
  requireKnownKeys,
  requireNumber,
} from '../../shared/util/validate.js';
import { PIECES_MESSAGE, type PiecesAnswer, type PiecesOf } from '../shared/pieces-request.js';
import type { FindingSimulation } from '../worker/find-pieces.js';
import type { VHACDParameters } from './pieces.js';

let last: Promise<unknown> = Promise.resolve();

/** A mesh, with the name that errors say. */
export interface NamedMesh extends PiecesOf {
  readonly name: string | undefined;
  readonly parameters: VHACDParameters | undefined;
}

/** The ranges of numbers. */
const RANGES = {
  alpha: [0, 1],
  beta: [0, 1],
  concavity: [0, 1],
  planeDownsampling: [1, 2 ** 16],
  convexHullDownsampling: [1, 2 ** 16],
  maxConvexHulls: [1, 2 ** 16],
  resolution: [1, 1024],
} as const;

/** @throws TypeError, RangeError naming the first that is unknown or wrong. */
function checkParameters(parameters: VHACDParameters): void {
  const all = [...Object.keys(RANGES), 'convexHullApproximation'];
  requireKnownKeys('convexDecomposition', parameters, all, { prefix: 'parameters.', all });
  for (const [name, [low, high]] of Object.entries(RANGES)) {
    const value = parameters[name as keyof typeof RANGES];
    // Shares have no whole numbers.
    const check = high === 1 ? requireNumber : requireInteger;
    if (value !== undefined) check(`parameters.${name}`, value, low, high);
  }
  const { convexHullApproximation } = parameters;
  if (convexHullApproximation !== undefined)
    requireBoolean('parameters.convexHullApproximation', convexHullApproximation);
}

/** Equal meshes have the same pieces: those that were computed last, by all that they depend on, the oldest first. */
const known = new Map<string, Promise<Float32Array>>();
const MOST_KNOWN = 64;

/**
 * @param create Undefined: there never was a world.
 * @throws TypeError, RangeError for a wrong parameter, or if there are no pieces; Error if the worker does not load or fails.
 */
export async function computePieces(
  mesh: NamedMesh,
  create: CreateWorker | undefined,
): Promise<Float32Array> {
  const { vertices, indices, parameters } = mesh;
  if (parameters !== undefined) checkParameters(parameters);
  const key = [JSON.stringify(parameters), vertices.join(), indices.join()].join(';');
  const packed = known.get(key) ?? compute(mesh, create);
  known.set(key, packed);
  const [oldest = key] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
  // The next description tries again.
  packed.catch(() => known.delete(key));
  return await packed;
}

async function compute(
  { vertices, indices, parameters, name = `a mesh of ${indices.length / 3} triangles` }: NamedMesh,
  create: CreateWorker | undefined,
): Promise<Float32Array> {
  if (create === undefined) throw new Error(`the pieces of ${name} need a world: call createWorld`);
  const packed = await inTurn({ vertices, indices, parameters }, create).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the pieces of ${name} cannot be computed: ${why}`, { cause });
  });
  if (packed !== undefined) return packed;
  throw new RangeError(
    `${name} has no pieces: its triangles enclose no volume. Repair it, or take its hull`,
  );
}

function inTurn(mesh: PiecesOf, create: CreateWorker): Promise<Float32Array | undefined> {
  const answer = last.then(async () => {
    const worker = await create('transfer');
    return await ask(mesh, worker).finally(() => worker.terminate());
  });
  last = answer.catch(() => {});
  return answer;
}

async function ask(mesh: PiecesOf, worker: WorkerLike): Promise<Float32Array | undefined> {
  // Where there are no workers, it is a world in this thread.
  const { simulation } = worker as { readonly simulation?: Partial<FindingSimulation> };
  if (simulation?.findPieces !== undefined) return await simulation.findPieces(mesh);
  const { port1, port2 } = new MessageChannel();
  const asked = withResolvers<PiecesAnswer>();
  port1.onmessage = ({ data }: MessageEvent<PiecesAnswer>) => asked.resolve(data);
  for (const type of ['error', 'exit'] as const) {
    worker.addEventListener(type, ({ message = '' }: Partial<ErrorEvent>) =>
      asked.reject(new Error(`the worker did not load, or has ended. ${message}`.trim())),
    );
  }
  worker.postMessage({ type: PIECES_MESSAGE, port: port2, ...mesh }, [port2]);
  const answer = await asked.promise.finally(() => port1.close());
  if ('error' in answer) throw new Error(answer.error);
  return answer.packed;
}
