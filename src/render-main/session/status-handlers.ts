import type { SimulationStatus } from '../api/simulation-status.js';
import { isOfLibrary } from '../util/library-handlers.js';
import { callReported, reportUncaught } from '../util/report-uncaught.js';

export type StatusHandler = (status: SimulationStatus) => void;

/**
 * Calls every status handler; an error in one is reported and does not affect the others. If there is no handler, a
 * failure becomes an uncaught error, and a frozen display or a full recording is reported on the console, once each.
 */
export class StatusHandlers {
  readonly #handlers = new Set<StatusHandler>();
  readonly #warned = new Set<string>();
  /** Those of the application. */
  #count = 0;

  /** @returns Removes the handler. */
  add(handler: StatusHandler): () => void {
    if (typeof handler !== 'function') {
      throw new TypeError(`the handler of "status" must be a function, but is a ${typeof handler}`);
    }
    const own: StatusHandler = (status) => handler(status);
    const counted = isOfLibrary(handler) ? 0 : 1;
    this.#handlers.add(own);
    this.#count += counted;
    return () => {
      if (this.#handlers.delete(own)) this.#count -= counted;
    };
  }

  emit(status: SimulationStatus): void {
    if (this.#count === 0) this.#warnUnhandled(status);
    for (const handler of this.#handlers) callReported(handler, status);
  }

  #warnUnhandled(status: SimulationStatus): void {
    if (status.kind === 'failed') reportUncaught(status.error);
    const text = warningOf(status);
    if (text === undefined || this.#warned.has(status.kind)) return;
    this.#warned.add(status.kind);
    // oxlint-disable-next-line no-console
    console.warn(`betwixt: ${text} (To handle this, use on('status', …).)`);
  }
}

function warningOf(status: SimulationStatus): string | undefined {
  if (status.kind === 'stalled') return `${status.error.message}.`;
  if (status.kind === 'recording-full') {
    return `the recording is full and ends at tick ${status.tick}; the run continues without it.`;
  }
  if (status.kind !== 'invalid-pose') return undefined;
  const { body, tag, tick } = status;
  const named = tag === null ? '' : ` with the tag ${JSON.stringify(tag)}`;
  return `body ${body}${named} got an invalid pose in tick ${tick} and stays where it was: a number is NaN or infinite, or the rotation is zero.`;
}
