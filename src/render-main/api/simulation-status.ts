/** What an application may want to know about its simulation as a whole. */
import type { WorkerNotice } from '../../shared/protocol/control-protocol.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';

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
   * or a query restarted the run.
   */
  | { readonly kind: 'replay-stopped'; readonly error: Error }
  | WorkerNotice;
