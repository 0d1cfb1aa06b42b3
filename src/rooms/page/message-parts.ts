/**
 * Passes messages of a room to the worker that predicts it, in order. The state of a room with many bodies is larger than
 * the queue of inputs, so it goes in parts, over a few ticks. What comes later waits.
 */
import { QueueFullError } from '../../shared/util/errors.js';

/** A part, and what is on its way at the same time: half of the queue, whose other half is for inputs and commands. */
const PART_BYTES = 2 ** 16;
const MAX_UNDER_WAY = 2 ** 17;

interface Part {
  readonly size: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

type PassPart = (size: number, at: number, bytes: Uint8Array) => Promise<unknown>;

export class MessageParts {
  readonly #call: PassPart;
  readonly #onLost: () => void;
  #waiting: Part[] = [];
  #underWay = 0;

  /**
   * @param call Passes a part; resolves when the worker has it.
   * @param onLost Called when the queue had no room for one: later messages are of no use before the next state.
   */
  constructor(call: PassPart, onLost: () => void) {
    this.#call = call;
    this.#onLost = onLost;
  }

  pass(message: Uint8Array): void {
    const size = message.length;
    for (let at = 0; at < size; at += PART_BYTES) {
      this.#waiting.push({ size, at, bytes: message.subarray(at, at + PART_BYTES) });
    }
    this.#send();
  }

  #send(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const { size, at, bytes } = next;
      if (this.#underWay > 0 && this.#underWay + bytes.length > MAX_UNDER_WAY) return;
      this.#waiting.shift();
      this.#underWay += bytes.length;
      const end = (): void => {
        this.#underWay -= bytes.length;
        this.#send();
      };
      this.#call(size, at, bytes).then(end, (error: unknown) => {
        // Otherwise the simulation has ended, or the message is none.
        if (error instanceof QueueFullError) this.#onLost();
        end();
      });
    }
  }
}
