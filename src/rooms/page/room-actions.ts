/** Sends what the page does to a room that it only draws: at once, because no tick of the page has to process it first. */
import type { CallOptions } from '../../render-main/api/call-options.js';
import { requireCallOptions, untilAborted } from '../../render-main/queues/call-signal.js';
import {
  requireInput,
  type InputSink,
  type InputValues,
  type TickInput,
} from '../../shared/input/tick-inputs.js';
import type { Action } from '../shared/action-entries.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import type { CommandMap, RemoteCommands } from '../../shared/protocol/control-protocol.js';
import { assetNamesIn, requireNamedAssets, type AssetName } from '../../shared/recording/asset.js';
import { packArguments, type CommandArguments } from '../../shared/util/command-arguments.js';
import { mergeMoves } from '../../sim-worker/loop/tick-source.js';

export interface RoomActionsParts {
  readonly now: () => number;
  /** From one of the room's ticks to the next. */
  readonly tickMs: number;
  /** Of the room's simulation. */
  readonly commands: readonly string[];
  /** The tick that actions are for now, and a part of it: how much of its time is over. NaN: not known. */
  readonly tickAt: (nowMs: number) => number;
  readonly send: (actions: readonly Action[]) => void;
  /** Called when an input was sent for a tick. */
  readonly onInput: (tick: number, stampMs: number) => void;
  /** Throws if the simulation has ended. */
  readonly requireRunning: () => void;
}

interface Waiting {
  readonly input: TickInput;
  readonly stampMs: number;
}

export class RoomActions implements InputSink {
  /** There is no queue that could be full. */
  readonly refused = 0;
  /** Those of the room's simulation that clients may call. */
  readonly commands: RemoteCommands<CommandMap>;
  readonly #parts: RoomActionsParts;
  #waiting: Waiting[] = [];
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(parts: RoomActionsParts) {
    this.#parts = parts;
    this.commands = this.commandsWith(undefined);
  }

  commandsWith(options: CallOptions | undefined): RemoteCommands<CommandMap> {
    requireCallOptions(options);
    const callable = this.#parts.commands.filter((name) => !ROOM_COMMANDS.has(name));
    return Object.freeze(
      Object.fromEntries(
        callable.map((name) => [
          name,
          (...args: unknown[]) =>
            untilAborted(options, async () => this.#call(name, packArguments(name, args))),
        ]),
      ),
    );
  }

  /**
   * One message for the inputs that come together, and one a tick: a mouse may report its position a thousand times a second.
   *
   * @throws TypeError, RangeError naming the invalid value.
   */
  push(input: InputValues, stampMs: number): boolean {
    requireInput(input, stampMs);
    const { now, tickMs } = this.#parts;
    const nowMs = now();
    const { kind, code, device, x, y, z, w } = input;
    const values = { kind, code, device, x, y, z, w, fraction: 0 };
    this.#waiting.push({ input: values, stampMs: Math.min(stampMs, nowMs) });
    if (this.#waiting.length > 1) return true;
    const waitMs = this.#sentMs + tickMs - nowMs;
    if (waitMs > 0) setTimeout(() => this.#sendInputs(), waitMs);
    else queueMicrotask(() => this.#sendInputs());
    return true;
  }

  #sendInputs(): void {
    const { now, send, onInput } = this.#parts;
    const nowMs = now();
    const { tick, fraction } = this.#tickAt(nowMs);
    const inputs = this.#waiting.map(({ input }) => ({ ...input, fraction }));
    for (const { stampMs } of this.#waiting) onInput(tick, stampMs);
    this.#waiting = [];
    this.#sentMs = nowMs;
    send(mergeMoves(inputs).map((input) => ({ kind: 'input', tick, input })));
  }

  #call(name: string, given: CommandArguments): void {
    const { now, send, requireRunning } = this.#parts;
    requireRunning();
    requireNamedAssets(`the command "${name}"`, assetNamesIn(given.args), NO_ASSETS);
    send([{ kind: 'command', tick: this.#tickAt(now()).tick, name, ...given }]);
  }

  /** A tick has what came after the one before was due, up to when it is due itself. */
  #tickAt(nowMs: number): { readonly tick: number; readonly fraction: number } {
    const at = this.#parts.tickAt(nowMs);
    if (!(at > 0)) return { tick: 0, fraction: 0 };
    const tick = Math.ceil(at);
    return { tick, fraction: Math.fround(at - tick + 1) };
  }
}

/** Rooms have none. */
const NO_ASSETS = new Set<AssetName>();
