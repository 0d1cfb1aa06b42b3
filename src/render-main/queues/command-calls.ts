/**
 * The commands as the page calls them: each goes through the queue and is answered when its tick is done.
 *
 *     queue ──▶ tick that is done ──▶ answered
 *       │          └ its worker dies before it answers: the next one runs that tick again, and answers
 *       │ ▲
 *       ▼ │ retried once, before all others
 *     tick that fails ──▶ the next one fails, too ──▶ left out: rejects
 *
 * So a call that resolves is part of the run that continues, and one that rejects is not.
 */
import type { Reply } from '../../shared/protocol/control-protocol.js';
import { QueueFullError, ReplayShownError } from '../../shared/util/errors.js';
import {
  ownArguments,
  packArguments,
  type CommandArguments,
} from '../../shared/util/command-arguments.js';
import { revivedError } from '../util/worker-errors.js';
import type { CallLimit } from './call-limits.js';
import type { InputSender } from './input-sender.js';

interface Pending {
  readonly name: string;
  readonly limit: CallLimit | undefined;
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

/** How queued commands can be withdrawn, which depends on the worker's memory. */
export interface CommandQueue {
  /** Called before a command that may be withdrawn is queued. Undefined: it can be queued immediately. */
  whenReady(): Promise<void> | undefined;
  /** Withdraws a command. @returns False: a tick has taken it. */
  withdraw(call: number): boolean | Promise<boolean>;
}

/** Where the calls are after their worker has failed. */
export interface CallsAfterFailure {
  /** In the queue: no tick has taken them. */
  readonly waiting: ReadonlySet<number>;
  /** In the tick that failed. */
  readonly failed: ReadonlySet<number>;
  /** In ticks that are part of the run that continues. */
  readonly done: ReadonlySet<number>;
}

export class CommandCalls {
  /** Throws if arguments name an asset that the page has not added. By default, none was. */
  requireAssets: (name: string, args: string) => void = requireNone;
  readonly #inputs: InputSender;
  readonly #queueOf: () => CommandQueue;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  /** @param queueOf Returns the current worker's queue; called when a call may be withdrawn. */
  constructor(inputs: InputSender, queueOf: () => CommandQueue) {
    this.#inputs = inputs;
    this.#queueOf = queueOf;
  }

  /**
   * @param indexOf Returns its index in the current worker's list; −1: it is not there.
   * @throws TypeError if JSON cannot represent an argument; RangeError if one names an asset that was not added.
   * @throws RangeError by the promise if the worker has no such command.
   * @throws QueueFullError by the promise; RangeError if the queue could never hold the arguments.
   */
  call(
    name: string,
    indexOf: () => number,
    args: readonly unknown[],
    limit?: CallLimit,
  ): Promise<unknown> {
    let given = packArguments(
      `the command "${name}" is given plain data and typed arrays: its arguments`,
      args,
    );
    this.requireAssets(name, given.args);
    const stampMs = performance.now();
    const ready = limit === undefined ? undefined : this.#queueOf().whenReady();
    const push = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const index = indexOf();
        if (index < 0) throw noCommand(name);
        this.#calls += 1;
        const call = this.#calls;
        if (this.#push(name, index, call, given, stampMs)) {
          this.#pending.set(call, { name, limit, resolve, reject });
          limit?.withdrawBy(() => this.#withdraw(call));
        } else reject(this.#inputs.isOpen ? queueFull(name) : replayShown(name));
      });
    if (ready === undefined) return push();
    given = ownArguments(given);
    return ready.then(() => (limit?.isWithdrawn === true ? undefined : push()));
  }

  isPending(call: number): boolean {
    return this.#pending.has(call);
  }

  onReply({ call, value, error }: Reply): void {
    const pending = this.#take(call);
    if (error === undefined) {
      pending?.resolve(value);
      return;
    }
    pending?.reject(revivedError(error));
  }

  /**
   * Sorts the pending calls after their worker has failed and another one continues the run. Rejects those in none of
   * the given sets: they cannot become part of the run.
   */
  sortAfterFailure({ waiting, failed, done }: CallsAfterFailure, reason: Error): void {
    for (const [call, { limit }] of this.#pending) {
      if (waiting.has(call)) continue;
      // It is in no queue until it is queued again.
      if (failed.has(call)) limit?.withdrawBy(() => this.#take(call) !== undefined);
      else if (done.has(call)) limit?.withdrawBy(() => false);
      else this.reject([call], () => reason);
    }
  }

  noteRequeued(call: number): void {
    this.#pending.get(call)?.limit?.withdrawBy(() => this.#withdraw(call));
  }

  /** Rejects the calls that are still pending. */
  reject(calls: Iterable<number>, reasonOf: (name: string) => Error): void {
    for (const call of calls) {
      const pending = this.#take(call);
      pending?.reject(reasonOf(pending.name));
    }
  }

  /** Rejects calls for which the queue has no room. */
  refuse(calls: Iterable<number>): void {
    this.reject(calls, queueFull);
  }

  /** Rejects all pending calls: the simulation has ended. */
  rejectAll(reason: Error): void {
    this.reject([...this.#pending.keys()], () => reason);
  }

  #push(
    name: string,
    index: number,
    call: number,
    given: CommandArguments,
    stampMs: number,
  ): boolean {
    try {
      return this.#inputs.pushCommand(index, call, given, stampMs);
    } catch (cause) {
      const bytes = given.args.length + (given.data?.byteLength ?? 0);
      throw new RangeError(
        `the command "${name}" was refused: its arguments take ${bytes} bytes, more than the input queue holds. ` +
          'Raise queues.inputWords of connect (in words of 4 bytes), or pass the data in parts or as setup',
        { cause },
      );
    }
  }

  #withdraw(call: number): boolean | Promise<boolean> {
    const forget = (isWithdrawn: boolean): boolean => {
      if (isWithdrawn) this.#pending.delete(call);
      return isWithdrawn;
    };
    const isWithdrawn = this.#queueOf().withdraw(call);
    return typeof isWithdrawn === 'boolean' ? forget(isWithdrawn) : isWithdrawn.then(forget);
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    return pending;
  }
}

/** As in asset-names.ts, which most pages do not load. */
function requireNone(name: string, args: string): void {
  if (!/"asset:[0-9a-f]{16}"/.test(args)) return;
  throw new RangeError(`the command "${name}" names an asset, and none was added`);
}

const queueFull = (name: string): QueueFullError =>
  new QueueFullError(
    `the command "${name}" was refused: the input queue is full. It had no effect; ` +
      'call it again later',
  );

/**
 * Where the next worker has the commands that wait for it; see `InputSender.attach`. Its script may have other commands:
 * rejects those that it lacks.
 */
export const placeIn =
  (names: readonly string[], before: readonly string[] = [], calls: CommandCalls) =>
  (call: number, last: number): number | undefined => {
    // It was withdrawn, and its queue does not know that yet.
    if (call !== 0 && !calls.isPending(call)) return undefined;
    const place = names.indexOf(before[last] ?? '');
    if (place >= 0) return place;
    calls.reject([call], noCommand);
    return undefined;
  };

const noCommand = (name: string): RangeError =>
  new RangeError(`the current worker has no command "${name}". It had no effect`);

const replayShown = (name: string): ReplayShownError =>
  new ReplayShownError(
    `the command "${name}" was refused: the recording that is shown has its own commands. ` +
      'Call replay.close() first',
  );
