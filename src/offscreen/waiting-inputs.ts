/**
 * Passes inputs of the page on to a queue. The page does not wait for an answer, so its sources cannot push again what the
 * queue refuses: here the newest one of each control waits, so that no key stays down and no stick away from its centre.
 */
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
import { ReliableInputState } from '../inputs/input-source.js';

/** Until the queue has room again, in ms: a tick or two. */
const RETRY_MS = 30;

export class WaitingInputs {
  readonly #state: ReliableInputState<string>;
  /** The page's sources have left out what has not changed: each input is a new value of its control. */
  #value = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sink: InputSink) {
    this.#state = new ReliableInputState(sink);
  }

  push(input: InputValues, stampMs: number): void {
    const { kind } = input;
    // Moves are over by the time that there is room.
    if (kind === 'pointermove' || kind === 'wheel') return this.#state.pass(input, stampMs);
    this.#value += 1;
    if (!this.#state.set(controlOf(input), this.#value, input, stampMs)) this.#retryLater();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#state.flush()) this.#retryLater();
    }, RETRY_MS);
  }
}

/** A press and its release are of the same control. */
const controlOf = ({ kind, device, code }: InputValues): string =>
  `${kind.replace(/(?:up|down)$/, '')} ${device} ${code}`;
