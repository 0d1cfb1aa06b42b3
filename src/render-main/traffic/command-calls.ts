/**
 * The page's calls of commands, and the batches of a world: each goes through the input queue, and is answered when its
 * tick is done.
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
import type { ByteWriter } from '../../shared/util/bytes.js';
import { packArguments } from '../../shared/util/command-arguments.js';
import { assetNamesIn, requireNamedAssets, type AssetName } from '../../shared/recording/asset.js';
import { withResolvers } from '../util/promises.js';
import { revivedError } from '../util/page-errors.js';
import type { InputSender } from './input-sender.js';

interface PendingCall {
  /** Names it in messages. */
  readonly what: string;
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

export class CommandCalls {
  readonly #inputs: InputSender;
  readonly #assets: { has(name: AssetName): boolean };
  readonly #pending = new Map<number, PendingCall>();
  #calls = 0;

  /** @param assets The assets that the page has added. */
  constructor(inputs: InputSender, assets: { has(name: AssetName): boolean }) {
    this.#inputs = inputs;
    this.#assets = assets;
  }

  /**
   * @param index Its index in the current worker's list; −1: it is not there.
   * @throws TypeError if JSON cannot represent an argument; RangeError if one names an asset that was not added.
   * @throws RangeError by the promise if the worker has no such command.
   * @throws QueueFullError by the promise; RangeError if the queue could never hold the arguments.
   */
  call(name: string, index: number, args: readonly unknown[]): Promise<unknown> {
    const what = `the command "${name}"`;
    const given = packArguments(
      `${what} is given plain data and typed arrays: its arguments`,
      args,
    );
    requireNamedAssets(what, assetNamesIn(given.args), this.#assets);
    if (index < 0) return Promise.reject(noCommand(what));
    const answer = this.#send(what, (call, stampMs) =>
      this.#inputs.pushCommand(index, call, given, stampMs),
    );
    return answer ?? Promise.reject(this.#inputs.isOpen ? queueFull(what) : replayShown(what));
  }

  /**
   * Sends the page's changes of a world.
   *
   * @param write Writes the batch.
   * @returns The answer. Undefined: it was refused, because the queue is full or a replay is shown, and may be sent again.
   * @throws QueueFullError by the promise, if a later worker has no room for it; RangeError if no queue ever could.
   */
  applyBatch(write: (out: ByteWriter) => void): Promise<unknown> | undefined {
    return this.#send('a change of the world', (call, stampMs) =>
      this.#inputs.pushBatch(call, write, stampMs),
    );
  }

  /** @returns Undefined if it was refused. */
  #send(
    what: string,
    push: (call: number, stampMs: number) => boolean,
  ): Promise<unknown> | undefined {
    this.#calls += 1;
    const call = this.#calls;
    try {
      if (!push(call, performance.now())) return undefined;
    } catch (cause) {
      const { message } = cause as Error;
      return Promise.reject(new RangeError(`${what} was refused: ${message}`, { cause }));
    }
    const { promise, resolve, reject } = withResolvers<unknown>();
    this.#pending.set(call, { what, resolve, reject });
    return promise;
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
   * Another worker continues the run after a failure: rejects the calls that cannot become part of it.
   *
   * @param kept Calls that wait in the queue, were in the tick that failed, or in ticks that are done.
   */
  rejectExcept(kept: readonly ReadonlySet<number>[], reason: Error): void {
    const lost = [...this.#pending.keys()].filter((call) => !kept.some((calls) => calls.has(call)));
    this.reject(lost, () => reason);
  }

  /** Rejects the calls that are still pending. */
  reject(calls: Iterable<number>, reasonOf: (what: string) => Error): void {
    for (const call of calls) {
      const pending = this.#take(call);
      pending?.reject(reasonOf(pending.what));
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

  #take(call: number): PendingCall | undefined {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    return pending;
  }
}

const queueFull = (what: string): QueueFullError =>
  new QueueFullError(
    `${what} was refused: the input queue is full. It had no effect; call it again later`,
  );

/**
 * Returns the index of a waiting command in the next worker's list, as `InputSender.attach` needs it. Rejects a command that
 * the script of the next worker lacks.
 */
export const commandIndexes =
  (names: readonly string[], before: readonly string[] = [], calls: CommandCalls) =>
  (call: number, last: number): number | undefined => {
    const index = names.indexOf(before[last] ?? '');
    if (index >= 0) return index;
    calls.reject([call], noCommand);
    return undefined;
  };

const noCommand = (what: string): RangeError =>
  new RangeError(`the current worker does not have ${what}. It had no effect`);

const replayShown = (what: string): ReplayShownError =>
  new ReplayShownError(
    `${what} was refused: the recording that is shown has its own commands. ` +
      'Call replay.close() first',
  );
