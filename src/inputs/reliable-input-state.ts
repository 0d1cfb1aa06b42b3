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
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';

interface Waiting {
  readonly value: number;
  readonly input: InputValues;
  readonly stampMs: number;
}

/** @typeParam Id What names a control. */
export class ReliableInputState<Id extends number | string = number> {
  readonly #sink: InputSink;
  /** By control; those at rest, at 0, are not included. */
  readonly #sent = new Map<Id, number>();
  /** Oldest first. New inputs are pushed after all of these, to preserve the order. */
  readonly #waiting = new Map<Id, Waiting>();

  constructor(sink: InputSink) {
    this.#sink = sink;
  }

  /** A control's newest value, whether or not the queue accepted it. */
  last(id: Id): number {
    return this.#waiting.get(id)?.value ?? this.#sent.get(id) ?? 0;
  }

  /** The controls whose newest value is not 0. */
  held(): Id[] {
    const ids = new Set([...this.#sent.keys(), ...this.#waiting.keys()]);
    return [...ids].filter((id) => this.last(id) !== 0);
  }

  /** Sets a control's value; nothing is pushed if it has not changed. @returns False while something still waits. */
  set(id: Id, value: number, input: InputValues, stampMs: number): boolean {
    if (this.last(id) !== value) {
      // Deleted first, so that the new value goes to the end of the waiting ones.
      this.#waiting.delete(id);
      if ((this.#sent.get(id) ?? 0) !== value) this.#waiting.set(id, { value, input, stampMs });
    }
    return this.flush();
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
