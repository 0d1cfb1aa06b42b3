/**
 * Gives each tick the inputs and commands of its input window.
 *
 *     stamps       a   b      c  d        e            page time
 *     ticks      ├──────┼──────┼──────┼──────┤         due times k … k+4
 *     taken         ab      c     d       e            one exactly on a due time belongs to that tick
 *
 * After a stall, several ticks run in sequence. If the first of them took all waiting inputs, a key that was pressed
 * and released during the stall would be down for no time at all. A record stays in the queue until a tick takes it, so
 * it can be recovered from there if this thread fails.
 *
 * Commands and batches of worlds may name assets, which arrive by message: none is taken before the assets that the page sent
 * before it, nor are those behind it. In the queue, a record with their number precedes it.
 *
 * Inputs with a stamp before the window also go to this tick: they are counted as late, and not lost.
 *
 * Source: the main loop of an engine in Pascal, author unknown. It calls this sliced input.
 */
import {
  type TickInput,
  NO_TICK_INPUTS,
  type TickBatch,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import {
  decodeBatch,
  decodeCommand,
  decodeInput,
  stampOf,
} from '../../shared/input/input-record.js';
import { INPUT_RECORD } from '../../shared/memory/layout.js';
import type { QueueReader } from '../../shared/memory/record-queue.js';

interface Stamped<T> {
  readonly stampMs: number;
  readonly item: T;
}

export class TickInputQueue {
  readonly #queue: QueueReader;
  readonly #commandNames: readonly string[];
  readonly #isMerging: boolean;
  readonly #assets: { readonly received: number };
  /** In the current take: a record was passed whose assets have not arrived. */
  #lacksAssets = false;
  #payload = new Int32Array(16);
  /** Stamp of the earliest input of the last take; NaN if there was none. */
  earliestMs = Number.NaN;
  /** Inputs of the last take, counted before merging. */
  inputCount = 0;
  /** Inputs and commands of the last take whose window was over. */
  lateCount = 0;

  /**
   * @param commandNames In the order in which the page knows them.
   * @param assets The assets that have arrived. Default: no command waits.
   */
  constructor(
    queue: QueueReader,
    commandNames: readonly string[],
    isMerging = true,
    assets: { readonly received: number } = { received: Number.POSITIVE_INFINITY },
  ) {
    this.#queue = queue;
    this.#commandNames = commandNames;
    this.#isMerging = isMerging;
    this.#assets = assets;
  }

  get isBroken(): boolean {
    return this.#queue.isBroken;
  }

  /**
   * Takes the inputs, commands and batches of a tick, in order of their stamps; equal stamps in order of arrival.
   *
   * @param fromMs Page time at which the window begins: when the previous tick was to begin.
   * @param untilMs When the tick is to begin; Infinity for a tick that is stepped by hand: it takes everything.
   */
  take(fromMs: number, untilMs: number): TickInputs {
    this.earliestMs = Number.NaN;
    this.inputCount = 0;
    this.lateCount = 0;
    this.#lacksAssets = false;
    const queue = this.#queue;
    queue.begin();
    // The usual case: no garbage for a tick without inputs.
    if (!queue.next()) return NO_TICK_INPUTS;
    const inputs: Stamped<TickInput>[] = [];
    const commands: Stamped<TickCommand | TickBatch>[] = [];
    do this.#takeRecord(fromMs, untilMs, inputs, commands);
    while (queue.next());
    queue.end();
    this.inputCount = inputs.length;
    const ordered = inOrder(inputs);
    return {
      inputs: this.#isMerging ? mergeMoves(ordered) : ordered,
      commands: inOrder(commands),
    };
  }

  #takeRecord(
    fromMs: number,
    untilMs: number,
    inputs: Stamped<TickInput>[],
    commands: Stamped<TickCommand | TickBatch>[],
  ): void {
    const queue = this.#queue;
    if (queue.length > this.#payload.length) this.#payload = new Int32Array(queue.length);
    queue.read(this.#payload);
    const { type } = queue;
    if (type === INPUT_RECORD.asset) {
      this.#lacksAssets = (this.#payload[0] ?? 0) > this.#assets.received;
      if (!this.#lacksAssets) queue.take();
      return;
    }
    if (type !== INPUT_RECORD.input && this.#lacksAssets) return;
    const stampMs = stampOf(this.#payload);
    // Written so that a stamp that is NaN does not wait forever.
    if (stampMs > untilMs) return;
    queue.take();
    const isStepped = untilMs === Number.POSITIVE_INFINITY;
    const isLate = !isStepped && !(stampMs > fromMs);
    if (isLate) this.lateCount += 1;
    if (type === INPUT_RECORD.input) {
      // The first window has no beginning.
      const hasWindow = !isLate && !isStepped && fromMs !== Number.NEGATIVE_INFINITY;
      const fraction = hasWindow ? Math.fround((stampMs - fromMs) / (untilMs - fromMs)) : 0;
      inputs.push({ stampMs, item: { ...decodeInput(this.#payload), fraction } });
      if (!(stampMs >= this.earliestMs)) this.earliestMs = stampMs;
    } else if (type === INPUT_RECORD.command) {
      commands.push({ stampMs, item: decodeCommand(this.#payload, this.#commandNames) });
    } else if (type === INPUT_RECORD.batch) {
      commands.push({ stampMs, item: decodeBatch(this.#payload) });
    }
  }
}

function inOrder<T>(stamped: readonly Stamped<T>[]): T[] {
  return stamped.toSorted((a, b) => a.stampMs - b.stampMs).map(({ item }) => item);
}

/**
 * Merges moves: a mouse reports a thousand positions per second, and a tick only needs the last one.
 *
 *     inputs    move 1   move 2   move 1'  down 1   move 1''  move 1'''  wheel 3  wheel 4
 *     merged             move 2   move 1'  down 1             move 1'''           wheel 7
 *
 * Only consecutive moves are merged, so any other input finds the pointer where it was. The last move keeps its place,
 * so the pointer that moved last stays the same. `InputState` has the same content afterwards with or without merging.
 *
 * @param inputs Inputs of one tick, in order.
 */
export function mergeMoves(inputs: readonly TickInput[]): readonly TickInput[] {
  if (inputs.length < 2) return inputs;
  const merged = new Set<TickInput>();
  /** The last move of each pointer since any other input. */
  const moves = new Map<number, TickInput>();
  let wheel: TickInput | undefined;
  for (const input of inputs) {
    let kept = input;
    if (input.kind === 'pointermove') {
      const before = moves.get(input.device);
      if (before !== undefined && isOfSameButtons(before, input)) merged.delete(before);
      moves.set(input.device, input);
    } else {
      moves.clear();
    }
    if (input.kind !== 'wheel') {
      wheel = undefined;
    } else {
      if (wheel !== undefined && wheel.device === input.device && isOfSameButtons(wheel, input)) {
        merged.delete(wheel);
        // A wheel input is a distance, not a position.
        kept = { ...input, x: wheel.x + input.x, y: wheel.y + input.y, z: wheel.z + input.z };
      }
      wheel = kept;
    }
    merged.add(kept);
  }
  return [...merged];
}

const isOfSameButtons = (a: TickInput, b: TickInput): boolean => a.code === b.code && a.w === b.w;
