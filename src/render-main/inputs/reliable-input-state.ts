/**
 * Inputs for a state (a key down, a stick at 0.4), sent so that the last one always arrives.
 *
 * A full queue refuses inputs, and a refused release would leave a key stuck. So each control has two values: the one
 * that the queue accepted last and the one that must still be sent.
 *
 *     press     accepted           sent 1
 *     release   refused            sent 1, waiting 0
 *     flush     accepted           sent 0
 *
 *     press     refused            sent 0, waiting 1
 *     release                      sent 0              nothing left to send
 */
import type { InputSink, InputValues } from '../../shared/input/input-event.js';

interface Waiting {
  readonly value: number;
  readonly input: InputValues;
  readonly stampMs: number;
}

export class ReliableInputState {
  readonly #sink: InputSink;
  /** By the control's number; controls at rest, at 0, are not included. */
  readonly #sent = new Map<number, number>();
  /** Oldest first. New inputs are pushed after all of these, to preserve the order. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(sink: InputSink) {
    this.#sink = sink;
  }

  /** A control's newest value, whether or not the queue accepted it. */
  last(id: number): number {
    return this.#waiting.get(id)?.value ?? this.#sent.get(id) ?? 0;
  }

  /** The controls whose newest value is not 0, ordered by number. */
  held(): number[] {
    const ids = new Set([...this.#sent.keys(), ...this.#waiting.keys()]);
    return [...ids].filter((id) => this.last(id) !== 0).toSorted((a, b) => a - b);
  }

  /** Sets a control's value; nothing is pushed if it has not changed. */
  set(id: number, value: number, input: InputValues, stampMs: number): void {
    if (this.last(id) !== value) {
      // Deleted first, so that the new value goes to the end of the waiting ones.
      this.#waiting.delete(id);
      if ((this.#sent.get(id) ?? 0) !== value) this.#waiting.set(id, { value, input, stampMs });
    }
    this.flush();
  }

  /** Pushes an input without a lasting state. It is lost when the queue is full. */
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
