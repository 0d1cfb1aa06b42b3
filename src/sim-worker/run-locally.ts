/** Runs a simulation in the page's own thread: the same loop, without a worker. */
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import { createOwnTurn, hostAt } from './thread/host.js';
import { runSimulation } from './run-simulation.js';
import type { Simulation } from './api/simulation.js';

/** Takes the place of a worker in `connect`. */
export interface LocalWorker {
  /** The simulation that runs. */
  readonly simulation: object;
  /** Attaches the memory shared by page and simulation. A message would clone it. */
  readonly attachMemory: (buffer: ArrayBufferLike) => void;
  /** Like `Worker.postMessage`. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** Like `Worker.addEventListener`. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Like `Worker.removeEventListener`. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Ends the simulation. */
  terminate(): void;
}

/**
 * Runs a simulation in the calling thread, for debugging, servers and environments without workers: `connect(() =>
 * runLocally(simulation))`. Its steps block the page. A hanging simulation is not detected, and errors that it throws
 * outside its steps are uncaught errors of the page.
 *
 * Messages are cloned as between threads, so what simulation and page exchange here, they can exchange with a worker between
 * them. One thing works here alone: functions of the page that run within the ticks of a world, as `World.addStepHooks` says.
 *
 * @returns The argument for `connect`; each call to `connect` needs a new one.
 */
export function runLocally<C extends CommandMap, E extends EventMap, Q extends CommandMap>(
  simulation: Simulation<C, E, Q>,
): LocalWorker {
  const { port1: page, port2: worker } = new MessageChannel();
  let attachedMemory: ArrayBufferLike | undefined;
  runSimulation(simulation, {
    ...hostAt(worker, createOwnTurn),
    attachedMemory: () => attachedMemory,
  });
  worker.start();
  page.start();
  return {
    simulation,
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
