import type { WorkerNotice } from '../../shared/protocol/control-protocol.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';

/** Something that happened to the simulation as a whole. */
export type SimulationStatus =
  /** The worker is in a step that does not end. Calls wait for it; the last frame stays. */
  | { readonly kind: 'stalled'; readonly stalledMs: number; readonly error: WorkerFailedError }
  /** The step ended after all. */
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
       * What the next worker has thrown when it restored the state, so that the run has started over at tick 0; see
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
