/** Runs a simulation in the thread of the page itself: the same loop, without a worker. */
import type { Endpoint } from 'comlink';
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import { ImmediateTurn, MessageChannelTurn } from './thread/event-loop-turn.js';
import { runSimulation } from './run-simulation.js';
import type { Simulation } from './api/simulation.js';

/** Stands for a worker, for `connect`. */
export interface LocalWorker {
  /** Takes the memory that page and simulation use together. A message would clone it. */
  readonly attachMemory: (buffer: ArrayBufferLike) => void;
  /** As of a `Worker`. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** As of a `Worker`. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** As of a `Worker`. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Ends the simulation. */
  terminate(): void;
}

/** Node's own; the library of types for workers does not know it. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/**
 * Runs a simulation in this very thread, for debugging, for servers and for places without workers:
 * `connect(() => runLocally(simulation))`. Its steps block the page; a simulation that hangs is not noticed, and what
 * it throws outside of its steps is an uncaught error of the page.
 *
 * Messages are cloned as between threads, so nothing works here that would not in a worker.
 *
 * @returns What to give to `connect`. A new one for each call of it.
 */
export function runLocally<C extends CommandMap, E extends EventMap, Q extends CommandMap>(
  simulation: Simulation<C, E, Q>,
): LocalWorker {
  const { port1: page, port2: worker } = new MessageChannel();
  let attachedMemory: ArrayBufferLike | undefined;
  runSimulation(simulation, {
    endpoint: worker as unknown as Endpoint,
    now: () => performance.now(),
    timeOrigin: performance.timeOrigin,
    createTurn: () =>
      typeof setImmediate === 'function'
        ? new ImmediateTurn(setImmediate)
        : new MessageChannelTurn(),
    attachedMemory: () => attachedMemory,
  });
  worker.start();
  page.start();
  return {
    attachMemory: (buffer) => {
      attachedMemory = buffer;
    },
    postMessage: (message, transfer = []) => page.postMessage(message, transfer),
    addEventListener: (type, listener) => page.addEventListener(type, listener),
    removeEventListener: (type, listener) => page.removeEventListener(type, listener),
    terminate: () => {
      page.close();
      worker.close();
    },
  };
}
