/** The worker's entry: one call at the end of an application's worker script. */
import { expose, type Endpoint } from 'comlink';
import type { CommandMap } from '../shared/control-protocol.js';
import type { EventMap } from '../shared/simulation-event.js';
import { createControlServer } from './control-server.js';
import { browserHost, type WorkerHost } from './host.js';
import type { Simulation } from './simulation.js';

/**
 * Runs a simulation in this worker, under the control of the page that called `connect`.
 *
 * Returns at once; the page starts it. Call it while the script is first evaluated, not after an
 * `await`, or the page's first message finds nobody.
 *
 * @param host Where it runs; the browser's dedicated worker when left out.
 * @throws TypeError if the simulation has no `init` or no `step`.
 * @returns The simulation, so that its type can be exported: `export type Sim = typeof simulation`.
 */
export function runSimulation<C extends CommandMap, E extends EventMap>(
  simulation: Simulation<C, E>,
  host: WorkerHost = browserHost(),
): Simulation<C, E> {
  requireFunctions(simulation);
  let received = 0;
  let beforeCall: (() => void) | undefined;
  const { endpoint } = host;
  // Before Comlink's own listener, so that a call is counted when its handler runs.
  endpoint.addEventListener('message', (event) => {
    if (!isControlMessage((event as MessageEvent<unknown>).data)) return;
    received = (received + 1) | 0;
    beforeCall?.();
  });
  const server = createControlServer({
    host,
    simulation: simulation as Simulation,
    messagesReceived: () => received,
    onCall: (before) => {
      beforeCall = before;
    },
    post: (message, transfer = []) => endpoint.postMessage(message, transfer),
  });
  expose(server, endpoint as Endpoint);
  return simulation;
}

/** Without types nothing else tells, and the first tick would say it in words of this library's. */
function requireFunctions(simulation: object): void {
  for (const name of ['init', 'step'] as const) {
    if (typeof (simulation as Partial<Record<typeof name, unknown>>)[name] === 'function') continue;
    throw new TypeError(
      `the simulation must have a function ${name}: runSimulation({ init, step })`,
    );
  }
}

/** Whether it is one of Comlink's calls, for which the page rang: an application may post messages too. */
function isControlMessage(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'id' in data && 'type' in data;
}
