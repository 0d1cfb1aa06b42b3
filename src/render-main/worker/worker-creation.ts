/** Creates workers, and chooses a simulation's transport, with the reason. */
import type { Transport } from '../../shared/protocol/transport.js';
import { NotIsolatedError } from '../../shared/util/errors.js';
import type { ChosenTransport, CreateWorker, WorkerLike } from '../api/create-worker.js';

/** A worker that was created and has no listeners yet. */
export interface CreatedWorker {
  readonly worker: WorkerLike;
  readonly transport: ChosenTransport;
  /** See {@link bufferEvents}. */
  readonly takeEvents: () => readonly Event[];
  /** Explains why a script does not load, because the browser does not. Never rejects. */
  readonly whyNotLoaded: () => Promise<string>;
}

export const DID_NOT_LOAD = 'the worker script did not load';

const REASONS = {
  shared: 'This page may share memory with its worker.',
  local: 'The simulation runs in the thread of the page: there is no worker.',
};

let hasLogged = false;

/** @throws TypeError if it has no `postMessage`: JavaScript does not check what a function returns. */
function requireWorker(made: WorkerLike | undefined | null): WorkerLike {
  if (typeof made?.postMessage === 'function') return made;
  throw new TypeError(
    `createWorker must return a Worker, and returned ${made === undefined ? 'undefined: is a "return" missing?' : String(made)}`,
  );
}

/**
 * Creates the worker and chooses its transport.
 *
 * @throws NotIsolatedError if shared memory was requested and is not available.
 * @throws TypeError if `createWorker` returned no worker, or one that does not match the requested transport.
 * @throws WorkerFailedError if it may create none here.
 */
export async function createWith(
  createWorker: CreateWorker,
  wanted: Transport | 'auto',
): Promise<CreatedWorker> {
  if (wanted === 'shared') await requireIsolation();
  const hint = wanted === 'auto' ? (mayShareMemory() ? 'shared' : 'transfer') : wanted;
  const worker = requireWorker(await callCreateWorker(createWorker, hint));
  const created = {
    worker,
    takeEvents: bufferEvents(worker),
    whyNotLoaded: () =>
      loadDiagnosis().then(
        (part) => part.whyNotLoaded(() => createWorker(hint)),
        () => DID_NOT_LOAD,
      ),
  };
  const isLocal = worker.attachMemory !== undefined;
  if (wanted === 'auto') {
    const kind = isLocal ? 'local' : hint;
    const reason = kind === 'transfer' ? await reasonToSend() : REASONS[kind];
    logOnce(kind, reason);
    return { ...created, transport: { kind, reason } };
  }
  if (isLocal === (wanted === 'local')) {
    return { ...created, transport: { kind: wanted, reason: 'It was requested.' } };
  }
  worker.terminate();
  throw new TypeError(
    isLocal
      ? `transport '${wanted}' needs a worker, and createWorker returned what runLocally does: leave transport out`
      : "transport 'local' needs createWorker to return runLocally(simulation), of betwixt/local, and not a worker",
  );
}

const loadDiagnosis = () => import('./startup-errors.js');

/** @throws The error of `createWorker`, or one that explains it. */
async function callCreateWorker(createWorker: CreateWorker, hint: Transport): Promise<WorkerLike> {
  try {
    return await createWorker(hint);
  } catch (thrown) {
    const failedToCreate = await loadDiagnosis().then(
      (part) => part.failedToCreate,
      () => undefined,
    );
    throw failedToCreate?.(thrown) ?? thrown;
  }
}

async function reasonToSend(): Promise<string> {
  try {
    return (await loadDiagnosis()).reasonToSend(isIsolated());
  } catch {
    // The part that sends states will not load either, and its error says so.
    return '';
  }
}

/** On the console, for the page's developer. The preferred transport is not logged. */
function logOnce(kind: Transport, reason: string): void {
  if (kind === 'shared' || hasLogged) return;
  hasLogged = true;
  // oxlint-disable-next-line no-console
  console.info(`betwixt uses the transport '${kind}'. ${reason}`);
}

/** Whether the page's headers allow shared memory. */
function isIsolated(): boolean {
  // Node's threads share memory without any headers and have no such flag.
  return 'crossOriginIsolated' in globalThis ? globalThis.crossOriginIsolated : true;
}

function mayShareMemory(): boolean {
  // WebKitGTK isolates pages as their headers request, but still hides SharedArrayBuffer from them.
  return isIsolated() && typeof SharedArrayBuffer !== 'undefined';
}

/** @throws TypeError if it is not a function. */
export function requireCreateWorker(given: unknown): void {
  if (typeof given === 'function') return;
  throw new TypeError('createWorker must be a function that returns a Worker');
}

/** @throws NotIsolatedError naming the missing header and the response that lacks it. */
export async function requireIsolation(): Promise<void> {
  if (mayShareMemory()) return;
  const { diagnose } = await loadDiagnosis();
  throw new NotIsolatedError(await diagnose(isIsolated()));
}

/**
 * Events of the worker itself. Its messages come through a port; others belong to the application. Only Node has
 * `exit`: a browser does not report that a worker has closed itself.
 */
export const WORKER_EVENTS = ['error', 'exit'] as const;

/**
 * Buffers a worker's failures until a listener exists: the page may still be loading that code.
 *
 * @returns Returns them, in order, and stops listening: the caller must listen from the same task on.
 */
export function bufferEvents(worker: WorkerLike): () => readonly Event[] {
  const events: Event[] = [];
  const onEvent = (event: Event): void => void events.push(event);
  for (const type of WORKER_EVENTS) worker.addEventListener(type, onEvent);
  return () => {
    for (const type of WORKER_EVENTS) worker.removeEventListener(type, onEvent);
    return events.splice(0);
  };
}
