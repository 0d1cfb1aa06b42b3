import type { SimulationStatus } from '../api/simulation-status.js';
import { isOfLibrary, type NameOfBody } from '../util/library-handlers.js';
import { callReported, reportUncaught } from '../util/report-uncaught.js';
import { requireFunction } from '../../shared/util/validate.js';

export type StatusHandler = (status: SimulationStatus) => void;

/**
 * Calls every status handler; an error in one is reported and does not affect the others. What is wrong with a simulation
 * is on the console as well, each kind once: a handler need not know all of them. Without one, a failure becomes an
 * uncaught error.
 */
export class StatusHandlers {
  readonly #handlers = new Set<StatusHandler>();
  readonly #warned = new Set<string>();
  /** Those of the application. */
  #count = 0;
  #nameOf: NameOfBody | undefined;

  /** @returns Removes the handler. */
  add(handler: StatusHandler): () => void {
    requireFunction('the handler of "status"', handler);
    const own: StatusHandler = (status) => handler(status);
    const counted = isOfLibrary(handler) ? 0 : 1;
    if (isOfLibrary(handler)) this.#nameOf ??= handler.nameOf;
    this.#handlers.add(own);
    this.#count += counted;
    return () => {
      if (this.#handlers.delete(own)) this.#count -= counted;
    };
  }

  emit(status: SimulationStatus): void {
    if (status.kind === 'failed' && this.#count === 0) reportUncaught(status.error);
    else this.#warn(status);
    for (const handler of this.#handlers) callReported(handler, status);
  }

  #warn(status: SimulationStatus): void {
    const text = this.#warningOf(status);
    if (text === undefined || this.#warned.has(status.kind)) return;
    this.#warned.add(status.kind);
    // oxlint-disable-next-line no-console
    console.warn(`betwixt: ${text} (The status "${status.kind}" of on('status', …) says so, too.)`);
  }

  #warningOf(status: SimulationStatus): string | undefined {
    switch (status.kind) {
      case 'failed':
        return `the simulation has failed: ${status.error.message}.`;
      case 'stalled':
        return `${status.error.message}.`;
      case 'recording-full':
        return `the recording is full and ends at tick ${status.tick}; the run continues without it.`;
      case 'invalid-pose': {
        const { body, tag, tick } = status;
        const tagged = tag === null ? '' : ` with the tag ${JSON.stringify(tag)}`;
        return `${this.#nameOf?.(tag) ?? `body ${body}${tagged}`} got an invalid pose in tick ${tick} and stays where it was: a number is NaN or infinite, or the rotation is zero.`;
      }
      default:
        return undefined;
    }
  }
}
