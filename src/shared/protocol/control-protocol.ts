/**
 * The messages between page and worker. Comlink carries the calls; everything whose cost matters goes through shared
 * memory instead.
 */
import type { BodyId } from '../memory/body-meta.js';
import type {
  KeptMark,
  InvalidPosePolicy,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../recording/recording.js';
import type { Asset } from '../recording/asset.js';
import type { Json } from '../util/json.js';
import type { ThrownError } from '../util/errors.js';
import type { WorkerMemory, WorkerUpdate } from './transport.js';

/**
 * Whether the page wants the simulation to run, and how fast. State, and not a change: of several paces the last one
 * counts, and a worker that takes the place of another is given the same one.
 */
export interface Pace {
  readonly isPaused: boolean;
  /**
   * How often the page has resumed the simulation. A worker may pause by itself (an invalid pose, the end of a replay). Only
   * another count resumes it, and not a pace that the page sent before it knew.
   */
  readonly resumes: number;
  readonly tickRateHz: number;
  /** Simulated seconds per second. */
  readonly timeScale: number;
  /** Most ticks of a pass. */
  readonly maxCatchUpTicks: number;
}

/** How the worker runs. Complete: the page has filled in the defaults. */
export interface WorkerOptions {
  readonly tickRateHz: number;
  readonly timeScale: number;
  readonly maxCatchUpTicks: number;
  /** Least turns of the event loop per second for the application's own timers, promises and messages. */
  readonly turnsPerSecond: number;
  readonly seed: number;
  readonly setup: Json;
  /** Send the page everything that determines the run. */
  readonly isRecorded: boolean;
  /** Interval of state hashes while recorded, in ticks; 0: none. */
  readonly hashEveryTicks: number;
  /** Interval of states saved for the page while recorded, in ticks; 0: none. */
  readonly saveEveryTicks: number;
  /** Seconds of simulated time for which states are kept in the worker while the run is recorded; 0: none are kept. */
  readonly rewindSeconds: number;
  /** Most bytes of the states that are kept; 0: none are kept. */
  readonly keptBytes: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
  /** Draw what the loop does in the performance panel. */
  readonly devtools: boolean;
  /** Where to continue from instead of the beginning. */
  readonly resumeFrom: SeekRequest | undefined;
}

/** The worker's report about its simulation when it is initialized. */
export interface SimulationInfo {
  /** Commands go through the input queue, as indices of this list, and are recorded. */
  readonly commands: readonly string[];
  /** Queries run between two ticks, as soon as they arrive. */
  readonly queries: readonly string[];
  /** The simulation has `save` and `restore`. */
  readonly canSave: boolean;
}

/** For how long states are kept in the worker, and most bytes of all of them. */
export type KeptLimits = Pick<WorkerOptions, 'rewindSeconds' | 'keptBytes'>;

/** The worker's report of a state that it has kept. */
export interface KeptReport extends KeptMark {
  readonly kind: 'kept';
  /** The oldest tick that is kept. */
  readonly since: number;
}

/** A segment of a run to replay. */
export interface SeekRequest {
  readonly run: RunDescription;
  /** Where to start; undefined: at tick 0, built from the run's seed and setup. */
  readonly from: SavedState | undefined;
  /** The inputs, commands and time steps of the ticks after it. */
  readonly entries: readonly RecordingEntry[];
  /** States of the same run that the worker has kept: a newer one takes the place of `from`, if it is still there. */
  readonly kept?: readonly KeptMark[] | undefined;
  /** Last tick. */
  readonly untilTick: number;
  /**
   * After `untilTick`, the ticks up to and including this one receive the entries too: a recording is being shown.
   * Undefined: they receive what the page sends.
   */
  readonly shownUntil?: number | undefined;
  /**
   * Number of restarts of the run when the page asked: if it has been restarted since, the seek rejects. Undefined:
   * any number.
   */
  readonly restarts?: number | undefined;
  /** The ticks of saved states of the recording that is shown: the worker sends its own of the first one that differs. */
  readonly checkpoints?: readonly number[];
  /** Whether what is held at the end is released: the player may hold something else by now. Default false. */
  readonly isJump?: boolean;
  /** Whether the state may be of other code, so that parts which cannot restore theirs begin without it. Default false. */
  readonly isNewCode?: boolean;
}

/** Where a seek ended. */
export interface Arrival {
  /** Number of the last tick, and how the hashes on the way compare. */
  readonly report: ReplayReport;
  /** The run that it ended in: a saved state may belong to another one. */
  readonly run: RunDescription;
}

/** The calls that the worker answers, each between two ticks. */
export interface WorkerControl {
  /** Opens the memory and runs the simulation's `init`. */
  initialize(memory: WorkerMemory, options: WorkerOptions): Promise<SimulationInfo>;
  /**
   * Keeps assets for the simulation; before `initialize`, too.
   *
   * @param newest How many it has received with these.
   */
  addAssets(assets: readonly Asset[], newest: number): void;
  /** Answers clock pings for a few milliseconds; see clock-sync.ts. */
  alignClock(): void;
  /** Sets worker clock minus page clock, in ms. */
  setClockOffset(offsetMs: number): void;
  /** The worker's `performance.timeOrigin`, for use if no ping was answered. */
  timeOrigin(): number;
  /** The worker's clock now, in ms, for use if pings cannot be answered through memory. */
  clockMs(): number;
  /** Resolution of the worker's clock, in ms; see clock-sync.ts. */
  clockResolutionMs(): number;
  /** Starts the ticks; paused, if the pace says so. */
  start(pace: Pace): void;
  /**
   * Follows a pace from now on. Before a pause, the due ticks run, up to the catch-up limit.
   *
   * @throws TypeError or RangeError if there is no such pace.
   */
  follow(pace: Pace): void;
  /** While paused: runs ticks. Resolves with the number of the last tick when they have run. */
  step(ticks: number): Promise<number>;
  /** Runs one of the simulation's queries. Resolves with its result. */
  query(name: string, args: readonly unknown[]): Promise<unknown>;
  /** The whole state after the last tick. */
  save(): SavedState;
  /**
   * Seeks to the end of a segment: restores its start and runs its ticks immediately, without drawing them. If it
   * rejects, the run is where it was.
   */
  seek(request: SeekRequest): Promise<Arrival>;
  /**
   * Returns to the page's inputs, from any tick of the replay. Resolves with the comparison so far; undefined: no
   * recording is shown.
   */
  closeReplay(): ReplayReport | undefined;
  /**
   * An answer means that the worker takes calls, and that everything which it posted before has arrived.
   *
   * @returns In development: the address of the worker's script, if it has one.
   */
  ready(): string | undefined;
  /** Leaves the loop. Also wakes a paused worker, which the stop word does not. */
  stop(): void;
}

/** How a replay compares with the recording. */
export interface ReplayReport {
  /** Number of the last replayed tick. */
  readonly tick: number;
  /** Number of hashes compared. */
  readonly hashes: number;
  /** Number of the first tick whose hash differs; undefined: none. */
  readonly differsAt: number | undefined;
  /** Number of the last tick before it whose hash is equal; 0: none. */
  readonly equalUpTo: number;
  /**
   * Names the first body that differs, by its tag or its id, with the recorded and the replayed values, at the first saved
   * state of the recording from `differsAt` on. Undefined before, without a difference, and without such a state.
   */
  readonly difference?: string;
}

/** Something that determines the run, as the worker reports it to the page. */
export type JournalItem =
  | RecordingEntry
  /** The run restarts: earlier items belong to another run. */
  | {
      readonly kind: 'restart';
      readonly run: RunDescription;
      /** Number of restarts up to this one. */
      readonly restarts: number;
    }
  | { readonly kind: 'state'; readonly state: SavedState }
  | KeptReport;

/** Posted before the step that it describes. */
export interface JournalMessage {
  readonly type: 'betwixt:journal';
  readonly items: readonly JournalItem[];
}

/**
 * Which bodies came and went in a tick. Posted before the first state that shows it, and only if there are any; also
 * when the ticks start, and after each jump, with all bodies.
 */
export interface BodiesMessage {
  readonly type: 'betwixt:bodies';
  /** Ordinal of the first state that has these bodies. The first message of a worker has 0. */
  readonly state: number;
  /** Tick and virtual time of that state. */
  readonly tick: number;
  readonly virtualMs: number;
  /** `spawned` are all bodies; otherwise, those since the last message. */
  readonly isComplete: boolean;
  readonly spawned: readonly BodyId[];
  /** The tag of each spawned body, as JSON. */
  readonly tags: readonly string[];
  readonly despawned: readonly BodyId[];
}

/** How a command ended. */
export interface Reply {
  readonly call: number;
  readonly value?: unknown;
  readonly error?: ThrownError;
}

/** How the commands of a tick ended. Posted when the tick is done, so that they are part of the run. */
export interface RepliesMessage {
  readonly type: 'betwixt:replies';
  readonly tick: number;
  readonly replies: readonly Reply[];
}

/** The worker's reports about itself. Rare; each notice is posted when it happens. */
export type WorkerNotice =
  /**
   * Less than 95 % of the ticks that were due in the last second ran, so the simulation is in slow motion; or, with
   * `isSlow` false, more than 99 % again.
   */
  | { readonly kind: 'slow'; readonly isSlow: boolean; readonly tick: number }
  /** A body's pose could not be drawn, and what was done about it. */
  | {
      readonly kind: 'invalid-pose';
      readonly body: BodyId;
      /** The tag that it was spawned with; null if it has none. */
      readonly tag: Json;
      readonly tick: number;
      readonly policy: InvalidPosePolicy;
    }
  | { readonly kind: 'gap'; readonly gapMs: number }
  | { readonly kind: 'replayed'; readonly report: ReplayReport };

/** The state of the recording that is shown, at the first of its checkpoints that differs. Posted once. */
export interface DifferingStateMessage {
  readonly type: 'betwixt:replay-state';
  readonly state: SavedState;
  /** As in the report. */
  readonly differsAt: number;
}

/** The recording that was shown was closed before its end. */
export interface ReplayStoppedMessage {
  readonly type: 'betwixt:replay-stopped';
  /** The error of one of its steps: the previous run is restored and paused. Undefined: a query restarted the run. */
  readonly thrown: (ThrownError & { readonly tick: number }) | undefined;
}

/** Everything that a worker posts besides Comlink's messages. */
export type WorkerMessage =
  | JournalMessage
  | BodiesMessage
  | RepliesMessage
  | WorkerUpdate
  /**
   * The simulation threw in `init` or a tick, after which the worker no longer ticks, or the page posted an invalid
   * message, or the library's code failed.
   */
  | (ThrownError & {
      readonly type: 'betwixt:failure';
      readonly stage: 'init' | 'tick' | 'protocol';
      readonly tick: number;
    })
  | { readonly type: 'betwixt:notice'; readonly notice: WorkerNotice }
  /** How the recording that is shown compares so far. Posted at each hash before its last tick. */
  | { readonly type: 'betwixt:replay-report'; readonly report: ReplayReport }
  | DifferingStateMessage
  | ReplayStoppedMessage
  /** There are events; posted if the page asked for it. */
  | { readonly type: 'betwixt:events' };

/** The page's first message: everything else of a simulation goes through the private port that it brings. */
export const PORT_MESSAGE = 'betwixt:port';

/** Whether data is one of the messages above. All others are Comlink's. */
export function isWorkerMessage(data: unknown): data is WorkerMessage {
  const type = (data as Partial<WorkerMessage> | null | undefined)?.type;
  return typeof type === 'string' && type.startsWith('betwixt:');
}

/** A simulation's commands or queries: any functions whose arguments and results can be cloned. */
export type CommandMap = Record<string, (...args: never[]) => unknown>;

/** The same functions as the page calls them: each returns a promise. */
export type RemoteCommands<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};
