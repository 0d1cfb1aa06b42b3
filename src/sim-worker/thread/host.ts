/** What the loop needs from the thread that it runs in: a browser's worker, or a Node worker thread. */
import type { Endpoint } from 'comlink';
import { MessageChannelTurn, type EventLoopTurn } from './event-loop-turn.js';

/** The thread that a simulation runs in. Made by {@link browserHost} or {@link nodeHost}. */
export interface WorkerHost {
  /** Where the page's first message arrives, with the port that all others go through. */
  readonly endpoint: Endpoint;
  /** This thread's own clock, in ms. */
  readonly now: () => number;
  /** Wall-clock time of the clock's zero, in ms. */
  readonly timeOrigin: number;
  /** How this thread lets queued messages run. */
  createTurn(): EventLoopTurn;
  /** Memory of the page's own, where both are one thread. */
  readonly attachedMemory?: () => ArrayBufferLike | undefined;
}

/** The dedicated worker that this code runs in. */
export function browserHost(): WorkerHost {
  return {
    endpoint: self as unknown as Endpoint,
    now: () => performance.now(),
    timeOrigin: performance.timeOrigin,
    createTurn: () => new MessageChannelTurn(),
  };
}
