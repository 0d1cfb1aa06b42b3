/** Chooses a simulation's transport, with the reason. */
import type { Transport } from '../../shared/protocol/transport.js';
import { isIsolated, mayShareMemory, requireIsolation } from './isolation.js';
import { BufferedEvents } from './buffered-events.js';
import type { ChosenTransport, CreateWorker, WorkerLike } from '../api/create-worker.js';

/** A worker that was created and has no listeners yet. */
export interface CreatedWorker {
  readonly worker: WorkerLike;
  readonly transport: ChosenTransport;
  /** Its events until it has listeners. */
  readonly bufferedEvents: BufferedEvents;
}

const REQUESTED = 'It was requested.';
const REASONS: Record<Transport, string> = {
  shared: 'This page may share memory with its worker.',
  transfer:
    'This page is not cross-origin isolated, so states are sent as messages, ' +
    'with a coarser clock. To share memory, send Cross-Origin-Opener-Policy: same-origin and ' +
    'Cross-Origin-Embedder-Policy: require-corp with the page and the worker script.',
  local: 'The simulation runs in the thread of the page: there is no worker.',
};
/** For `transfer` on a page that headers alone would not isolate. */
const NOT_SECURE =
  'This page was not loaded from a secure address (https, or localhost), so it cannot share memory: ' +
  'states are sent as messages instead.';
/** For `transfer` on a page whose headers are correct. */
const NO_SHARED_MEMORY =
  'This page is cross-origin isolated, but this browser does not provide SharedArrayBuffer: ' +
  'states are sent as messages instead.';

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
 */
export async function createWith(
  createWorker: CreateWorker,
  wanted: Transport | 'auto',
): Promise<CreatedWorker> {
  if (wanted === 'shared') await requireIsolation();
  const hint = wanted === 'auto' ? (mayShareMemory() ? 'shared' : 'transfer') : wanted;
  const worker = requireWorker(await createWorker(hint));
  const bufferedEvents = new BufferedEvents(worker);
  const isLocal = worker.attachMemory !== undefined;
  if (wanted === 'auto') {
    const kind = isLocal ? 'local' : hint;
    const reason = kind === 'transfer' ? reasonToSend() : REASONS[kind];
    logOnce(kind, reason);
    return { worker, transport: { kind, reason }, bufferedEvents };
  }
  if (isLocal !== (wanted === 'local')) {
    worker.terminate();
    throw new TypeError(
      isLocal
        ? `transport '${wanted}' needs a worker, and createWorker returned what runLocally does: leave transport out`
        : "transport 'local' needs createWorker to return runLocally(simulation), of betwixt/local, and not a worker",
    );
  }
  return { worker, transport: { kind: wanted, reason: REQUESTED }, bufferedEvents };
}

function reasonToSend(): string {
  if (isIsolated()) return NO_SHARED_MEMORY;
  return globalThis.isSecureContext === false ? NOT_SECURE : REASONS.transfer;
}

/** On the console, for the page's developer. The preferred transport is not logged. */
function logOnce(kind: Transport, reason: string): void {
  if (kind === 'shared' || hasLogged) return;
  hasLogged = true;
  // oxlint-disable-next-line no-console
  console.info(`betwixt uses the transport '${kind}'. ${reason}`);
}
