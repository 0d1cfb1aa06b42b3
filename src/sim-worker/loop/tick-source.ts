/** The inputs of the loop's ticks: from the page's queue, by input windows, or from a replayed recording. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { InvalidPosePolicy } from '../../shared/recording/recording.js';
import type { Schedule } from '../../shared/time/schedule.js';
import {
  NO_TICK_INPUTS,
  type TickInputs,
  type TickInput,
  type TickBatch,
  type TickCommand,
} from '../../shared/input/tick-inputs.js';
import type { HeldAssets } from '../api/assets.js';
import type { PacedTick } from './pacer.js';
import type { ReplayScript } from '../run/replay.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { WorkerStatistics } from './worker-statistics.js';
import {
  decodeBatch,
  decodeCommand,
  decodeInput,
  stampOf,
} from '../../shared/input/input-record.js';
import { releasesOf } from '../../shared/input/releases.js';
import { mergeMoves } from '../../shared/input/merge-moves.js';
import { INPUT_RECORD } from '../../shared/memory/layout.js';
import type { QueueReader } from '../../shared/memory/record-queue.js';

interface Stamped<T> {
  readonly stampMs: number;
  readonly item: T;
}

type ReceivedAssets = Pick<HeldAssets, 'received'>;

const ALL_ASSETS: ReceivedAssets = { received: Number.POSITIVE_INFINITY };

interface TickInputQueueParts {
  readonly queue: QueueReader;
  /** In the order in which the page knows them. */
  readonly commandNames: readonly string[];
  /** The assets that have arrived. Default: no command waits. */
  readonly assets?: ReceivedAssets;
  /**
   * Whether batches wait for no input window: in the page's own thread, code that runs within the tick finds all that the page
   * has made. Default false.
   */
  readonly takesAllBatches?: boolean;
}

