/**
 * Inputs from the page that the queue refused. The page does not wait for an answer, so its sources cannot push them
 * again: here the newest one of each control waits, so that no key stays down and no stick away from its centre.
 */
import type { InputSink, InputValues } from '../../shared/input/input-event.js';

/** Until the queue has room again, in ms: a tick or two. */
const RETRY_MS = 30;

export class WaitingInputs {
  readonly #sink: InputSink;
  /** By control, oldest first. */
  readonly #waiting = new Map<string, readonly [input: InputValues, stampMs: number]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sink: InputSink) {
    this.#sink = sink;
  }

  push(input: InputValues, stampMs: number): void {
    if (this.#flush() && this.#sink.push(input, stampMs)) return;
    // Moves are over by then.
    if (input.kind === 'pointermove' || input.kind === 'wheel') return;
    const control = controlOf(input);
    this.#waiting.delete(control);
    this.#waiting.set(control, [input, stampMs]);
    this.#retry();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  /** @returns False while something still waits. */
  #flush(): boolean {
    for (const [control, [input, stampMs]] of this.#waiting) {
      if (!this.#sink.push(input, stampMs)) return false;
      this.#waiting.delete(control);
    }
    return true;
  }

  #retry(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#flush()) this.#retry();
    }, RETRY_MS);
  }
}

/** A press and its release are of the same control. */
const controlOf = ({ kind, device, code }: InputValues): string =>
  `${kind.replace(/(?:up|down)$/, '')} ${device} ${code}`;
