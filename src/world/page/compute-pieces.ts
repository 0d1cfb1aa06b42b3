/**
 * Has a worker compute pieces, one mesh after another, once for equal ones, and ends it when none is asked for. Loaded when the
 * first is.
 */
import type { CreateWorker, WorkerLike } from '../../render-main/api/create-worker.js';
import { withResolvers } from '../../render-main/util/promises.js';
import { loadedPart } from '../../shared/util/errors.js';
import {
  requireBoolean,
  requireInteger,
  requireKnownKeys,
  requireNumber,
} from '../../shared/util/validate.js';
import { PIECES_MESSAGE, type PiecesAnswer, type PiecesOf } from '../shared/pieces-request.js';
import type { VHACDParameters } from './pieces.js';

interface Running {
  readonly create: CreateWorker;
  readonly worker: WorkerLike;
}

let running: Running | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

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

/** By mesh and parameters: equal meshes have the same pieces. */
const known = new Map<string, Promise<Float32Array>>();
const MOST_KNOWN = 256;

/**
 * @param create Undefined: there are no workers here, and this thread computes them.
 * @throws TypeError, RangeError for a wrong parameter, or if there are no pieces; Error if the worker does not load or fails.
 */
export async function computePieces(
  { vertices, indices, parameters, name = `a mesh of ${indices.length / 3} triangles` }: NamedMesh,
  create: CreateWorker | undefined,
  hash: (contents: ArrayBufferView) => string,
): Promise<Float32Array> {
  if (parameters !== undefined) checkParameters(parameters);
  const key = hash(vertices) + hash(indices) + JSON.stringify(parameters);
  const computing = known.get(key) ?? compute(name, { vertices, indices, parameters }, create);
  known.set(key, computing);
  const [oldest = ''] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
  try {
    return await computing;
  } catch (error) {
    // The next description tries again.
    known.delete(key);
    throw error;
  }
}

async function compute(
  name: string,
  mesh: PiecesOf,
  create: CreateWorker | undefined,
): Promise<Float32Array> {
  const answer = create === undefined ? computeHere(mesh) : inTurn(mesh, create);
  const packed = await answer.catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the pieces of ${name} cannot be computed: ${why}`, { cause });
  });
  if (packed !== undefined) return packed;
  throw new RangeError(
    `${name} has no pieces: its triangles enclose no volume. Repair it, or take its hull`,
  );
}

async function computeHere(mesh: PiecesOf): Promise<Float32Array | undefined> {
  const { findPieces } = await loadedPart(import('../worker/find-pieces.js'));
  return await findPieces(mesh);
}

function inTurn(mesh: PiecesOf, create: CreateWorker): Promise<Float32Array | undefined> {
  waiting += 1;
  const answer = last.then(() => ask(mesh, create));
  last = answer
    .catch(() => end())
    .then(() => {
      waiting -= 1;
      if (waiting === 0) end();
    });
  return answer;
}

async function ask(mesh: PiecesOf, create: CreateWorker): Promise<Float32Array | undefined> {
  if (running?.create !== create) {
    end();
    running = { create, worker: await create('transfer') };
  }
  const { worker } = running;
  // Its world is in this thread, too.
  if (worker.attachMemory !== undefined) return computeHere(mesh);
  const { port1, port2 } = new MessageChannel();
  const asked = withResolvers<PiecesAnswer>();
  const fail = ({ message = '' }: Partial<ErrorEvent>): void =>
    asked.reject(new Error(`the worker did not load, or has ended. ${message}`.trim()));
  port1.onmessage = ({ data }: MessageEvent<PiecesAnswer>) => asked.resolve(data);
  for (const type of ENDS) worker.addEventListener(type, fail);
  try {
    worker.postMessage({ type: PIECES_MESSAGE, port: port2, ...mesh }, [port2]);
    const answer = await asked.promise;
    if ('error' in answer) throw new Error(answer.error);
    return answer.packed;
  } finally {
    for (const type of ENDS) worker.removeEventListener(type, fail);
    port1.close();
  }
}

const ENDS = ['error', 'exit'] as const;

function end(): void {
  running?.worker.terminate();
  running = undefined;
}
