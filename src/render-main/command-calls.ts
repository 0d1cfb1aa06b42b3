/** The timed commands as the page calls them: each goes through the queue and resolves when its tick has applied it. */
import type { ReplyMessage } from '../shared/control-protocol.js';
import { QueueFullError, ReplayShownError, withItsClass } from '../shared/errors.js';
import { requireJson } from '../shared/json-value.js';
import type { InputSender } from './input-sender.js';

const NONE: ReadonlySet<number> = new Set();

interface Pending {
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

export class CommandCalls {
  readonly #inputs: InputSender;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  constructor(inputs: InputSender) {
    this.#inputs = inputs;
  }

  /**
   * Calls a timed command.
   *
   * @param place In the worker's list.
   * @throws TypeError if JSON cannot hold an argument. @throws QueueFullError by the promise.
   */
  call(name: string, place: number, args: readonly unknown[]): Promise<unknown> {
    const json = JSON.stringify(
      requireJson(`the timed command "${name}" is given plain data: its arguments`, args),
    );
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve, reject) => {
      this.#pending.set(call, { resolve, reject });
      if (this.#push(place, call, json)) return;
      reject(
        this.#inputs.isOpen
          ? new QueueFullError(
              `the command "${name}" was refused: the queue of inputs is full. Nothing of it was done; ` +
                'call it again later',
            )
          : new ReplayShownError(
              `the command "${name}" was refused: a recording is shown, which has commands of its own. ` +
                'endReplay() gives the run to the player',
            ),
      );
    });
  }

  onReply({ call, value, error }: ReplyMessage): void {
    const pending = this.#pending.get(call);
    if (pending === undefined) return;
    this.#pending.delete(call);
    if (error === undefined) {
      pending.resolve(value);
      return;
    }
    const revived = new Error(error.message);
    revived.name = error.name;
    if (error.stack !== undefined) revived.stack = error.stack;
    pending.reject(withItsClass(revived));
  }

  /**
   * Rejects what is pending.
   *
   * @param except Calls that no tick has taken yet: they will be applied, and answered.
   */
  rejectAll(reason: Error, except: ReadonlySet<number> = NONE): void {
    for (const [call, { reject }] of this.#pending) {
      if (except.has(call)) continue;
      this.#pending.delete(call);
      reject(reason);
    }
  }

  /** @returns False when the queue is full. @throws RangeError if it could never hold the arguments. */
  #push(place: number, call: number, json: string): boolean {
    let isPushed = false;
    try {
      isPushed = this.#inputs.pushCommand(place, call, json, performance.now());
    } finally {
      if (!isPushed) this.#pending.delete(call);
    }
    return isPushed;
  }
}
