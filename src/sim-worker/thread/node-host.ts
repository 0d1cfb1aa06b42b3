/** Runs the loop in a Node worker thread: tests, tools and servers use the same code as the browser. */
import type { Endpoint } from 'comlink';
import { NodeEvents, type NodeEmitter } from '../../shared/protocol/node-events.js';
import { ImmediateTurn } from './event-loop-turn.js';
import type { WorkerHost } from './host.js';

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
  return {
    endpoint: endpoint as unknown as Endpoint,
    now: () => performance.now(),
    timeOrigin: performance.timeOrigin,
    createTurn: () => new ImmediateTurn(setImmediate),
  };
}