/**
 * Gives each tick the inputs and commands of its input window.
 *
 *     stamps       a   b      c  d        e            page time
 *     ticks      ├──────┼──────┼──────┼──────┤         begin k … k+4, each when it is due or a little later
 *     taken         ab      c     d       e            one exactly when a tick begins belongs to that tick
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
export class TickInputQueue {
  readonly #queue: QueueReader;
  readonly #commandNames: readonly string[];
  readonly #assets: ReceivedAssets;
  readonly #takesAllBatches: boolean;
  /** In the current take: a record was passed whose assets have not arrived. */
  #lacksAssets = false;
  #payload = new Int32Array(16);
  /** Stamp of the earliest input of the last take; NaN if there was none. */
  earliestMs = Number.NaN;
  /** Inputs of the last take, counted before merging. */
  inputCount = 0;
  /** Inputs and commands of the last take whose window was over. */
  lateCount = 0;

  constructor(parts: TickInputQueueParts) {
    const { queue, commandNames, assets = ALL_ASSETS, takesAllBatches = false } = parts;
    this.#queue = queue;
    this.#commandNames = commandNames;
    this.#assets = assets;
    this.#takesAllBatches = takesAllBatches;
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
    return { inputs: mergeMoves(inOrder(inputs)), commands: inOrder(commands) };
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
    const isWaiting = stampMs > untilMs;
    if (isWaiting && !(this.#takesAllBatches && type === INPUT_RECORD.batch)) return;
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

interface TickSourceParts {
  readonly run: SimulationRun;
  readonly inputQueue: TickInputQueue;
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
}

/** Provides the inputs of the next tick: from the page, or from a replayed recording. */
export class TickSource {
  readonly #run: SimulationRun;
  readonly #inputQueue: TickInputQueue;
  readonly #schedule: Schedule;
  readonly #statistics: WorkerStatistics;
  /** Page time at which the next tick's input window begins: when the previous tick was to begin. */
  #inputWindowStartMs = Number.NEGATIVE_INFINITY;
  #script: ReplayScript | undefined;
  /** How to treat invalid bodies: in the page's own run, and in the replayed recording. */
  readonly #ownPolicy: InvalidPosePolicy;
  #policy: InvalidPosePolicy;
  /** Inputs of the next tick before those of the page. */
  #releases: readonly TickInput[] = [];
  /** Page time of the earliest input from the page in the last tick, in ms; NaN: none. */
  inputMs = Number.NaN;

  constructor({ run, inputQueue, schedule, statistics }: TickSourceParts) {
    this.#run = run;
    this.#inputQueue = inputQueue;
    this.#schedule = schedule;
    this.#statistics = statistics;
    this.#ownPolicy = run.invalidPosePolicy;
    this.#policy = run.invalidPosePolicy;
  }

  /** Ticks left in the replayed recording; Infinity if there is none. */
  get ticksLeft(): number {
    if (this.#script === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#script.lastTick - this.#run.tick);
  }

  /** From the next tick on, a script provides the inputs, up to and including its last tick. */
  startReplay(script: ReplayScript, policy: InvalidPosePolicy): void {
    this.#script = script;
    this.#policy = policy;
    this.settle();
  }

  /** From the next tick on, the page provides the inputs. Returns the report of the replay that ends. */
  stopReplay(): ReplayReport | undefined {
    const report = this.#report();
    this.#script = undefined;
    this.#policy = this.#ownPolicy;
    this.settle();
    return report;
  }

  /** The next tick begins with inputs that release all that the run holds. */
  releaseInputs(): void {
    this.#releases = releasesOf(this.#run.input);
  }

  /** Applies this source's journaling and policy to the run, after a seek may have changed them. */
  settle(): void {
    this.#run.journal?.setOn(this.#script === undefined);
    this.#run.events.isReplayed = this.#script !== undefined;
    this.#run.invalidPosePolicy = this.#policy;
  }

  /** The report of a replayed recording that has ended; undefined otherwise. */
  get endReport(): ReplayReport | undefined {
    return this.ticksLeft === 0 ? this.#report() : undefined;
  }

  /** Simulated seconds of the next tick: as recorded, or as scheduled. */
  get dt(): number {
    return this.#script?.dtOf(this.#run.tick + 1) ?? this.#schedule.dt;
  }

  /** The inputs and commands of the next tick. `nowMs` is page time. */
  tickInputsOf(tick: PacedTick, nowMs: number): TickInputs {
    this.inputMs = Number.NaN;
    if (this.#script !== undefined) return this.#script.tickInputsOf(this.#run.tick + 1);
    const isStepped = tick.dueVirtualMs > this.#schedule.pausedAtVirtualMs;
    const beginMs = tick.beginVirtualMs + this.#schedule.shiftMs;
    // A tick that is stepped by hand has no input window: it takes everything in the queue.
    const untilMs = isStepped ? Number.POSITIVE_INFINITY : beginMs;
    const taken = this.#inputQueue.take(this.#inputWindowStartMs, untilMs);
    if (!isStepped) this.#inputWindowStartMs = beginMs;
    if (taken !== NO_TICK_INPUTS) {
      this.inputMs = this.#inputQueue.earliestMs;
      const { inputCount, lateCount } = this.#inputQueue;
      const commandCount = taken.commands.length;
      this.#statistics.recordInputs(inputCount, commandCount, lateCount, nowMs - this.inputMs);
    }
    const releases = this.#releases;
    if (releases.length === 0) return taken;
    this.#releases = [];
    return { ...taken, inputs: [...releases, ...taken.inputs] };
  }

  /**
   * Must be called after each tick. Returns the comparison so far if the recording has a hash of this tick, unless it
   * ends with it; see `endReport`.
   */
  check(): ReplayReport | undefined {
    const hasCompared = this.#script?.check(this.#run) === true;
    return hasCompared && this.ticksLeft > 0 ? this.#report() : undefined;
  }

  #report(): ReplayReport | undefined {
    return this.#script?.report(this.#run.tick);
  }
}
