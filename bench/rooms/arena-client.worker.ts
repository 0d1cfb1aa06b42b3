/** A client of a session with the engine: in a thread, as copies of an engine's memory need one that has no other world. */
import { parentPort } from 'node:worker_threads';
import type { Simulation } from '../../src/sim-worker/index.js';
import type { ClientAnswer, ClientRequest } from './arena-game.js';
import { createArena } from './seated-arena.js';
import { VirtualClient } from './virtual-session.js';

let client: VirtualClient | undefined;
let simulation: Simulation | undefined;
let steps = 0;
let [kept, returned] = [0, 0];

/** Counts what is kept in memory, and put back. */
function watched(arena: Simulation): Simulation {
  const keep: Simulation['keep'] = (used) => {
    const state = arena.keep?.(used);
    if (state === undefined) return undefined;
    kept += 1;
    const { restore } = state;
    return Object.assign(state, {
      restore: () => {
        returned += 1;
        restore();
      },
    });
  };
  return Object.create(arena, { keep: { value: keep } }) as Simulation;
}

async function answer(request: ClientRequest): Promise<ClientAnswer> {
  if (request.kind === 'open') {
    simulation?.dispose?.();
    const { seed, wrongSteps } = request;
    [kept, returned] = [0, 0];
    simulation = watched(
      createArena(() => (wrongSteps > 0 && ++steps % wrongSteps === 0 ? 1e-6 : 0)),
    );
    client = new VirtualClient(seed, simulation);
    return { sent: [], state: undefined };
  }
  if (client === undefined) throw new Error('no client is open');
  const { received, nowMs, isActing } = request;
  const sent = await client.turn(received, nowMs, isActing);
  const { counters, asked, repairs } = client;
  return { sent, state: { counters: counters && { ...counters }, asked, repairs, kept, returned } };
}

parentPort?.on('message', (request: ClientRequest) => {
  void answer(request).then((message) => parentPort?.postMessage(message));
});
