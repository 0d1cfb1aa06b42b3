/**
 * Replaces the worker of a simulation when its script has changed, instead of the page: the plugin of `betwixt/vite` says so
 * with an event. Loaded only in development.
 *
 *     changes        ● ●● ●                       one worker at a time:
 *     replacements   └ first ────▶ └ second ────▶    what changes while one loads is one more
 */
import type { SimulationHandle } from '../api/simulation-handle.js';
import type { Session } from '../session/session.js';

/** The detail of the event that a development server causes in its pages; see `src/vite/browser/hot-workers.js`. */
interface WorkersChanged {
  /** Paths of the scripts, with their queries. */
  readonly workers: readonly string[];
  /** Simulations add the scripts that they run. */
  readonly taken: Set<string>;
}

const CHANGED = 'betwixt:workers-changed';

const changed = new WeakSet<Session>();

/** Whether the worker's code has changed since the run began. */
export const hasNewCode = (session: Session): boolean => changed.has(session);

/** Follows a simulation's script from now on. */
export async function followScript(session: Session, handle: SimulationHandle): Promise<void> {
  const { statuses } = session;
  // Node has neither an address nor the event.
  const address = await session.worker
    .call<string | undefined>((remote) => remote.ready())
    .catch(() => undefined);
  if (address === undefined || typeof addEventListener !== 'function') return;
  const { pathname } = new URL(address);
  const swaps = new Swaps(handle);
  const onChanged = (event: Event): void => {
    const { workers, taken } = (event as CustomEvent<WorkersChanged>).detail;
    const own = workers.filter((worker) => new URL(worker, address).pathname === pathname);
    for (const worker of own) taken.add(worker);
    if (own.length > 0) void swaps.swap();
  };
  addEventListener(CHANGED, onChanged);
  // Not as a handler: a failure without handlers is an uncaught error.
  const { emit } = statuses;
  statuses.emit = (status) => {
    const { kind } = status;
    if (kind === 'disposed' || kind === 'failed') removeEventListener(CHANGED, onChanged);
    if (kind === 'replaced') changed.add(session);
    if (kind === 'replaced' && status.restoreError !== undefined) {
      const why = messageOf(status.restoreError);
      say(
        `the run has started over, because the new code cannot restore the state of the old one: ${why}`,
      );
    }
    emit.call(statuses, status);
  };
}

class Swaps {
  readonly #handle: SimulationHandle;
  #isRunning = false;
  /** The script has changed since the worker that is loading was made. */
  #isWanted = false;

  constructor(handle: SimulationHandle) {
    this.#handle = handle;
  }

  async swap(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#replaceWorker();
    }
    this.#isRunning = false;
  }

  async #replaceWorker(): Promise<void> {
    const handle = this.#handle;
    try {
      await handle.replaceWorker(undefined, { whenStateDiffers: 'reset' });
      for (const overlay of document.querySelectorAll('vite-error-overlay')) overlay.remove();
    } catch (error) {
      if (handle.state === 'disposed' || handle.state === 'failed') return;
      // The next change has another chance.
      if (this.#isWanted) return;
      say(`the worker's script has changed, and the old one continues: ${messageOf(error)}`);
    }
  }
}

function say(text: string): void {
  // oxlint-disable-next-line no-console
  console.warn(`betwixt: ${text}`);
}

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
