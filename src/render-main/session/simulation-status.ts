/** The statuses of a simulation as a whole, and their handlers. */
import type { WorkerNotice } from '../../shared/protocol/control-protocol.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';
import { callReported, reportUncaught } from '../util/page-errors.js';
import { requireFunction } from '../../shared/util/validate.js';
import type { Json } from '../../shared/util/json.js';

/** Something that happened to the simulation as a whole. */
export type SimulationStatus =
  /** The worker is in a step that does not end, or does not answer: it may be gone. Calls wait; the last frame stays. */
  | { readonly kind: 'stalled'; readonly stalledMs: number; readonly error: WorkerFailedError }
  /** The step ended, or the worker answered, after all. */
  | { readonly kind: 'recovered' }
  /** The worker is gone; another one is being moved to where it was. */
  | { readonly kind: 'restarting'; readonly error: WorkerFailedError }
  /** Another worker runs. */
  | {
      readonly kind: 'restarted';
      /**
       * The last tick that the old worker had finished and that was completely reported to the page: the run continues
       * after it. Messages about later ticks may have been lost with the worker.
       */
      readonly tick: number;
      /** Ticks that were replayed to get there. */
      readonly replayedTicks: number;
      /** Inputs and commands left out because the tick failed again with them. */
      readonly skippedInputs: number;
    }
  /** `replaceWorker` has replaced the worker; nothing has failed. */
  | {
      readonly kind: 'replaced';
      /** The run continues after this tick: the last one of the old worker, or 0 if it has started over. */
      readonly tick: number;
      /** Ticks that were replayed to get there; 0 if the simulation can be saved. */
      readonly replayedTicks: number;
      /**
       * The error that the next worker has thrown when it restored the state, so that the run has started over at tick 0; see
       * `whenStateDiffers`. Undefined: the run continues.
       */
      readonly restoreError: unknown;
    }
  /**
   * The frame that is being sampled is the first after a jump: the worker has continued from another state, after a
   * `seek`, a `restore`, the beginning of a replay, a seek in it, the end of one that failed, a restart of the run by a
   * query, or when a query that changed something was rolled back. The handlers have had all events before it; what these
   * said may be out of date, and queries are answered by the new state. Another worker reports `restarted` or `replaced`
   * instead.
   */
  | {
      readonly kind: 'jumped';
      /** The tick of that state. */
      readonly tick: number;
    }
  /** The simulation has ended, and pending calls reject with this error. Without a handler, it is an uncaught error. */
  | { readonly kind: 'failed'; readonly error: WorkerFailedError }
  /** `dispose` was called: what was set up around the simulation can be released. */
  | { readonly kind: 'disposed' }
  /** Events were lost because the queue was full. @see EventStamp.isLate for what happens to pairs. */
  | {
      readonly kind: 'events-lost';
      /** Events lost since the last such status. */
      readonly lost: number;
    }
  /**
   * The run continues but its recording has ended: it is full, and has no saved state to begin at instead. Emitted once
   * per recording.
   */
  | {
      readonly kind: 'recording-full';
      /** The last tick that it covers completely. */
      readonly tick: number;
      /** The option `recording.limitBytes` of `connect`. */
      readonly limitBytes: number;
    }
  /**
   * The recording is no longer shown: one of its steps threw or its worker failed, and the previous run is back, paused;
   * or a query has restarted the run. If another worker brings the previous run back, it comes after `restarted`.
   */
  | { readonly kind: 'replay-stopped'; readonly error: Error }
  | WorkerNotice;

export type StatusHandler = (status: SimulationStatus) => void;

/**
 * Calls every status handler; an error in one is reported and does not affect the others. Problems of a simulation
 * are on the console as well, each kind once: a handler need not know all of them. Without one, a failure becomes an
 * uncaught error.
 */
export class StatusHandlers {
  readonly #handlers = new Set<StatusHandler>();
  readonly #warned = new Set<string>();
  /** Handlers of the application, without the library's. */
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

/** Returns an application's name for the body with a tag. */
export type NameOfBody = (tag: Json) => string | undefined;

/**
 * Marks a handler of the library: an application without a handler is still notified of a failure.
 *
 * @param nameOf Names bodies in warnings.
 * @returns The same handler.
 */
export const ofLibrary = <Handler extends object>(handler: Handler, nameOf?: NameOfBody): Handler =>
  Object.assign(handler, { isOfLibrary: true, nameOf });

export const isOfLibrary = (
  handler: object,
): handler is { readonly nameOf: NameOfBody | undefined } => 'isOfLibrary' in handler;
