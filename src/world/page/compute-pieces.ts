/** Has a worker compute pieces, one mesh after another, and ends it when none is asked for. Loaded when the first is. */
import type { CreateWorker, WorkerLike } from '../../render-main/api/create-worker.js';
import { withResolvers } from '../../render-main/util/promises.js';
import { loadedPart } from '../../shared/util/errors.js';
import { PIECES_MESSAGE, type PiecesAnswer, type PiecesOf } from '../shared/packed-pieces.js';

interface Running {
  readonly create: CreateWorker;
  readonly worker: WorkerLike;
}

let running: Running | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** A mesh, with the name that errors say. */
export interface NamedMesh extends PiecesOf {
  readonly name: string;
}

/**
 * @param create Undefined: there are no workers here, and this thread computes them.
 * @throws Error if the worker does not load or fails; RangeError if there are no pieces.
 */
export async function computePieces(
  { name, ...mesh }: NamedMesh,
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
