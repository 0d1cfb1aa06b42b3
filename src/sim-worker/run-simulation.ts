/** The worker's entry: one call at the end of an application's worker script. */
import { expose, type Endpoint } from 'comlink';
import {
  PORT_MESSAGE,
  type CommandMap,
  type WorkerControl,
} from '../shared/protocol/control-protocol.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import { isPageUpdate } from '../shared/protocol/transport.js';
import { createControlServer, type ControlServerParts } from './loop/control-server.js';
import { browserHost, type WorkerHost } from './thread/host.js';
import { wrongInPageMessage } from './thread/page-messages.js';
import type { Simulation } from './api/simulation.js';
import { thrownError } from './run/thrown-error.js';
import { PageCalls } from './thread/page-calls.js';

/**
 * Runs a simulation in this worker, under the control of the page that called `connect`.
 *
 * Returns at once; the page starts it. Call it while the script is first evaluated, not after an
 * `await`, or the page's first message finds nobody. That message brings a port for all others, so the
 * worker's own messages are the application's.
 *
 * @param host Where it runs; the browser's dedicated worker when left out.
 * @throws TypeError if the simulation has no `init` or no `step`.
 * @returns The simulation, so that its type can be exported: `export type Sim = typeof simulation`.
 */
export function runSimulation<C extends CommandMap, E extends EventMap, Q extends CommandMap>(
  simulation: Simulation<C, E, Q>,
  host: WorkerHost = browserHost(),
): Simulation<C, E, Q> {
  requireFunctions(simulation);
  let server: WorkerControl | undefined;
  host.endpoint.addEventListener('message', (event) => {
    const port = portIn((event as MessageEvent<unknown>).data);
    if (port === undefined) return;
    // There is one simulation: a second page is told so.
    server ??= serve(simulation as Simulation, { ...host, endpoint: port });
    expose(server, port);
  });
  return simulation;
}

/** @param host Its endpoint is the port that the page has sent. */
function serve(simulation: Simulation, host: WorkerHost): WorkerControl {
  const { endpoint } = host;
  const calls = new PageCalls();
  // Before Comlink's own listener, so that a call is counted when its handler runs.
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<unknown>;
    const wrong = wrongInPageMessage(data, server);
    if (wrong !== undefined) {
      event.stopImmediatePropagation();
      const message = `the page posted an invalid message: ${wrong}`;
      post({ type: 'betwixt:failure', stage: 'protocol', tick: 0, ...thrownError(message) });
      return;
    }
    if (isPageUpdate(data)) return;
    // A run that has failed answers nothing: the failure, which is posted next, rejects what waits for an answer.
    if (!calls.arrive()) event.stopImmediatePropagation();
  });
  const post: ControlServerParts['post'] = (message, transfer = []) =>
    endpoint.postMessage(message, transfer);
  const server = createControlServer({
    host,
    simulation,
    calls,
    post,
  });
  return inTurn(server, calls);
}

/** These need not wait: one ends the worker, the other is about a command in the queue. */
const AT_ONCE: ReadonlySet<string> = new Set(['stop', 'withdraw']);

function inTurn(server: WorkerControl, calls: PageCalls): WorkerControl {
  const made = Object.entries(server).map(([name, call]) => [
    name,
    AT_ONCE.has(name)
      ? call
      : (...args: readonly unknown[]) =>
          calls.inTurn(() => (call as (...given: readonly unknown[]) => unknown)(...args)),
  ]);
  return Object.fromEntries(made) as WorkerControl;
}

/** The page's end of it comes with the very first message. All others in this scope are the application's. */
function portIn(data: unknown): Endpoint | undefined {
  const { type, port } = (data ?? {}) as { readonly type?: unknown; readonly port?: Endpoint };
  // No message brings a function, but for a port's.
  return type === PORT_MESSAGE && typeof port?.postMessage === 'function' ? port : undefined;
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
