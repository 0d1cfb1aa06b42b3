/** What the loop needs from its thread: a browser's worker, or a Node worker thread. */
import type { Endpoint } from 'comlink';
import { MessageChannelTurn, type EventLoopTurn } from './event-loop-turn.js';

/** The thread that a simulation runs in. Created by {@link browserHost} or {@link nodeHost}. */
export interface WorkerHost {
  /** Receives the page's first message, with the port for all further messages. */
  readonly endpoint: Endpoint;
  /** This thread's own clock, in ms. */
  readonly now: () => number;
  /** Wall-clock time at which the clock was zero, in ms. */
  readonly timeOrigin: number;
  /** Creates the way to let queued messages run in this thread. */
  createTurn(): EventLoopTurn;
  /** Shows the developer what the simulation threw. Left out where the page shows the same error in the same place. */
  readonly logError?: (what: string, error: unknown) => void;
  /** The page's memory, if the page and the simulation run in one thread. */
  readonly attachedMemory?: () => ArrayBufferLike | undefined;
}

/** The dedicated worker that this code runs in. */
export function browserHost(): WorkerHost {
  return {
    endpoint: self as unknown as Endpoint,
    now: () => performance.now(),
    timeOrigin: performance.timeOrigin,
    createTurn: () => new MessageChannelTurn(),
    // The error itself, and not a copy: with it, developer tools find the source.
    // oxlint-disable-next-line no-console
    logError: (what, error) => console.error(`betwixt: ${what}`, error),
  };
}
