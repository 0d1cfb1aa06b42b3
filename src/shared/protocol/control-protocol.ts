/**
 * What page and worker say to each other by message. Comlink carries the calls; everything whose cost
 * matters goes through shared memory instead.
 */

import type { BodyId } from '../memory/body-meta.js';
import type {
  InvalidPosePolicy,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../recording/recording.js';
import type { Json } from '../util/json.js';
import type { WorkerStepperOptions } from '../loops/worker-steppers.js';
import type { WorkerMemory, WorkerUpdate } from './transport.js';
import type { WatchdogState } from '../statistics/watchdog.js';
import type { WatchdogOptions } from '../statistics/watchdog-options.js';

/** How the worker is to run. Complete: the page has filled in the defaults. */
export interface WorkerOptions {
  readonly tickRateHz: number;
  readonly timeScale: number;
  readonly maxCatchUpTicks: number;
  readonly stepper: WorkerStepperOptions;
  /** Start paused, at tick 0. */
  readonly startPaused: boolean;
  readonly seed: number;
  readonly setup: Json;
  /** Moves of one tick are merged. */
  readonly mergeMoves: boolean;
  /** Tell the page what decides the run. */
  readonly isRecorded: boolean;
  /** A state hash every so many ticks while recorded; 0: none. */
  readonly hashEveryTicks: number;
  /** A saved state for the page every so many ticks while recorded; 0: none. */
  readonly saveEveryTicks: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
  readonly watchdog: Required<WatchdogOptions>;
  /** Where to go on from instead of the beginning. */
  readonly resumeFrom: SeekRequest | undefined;
}

/** What the worker says of its simulation when it is initialized. */
export interface SimulationInfo {
  /** What goes through the queue of inputs and is recorded; a record names a command by its place here. */
  readonly commands: readonly string[];
  /** What runs between two ticks, as soon as it arrives. */
  readonly queries: readonly string[];
  /** The simulation has `save` and `restore`. */
  readonly canSave: boolean;
}

/** A segment of a run to be gone through again. */
export interface SeekRequest {
  readonly run: RunDescription;
  /** Where to begin; undefined: at tick 0, built from the run's seed and setup. */
  readonly from: SavedState | undefined;
  /** What the ticks after it are given. */
  readonly entries: readonly RecordingEntry[];
  /** Last tick. */
  readonly untilTick: number;
  /**
   * From there on the ticks are given what the entries say, up to and with this tick: a recording that is shown.
   * Undefined: they are given what the page sends.
   */
  readonly shownUntil?: number | undefined;
  /**
   * How often the run had been started over when the page asked: meanwhile it may be another one, and then it stays
   * that. Undefined: it does not matter.
   */
  readonly restarts?: number | undefined;
}

/** Where a run has been taken to. */
export interface Arrival {
  /** Number of the last tick, and how the hashes on the way compare. */
  readonly report: ReplayReport;
  /** What the run is that it stands in: a saved state may be one of another. */
  readonly run: RunDescription;
}

/** The calls that the worker answers, each between two ticks. */
export interface WorkerControl {
  /** Opens the memory and runs the simulation's `init`. */
  initialize(memory: WorkerMemory, options: WorkerOptions): Promise<SimulationInfo>;
  /** Answers clock pings for a few milliseconds; see clock-sync.ts. */
  alignClock(): void;
  /** Worker clock minus page clock, in ms, from now on. */
  setClockOffset(offsetMs: number): void;
  /** The worker's `performance.timeOrigin`, for when no ping was answered. */
  timeOrigin(): number;
  /** The worker's clock now, in ms, where pings cannot be answered through memory. */
  clockMs(): number;
  /** By how much the worker's clock moves at a time, in ms; see clock-sync.ts. */
  clockStepMs(): number;
  /** Begins to tick. */
  start(): void;
  pause(): void;
  /** Also starts the watchdog anew. */
  resume(): void;
  /** While paused: runs ticks. Resolves with the last tick's number when they have run. */
  step(ticks: number): Promise<number>;
  setTickRate(tickRateHz: number): void;
  setTimeScale(timeScale: number): void;
  setMaxCatchUpTicks(ticks: number): void;
  /** Runs one of the simulation's queries. Resolves with what it returns. */
  query(name: string, args: readonly unknown[]): Promise<unknown>;
  /** The whole state after the last tick. */
  save(): SavedState | Promise<SavedState>;
  /**
   * Goes to where a segment of a run ends: restores, and runs its ticks at once, without drawing them. If it rejects,
   * the run is where it was.
   */
  seek(request: SeekRequest): Promise<Arrival>;
  /**
   * Ends the seek that is under way, which rejects; one of a simulation that cannot be saved has come as far as it has.
   * Resolves when it has ended; with false if there was none any more to be ended.
   */
  stopSeek(): Promise<boolean>;
  /** Back to the page's inputs, from wherever the replay is. Resolves with how it compares so far; undefined: none is shown. */
  closeReplay(): ReplayReport | undefined;
  /** Starts the watchdog anew. */
  resetWatchdog(): void;
  /**
   * Makes one of the other calls, unless the page has withdrawn it.
   *
   * @param guard Decides which; see call-guard.ts.
   * @returns What the call returns; undefined if it was withdrawn.
   */
  guarded(guard: Int32Array, name: GuardedCall, args: readonly unknown[]): unknown;
  /** Does nothing. That it is answered says that the worker takes calls now, where memory is not shared. */
  ready(): void;
  /** Takes a command out of the queue, where the page cannot. Resolves with false if a tick has taken it. */
  withdraw(call: number): boolean;
  /** Leaves the loop. Also wakes a paused worker, which the stop word alone does not. */
  stop(): void;
}

/** The calls that a page may withdraw while the worker has not begun them. */
export type GuardedCall = Exclude<keyof WorkerControl, 'guarded'>;

/** How a replay compares with what was recorded. */
export interface ReplayReport {
  /** Number of the last tick that was replayed. */
  readonly tick: number;
  /** Hashes that were compared. */
  readonly hashes: number;
  /** Number of the first tick whose hash differs; undefined: none does. */
  readonly differsAt: number | undefined;
  /** Number of the last tick before it whose hash is equal; 0: none. */
  readonly equalUpTo: number;
}

/** Something that decides how a run goes, as the worker tells the page. */
export type JournalItem =
  | RecordingEntry
  /** The run starts over: what was told before is another run's. */
  | {
      readonly kind: 'restart';
      readonly run: RunDescription;
      /** How often it has been started over by then. */
      readonly restarts: number;
    }
  | { readonly kind: 'state'; readonly state: SavedState };

/** Posted before the step that it tells of. */
export interface JournalMessage {
  readonly type: 'betwixt:journal';
  readonly items: readonly JournalItem[];
}

/** How a command ended; posted when its tick is done, so it is a part of the run. */
export interface ReplyMessage {
  readonly type: 'betwixt:reply';
  readonly call: number;
  readonly tick: number;
  readonly value?: unknown;
  readonly error?: ThrownError;
}

/** What the worker says about itself. Rare; each is told when it happens. */
export type WorkerNotice =
  | { readonly kind: 'watchdog'; readonly state: WatchdogState; readonly tick: number }
  /** A body's pose could not be drawn, and what was done about it. */
  | {
      readonly kind: 'invalid-pose';
      readonly body: BodyId;
      readonly tick: number;
      readonly policy: InvalidPosePolicy;
    }
  | { readonly kind: 'gap'; readonly gapMs: number }
  | { readonly kind: 'replayed'; readonly report: ReplayReport };

/** What of an error gets across. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export interface NoticeMessage {
  readonly type: 'betwixt:notice';
  readonly notice: WorkerNotice;
}

/** How the recording that is shown compares so far, with each hash before its last tick. */
export interface ReplayReportMessage {
  readonly type: 'betwixt:replay-report';
  readonly report: ReplayReport;
}

/** The recording that was shown is not shown any more, before its end. */
export interface ReplayStoppedMessage {
  readonly type: 'betwixt:replay-stopped';
  /** What a step of it threw: the run from before it is back, and stands. Undefined: a query restarted the run. */
  readonly thrown: (ThrownError & { readonly tick: number }) | undefined;
}

/** The page asked to be told that there are events. */
export interface EventsMessage {
  readonly type: 'betwixt:events';
}

/** Everything that a worker posts beside Comlink's messages. */
export type WorkerMessage =
  | WorkerFailureMessage
  | JournalMessage
  | ReplyMessage
  | NoticeMessage
  | ReplayReportMessage
  | ReplayStoppedMessage
  | EventsMessage
  | WorkerUpdate;

/** Posted when the simulation threw in a tick, after which the worker stands still, or what the page posted cannot be. */
export interface WorkerFailureMessage extends ThrownError {
  readonly type: 'betwixt:failure';
  readonly stage: 'tick' | 'protocol';
  readonly tick: number;
}

/** The very first message of the page: everything else goes through the port that it brings, which is nobody else's. */
export const PORT_MESSAGE = 'betwixt:port';

/** Whether it is one of the messages above. Others are Comlink's. */
export function isWorkerMessage(data: unknown): data is WorkerMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    typeof data.type === 'string' &&
    data.type.startsWith('betwixt:')
  );
}

/** A simulation's commands, or its queries: any functions whose arguments and results can be cloned. */
export type CommandMap = Record<string, (...args: never[]) => unknown>;

/** The same functions as the page sees them: each returns a promise. */
export type RemoteCommands<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};
