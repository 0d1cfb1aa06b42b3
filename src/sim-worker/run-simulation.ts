/** The worker's entry point: one call at the end of an application's worker script. */
import { expose, type Endpoint } from 'comlink';
import {
  PORT_MESSAGE,
  type CommandMap,
  type WorkerControl,
} from '../shared/protocol/control-protocol.js';
import type { Json } from '../shared/util/json.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import type { Post } from './loop/assembly.js';
import { createControlServer, PageCalls } from './loop/control-server.js';
import { browserHost, type WorkerHost } from './thread/host.js';
import type { Simulation } from './api/simulation.js';

/**
 * Runs a simulation in this worker, controlled by the page that called `connect`.
 *
 * Returns immediately; the page starts the simulation. Call it while the script is first evaluated, not after an
 * `await`, or the page's first message is lost. That message brings a port for all further messages, so the worker's
 * own messages belong to the application.
 *
 * @param host The thread it runs in; the browser's dedicated worker when left out.
 * @throws TypeError if the simulation has no `init` or no `step`.
 * @returns The simulation, so that its type can be exported: `export type Sim = typeof simulation`.
 */
export function runSimulation<
  C extends CommandMap,
  E extends EventMap,
  Q extends CommandMap,
  T extends Json = Json,
>(simulation: Simulation<C, E, Q, T>, host: WorkerHost = browserHost()): Simulation<C, E, Q, T> {
  requireFunctions(simulation);
  let server: WorkerControl | undefined;
  host.endpoint.addEventListener('message', (event) => {
    const port = portIn((event as MessageEvent<unknown>).data);
    if (port === undefined) return;
    // There is only one simulation: a second page gets an error that says so.
    if (server !== undefined) expose(server, port);
    else server = serve(simulation as Simulation, { ...host, endpoint: port });
  });
  return simulation;
}

/** @param host Its endpoint is the port sent by the page. */
function serve(simulation: Simulation, host: WorkerHost): WorkerControl {
  const { endpoint } = host;
  const post: Post = (message, transfer = []) => endpoint.postMessage(message, transfer);
  const calls = new PageCalls(endpoint);
  const server = calls.counted(createControlServer({ host, simulation, calls, post }));
  expose(server, endpoint);
  return server;
}

/** Returns the port in the page's first message. All other messages in this scope belong to the application. */
function portIn(data: unknown): Endpoint | undefined {
  const { type, port } = (data ?? {}) as { readonly type?: unknown; readonly port?: Endpoint };
  // Messages cannot contain functions, so only a port has one.
  return type === PORT_MESSAGE && typeof port?.postMessage === 'function' ? port : undefined;
}

/** Without types, nothing else checks this, and the first tick would fail with an error about internals. */
function requireFunctions(simulation: object): void {
  for (const name of ['init', 'step'] as const) {
    if (typeof (simulation as Partial<Record<typeof name, unknown>>)[name] === 'function') continue;
    throw new TypeError(
      `the simulation must have a function ${name}: runSimulation({ init, step })`,
    );
  }
}
