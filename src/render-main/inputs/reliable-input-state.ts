/**
 * Inputs that say what something is now (a key down, a stick at 0.4), sent so that the last one always arrives.
 *
 * A queue that is full refuses inputs. A refused press would be forgotten, a refused release leave the key stuck
 * for good. So each thing has two values here, the one that the queue took last and the one that is to be sent:
 *
 *     press     accepted           sent 1
 *     release   refused            sent 1, waiting 0
 *     flush     accepted           sent 0
 *
 *     press     refused            sent 0, waiting 1
 *     release                      sent 0              nothing to send any more
 *
 * Whatever is pushed goes after all that waits, or order would be lost.
 */
import type { InputSink, InputValues } from '../../shared/input/input-event.js';

interface Waiting {
  readonly value: number;
  readonly input: InputValues;
  readonly stampMs: number;
}

export class ReliableInputState {
  readonly #sink: InputSink;
  /** By number of the thing; what is at rest, at 0, is not in it. */
  readonly #sent = new Map<number, number>();
  /** Oldest first. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(sink: InputSink) {
    this.#sink = sink;
  }

  /** What a thing was said to be last, whether or not the queue took it. */
  last(id: number): number {
    return this.#waiting.get(id)?.value ?? this.#sent.get(id) ?? 0;
  }

  /** The things whose last value is not 0, in the order of their numbers. */
  held(): number[] {
    const ids = new Set([...this.#sent.keys(), ...this.#waiting.keys()]);
    return [...ids].filter((id) => this.last(id) !== 0).toSorted((a, b) => a - b);
  }

  /** Says what a thing is now; nothing is pushed when it was told so already. */
  set(id: number, value: number, input: InputValues, stampMs: number): void {
    if (this.last(id) !== value) {
      // Deleted first: as a new word it goes to the end of what waits.
      this.#waiting.delete(id);
      if ((this.#sent.get(id) ?? 0) !== value) this.#waiting.set(id, { value, input, stampMs });
    }
    this.flush();
  }

  /** Pushes an input that leaves nothing behind. It is lost when the queue is full. */
  pass(input: InputValues, stampMs: number): void {
    if (this.flush()) this.#sink.push(input, stampMs);
  }

  /** @returns False while something still waits. */
  flush(): boolean {
    for (const [id, { value, input, stampMs }] of this.#waiting) {
      if (!this.#sink.push(input, stampMs)) return false;
      this.#waiting.delete(id);
      if (value === 0) this.#sent.delete(id);
      else this.#sent.set(id, value);
    }
    return true;
  }
}
