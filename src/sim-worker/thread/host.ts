/** What the loop needs from its thread: a browser's worker, or a Node worker thread. */
import type { Endpoint } from 'comlink';
import { NodeEvents, type NodeEmitter } from '../../shared/protocol/node-events.js';
import { MessageChannelTurn, immediateTurn, type EventLoopTurn } from './event-loop-turn.js';

/** The thread that a simulation runs in. Created by {@link browserHost} or {@link nodeHost}. */
export interface WorkerHost {
  /** Receives the page's first message, with the port for all further messages. */
  readonly endpoint: Endpoint;
  /** This thread's own clock, in ms. */
  readonly now: () => number;
  /** Wall-clock time at which the clock was zero, in ms. */
  readonly timeOrigin: number;
  /** Creates the way to let queued messages run in this thread. */
  createTurn(): EventLoopTurn;
  /** Shows the developer what the simulation threw. Left out where the page shows the same error in the same place. */
  readonly logError?: (what: string, error: unknown) => void;
  /** The page's memory, if the page and the simulation run in one thread. */
  readonly attachedMemory?: () => ArrayBufferLike | undefined;
}

/** A host whose clock is this thread's. */
export const hostAt = (endpoint: unknown, createTurn: () => EventLoopTurn): WorkerHost => ({
  endpoint: endpoint as Endpoint,
  now: () => performance.now(),
  timeOrigin: performance.timeOrigin,
  createTurn,
});

/** The dedicated worker that this code runs in. */
export const browserHost = (): WorkerHost => ({
  ...hostAt(self, () => new MessageChannelTurn()),
  // The error itself, and not a copy: with it, developer tools find the source.
  // oxlint-disable-next-line no-console
  logError: (what, error) => console.error(`betwixt: ${what}`, error),
});

/** Node only; the type library for workers does not include it. */
declare const setImmediate: (callback: () => void) => unknown;

/** @param parentPort `parentPort` of `node:worker_threads`. */
export function nodeHost(parentPort: NodeEmitter): WorkerHost {
  const events = new NodeEvents(parentPort);
  const endpoint = {
    postMessage: (message: unknown, transfer: readonly never[] = []) =>
      parentPort.postMessage(message, transfer),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  return hostAt(endpoint, () => immediateTurn(setImmediate));
}
