/** Random sessions with the engine: the room in this thread, each client in another one, in step with it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../../scripts/typescript-thread.js';
import { createArena } from './seated-arena.js';
import type { ClientState, SessionClient, SessionGame } from './virtual-session.js';

export type ClientRequest =
  | {
      readonly kind: 'open';
      readonly seed: number;
      /** One in as many steps computes something else; 0: none. */
      readonly wrongSteps: number;
    }
  | {
      readonly kind: 'turn';
      readonly received: readonly Uint8Array[];
      readonly nowMs: number;
      readonly isActing: boolean;
    };

interface ArenaState extends ClientState {
  /** States that were kept by copies of the engine's memory, and how often one of them was put back. */
  readonly kept: number;
  readonly returned: number;
}

export interface ClientAnswer {
  readonly sent: readonly Uint8Array[];
  readonly state: ArenaState | undefined;
}

class ThreadClient implements SessionClient {
  readonly #thread: Worker;
  readonly #opened: Promise<unknown>;
  #state: ArenaState | undefined;

  constructor(thread: Worker, seed: number, wrongSteps: number) {
    this.#thread = thread;
    this.#opened = this.#ask({ kind: 'open', seed, wrongSteps });
  }

  get counters() {
    return this.#state?.counters;
  }

  get asked() {
    return this.#state?.asked ?? 0;
  }

  get repairs() {
    return this.#state?.repairs ?? 0;
  }

  get kept() {
    return this.#state?.kept ?? 0;
  }

  get returned() {
    return this.#state?.returned ?? 0;
  }

  async turn(received: readonly Uint8Array[], nowMs: number, isActing: boolean) {
    await this.#opened;
    const { sent, state } = await this.#ask({ kind: 'turn', received, nowMs, isActing });
    this.#state = state;
    return sent;
  }

  async #ask(request: ClientRequest): Promise<ClientAnswer> {
    const answered = once(this.#thread, 'message');
    this.#thread.postMessage(request);
    const [answer] = (await answered) as [ClientAnswer];
    return answer;
  }
}

export interface ArenaGame extends SessionGame {
  /** States that all clients so far have kept by copies of memory, and how often they went back to one. */
  readonly copies: { readonly kept: number; readonly returned: number };
  dispose(): Promise<void>;
}

const SCRIPT = new URL('./arena-client.worker.ts', import.meta.url);

/**
 * @param wrongSteps One in as many steps of a client computes something else. Default 0: none.
 * @param script What the threads run. Default: the TypeScript file, which each of them compiles.
 */
export function openArenaGame(wrongSteps = 0, script = SCRIPT): ArenaGame {
  const threads: Worker[] = [];
  const clients: ThreadClient[] = [];
  let used = 0;
  return {
    createSimulation() {
      used = 0;
      return createArena();
    },
    createClient(seed) {
      const thread = (threads[used] ??= new Worker(
        script,
        script === SCRIPT ? { ...typescriptThread } : {},
      ));
      used += 1;
      const client = new ThreadClient(thread, seed, wrongSteps);
      clients.push(client);
      return client;
    },
    get copies() {
      return clients.reduce(
        (sum, { kept, returned }) => {
          return { kept: sum.kept + kept, returned: sum.returned + returned };
        },
        { kept: 0, returned: 0 },
      );
    },
    async dispose() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}
