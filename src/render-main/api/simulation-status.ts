/** What an application may want to know about its simulation as a whole. */
import type { WorkerNotice } from '../../shared/protocol/control-protocol.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';
import { callReported, reportUncaught } from '../util/report-uncaught.js';

/** Something that happened to the simulation. */
export type SimulationStatus =
  /** The worker is in a step that does not end. Calls wait for it; the last picture stays. */
  | { readonly kind: 'stalled'; readonly stalledMs: number; readonly error: WorkerFailedError }
  /** The step ended after all. */
  | { readonly kind: 'recovered' }
  /** The worker is gone; another one is being brought to where it was. */
  | { readonly kind: 'restarting'; readonly error: WorkerFailedError }
  /** Another worker runs. */
  | {
      readonly kind: 'restarted';
      /**
       * The last tick that the worker before had finished and of which the page knows all: the run goes on after it. Messages of
       * later ones may have been lost with the worker.
       */
      readonly tick: number;
      /** Ticks that were run again to get there. */
      readonly replayedTicks: number;
      /** Inputs and commands left out because the tick failed again with them. */
      readonly skippedInputs: number;
    }
  /** There is no simulation any more, and pending calls reject with this error. Where nobody handles it, it is an uncaught one. */
  | { readonly kind: 'failed'; readonly error: WorkerFailedError }
  /** `dispose` was called: what was set up around the simulation can go. */
  | { readonly kind: 'disposed' }
  /** Events found no room in the queue. @see EventStamp.isLate for what becomes of pairs. */
  | {
      readonly kind: 'events-lost';
      /** Events lost since it was told last. */
      readonly lost: number;
    }
  /**
   * The run goes on and its recording does not: it holds all that it may, and has no saved state to begin at instead. Told once
   * for a recording.
   */
  | {
      readonly kind: 'recording-full';
      /** The last tick of which it has everything. */
      readonly tick: number;
      /** The option `recording.limitBytes` of `connect`. */
      readonly limitBytes: number;
    }
  /**
   * The recording that was shown is not shown any more: a step of it threw, and the run from before it is back, paused;
   * or a query has started the run over.
   */
  | { readonly kind: 'replay-stopped'; readonly error: Error }
  | WorkerNotice;

/** A handler of `on('status', …)`. */
export type StatusHandler = (status: SimulationStatus) => void;

/**
 * Calls every handler; one that throws is reported and keeps nothing from the others. Without any, a failure is an uncaught
 * error, and what would otherwise be a picture that stands for no reason, or a recording that ends, is told on the
 * console, once each.
 */
export class StatusHandlers {
  readonly #handlers = new Set<StatusHandler>();
  /** The library's own, which tell nobody. */
  readonly #own = new Set<StatusHandler>();
  readonly #warned = new Set<string>();

  /** @returns Takes the handler away. */
  add(handler: StatusHandler): () => void {
    if (typeof handler !== 'function') {
      throw new TypeError(`the handler of "status" must be a function, and is a ${typeof handler}`);
    }
    const own: StatusHandler = (status) => handler(status);
    this.#handlers.add(own);
    return () => void this.#handlers.delete(own);
  }

  /** Has a part of the library follow what happens: an application without a handler is warned all the same. */
  follow(handler: StatusHandler): void {
    this.#own.add(handler);
  }

  emit(status: SimulationStatus): void {
    for (const handler of this.#own) handler(status);
    if (this.#handlers.size === 0) this.#warnUnhandled(status);
    for (const handler of this.#handlers) callReported(handler, status);
  }

  #warnUnhandled(status: SimulationStatus): void {
    if (status.kind === 'failed') reportUncaught(status.error);
    const text = warningOf(status);
    if (text === undefined || this.#warned.has(status.kind)) return;
    this.#warned.add(status.kind);
    // oxlint-disable-next-line no-console
    console.warn(`betwixt: ${text} (on('status', …) tells an application of it.)`);
  }
}

function warningOf(status: SimulationStatus): string | undefined {
  if (status.kind === 'stalled') return `${status.error.message}.`;
  if (status.kind === 'recording-full') {
    return `the recording is full and ends at tick ${status.tick}; the run goes on without.`;
  }
  if (status.kind !== 'invalid-pose') return undefined;
  const { body, tick } = status;
  return `body ${body} was given a pose that is no number in tick ${tick}, and stays where it was.`;
}
