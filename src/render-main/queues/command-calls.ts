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
import { packArguments, type CommandArguments } from '../../shared/util/command-arguments.js';
import { requireNamedAssets, type AssetName } from '../../shared/recording/asset-names.js';
import { revivedError } from '../util/worker-errors.js';
import type { InputSender } from './input-sender.js';

interface Pending {
  readonly name: string;
  resolve(value: unknown): void;
  reject(reason: Error): void;
}

export class CommandCalls {
  readonly #inputs: InputSender;
  readonly #assets: { has(name: AssetName): boolean };
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  /** @param assets Those that the page has added. */
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
    const given = packArguments(
      `the command "${name}" is given plain data and typed arrays: its arguments`,
      args,
    );
    requireNamedAssets(`the command "${name}"`, given.args, this.#assets);
    return new Promise((resolve, reject) => {
      if (index < 0) throw noCommand(name);
      this.#calls += 1;
      const call = this.#calls;
      if (this.#push(name, index, call, given)) this.#pending.set(call, { name, resolve, reject });
      else reject(this.#inputs.isOpen ? queueFull(name) : replayShown(name));
    });
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
   * Their worker has failed and another one continues the run: rejects those that cannot become part of it.
   *
   * @param kept Those that wait in the queue, were in the tick that failed, or in ticks that are done.
   */
  rejectExcept(kept: readonly ReadonlySet<number>[], reason: Error): void {
    const lost = [...this.#pending.keys()].filter((call) => !kept.some((calls) => calls.has(call)));
    this.reject(lost, () => reason);
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

  #push(name: string, index: number, call: number, given: CommandArguments): boolean {
    try {
      return this.#inputs.pushCommand(index, call, given, performance.now());
    } catch (cause) {
      const bytes = given.args.length + (given.data?.byteLength ?? 0);
      throw new RangeError(
        `the command "${name}" was refused: its arguments take ${bytes} bytes, more than the input queue holds. ` +
          'Pass the data as an asset, in parts or as setup',
        { cause },
      );
    }
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    return pending;
  }
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
