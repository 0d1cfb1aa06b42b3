/**
 * A recording: everything that determined a run. A replay of it is bit-identical.
 *
 * Ticks are numbered from the run's start, where tick 0 is the state before the first step. An entry with tick k
 * belongs to the step that produces tick k, except hashes and saved states, which belong to the state after tick k.
 */
import { type Json, copyOfJson } from '../util/json.js';
import type { TypedArray } from '../util/command-arguments.js';
import type { TickInput } from '../input/tick-inputs.js';
import { assetNamesIn, assetsOfBatch, type Asset, type AssetName } from './asset.js';
import { MAX_CAPACITY, MAX_VALUES } from '../memory/layout.js';
import * as LIMITS from '../util/limits.js';
import { requireChoice, requireInteger, requireObject, requireText } from '../util/validate.js';

/** How to treat a body whose pose has a NaN or an infinity. The display shows its last valid pose. */
export type InvalidPosePolicy = 'freeze' | 'remove' | 'stop';
export const INVALID_POSE_POLICIES: readonly InvalidPosePolicy[] = ['freeze', 'remove', 'stop'];

/** The parameters of a run. */
export interface RunDescription {
  /** Seed of the run's random source, an unsigned 32-bit integer. */
  readonly seed: number;
  /** Data from which the application built the run; null if from nothing. */
  readonly setup: Json;
  /** Maximum number of bodies. */
  readonly capacity: number;
  /** The engine's name, build and version, as the simulation names it; empty if it names none. */
  readonly engine: string;
  /** How bodies with an invalid pose were treated. */
  readonly invalidPoses: InvalidPosePolicy;
  /** Generation of all slots at the start, 0 to 4095: a restarted run gives out other body ids. */
  readonly generation: number;
  /** Number of the simulation's `context.values`, 0 to 65,536, which it writes although no state has them. Default 0. */
  readonly values?: number;
}

/** Defaults of what determines a run. */
export const RUN_DEFAULTS = {
  tickRateHz: 60,
  capacity: 4096,
  seed: 1,
  setup: null,
  invalidPosePolicy: 'freeze',
} as const;

/** The whole state after a tick: what the simulation saved, and what the library adds. */
export interface SavedState {
  /** Number of the tick after which it was saved. */
  readonly tick: number;
  /** In an internal format, which another version of the library may not read. */
  readonly bytes: Uint8Array;
}

/** Something that determined a tick, or the hash of its result. */
export type RecordingEntry =
  | { readonly kind: 'input'; readonly tick: number; readonly input: TickInput }
  | {
      readonly kind: 'command';
      readonly tick: number;
      readonly name: string;
      /** The arguments, a JSON array; without the last one if that is a typed array. */
      readonly args: string;
      /** The last argument, if it is a typed array. Part of the recording: do not change it. */
      readonly data?: TypedArray | undefined;
      /** Number of the call that waits for its result while the run is live; not part of a file. */
      readonly call?: number;
    }
  /** The changes that a page has made in a world. */
  | {
      readonly kind: 'batch';
      readonly tick: number;
      /** In an internal format. Part of the recording: do not change them. */
      readonly bytes: Uint8Array;
      /** Number of the call, as in a command. */
      readonly call?: number;
    }
  /** The time step from this tick on. */
  | {
      readonly kind: 'step';
      readonly tick: number;
      /** Simulated seconds of this tick and of all later ones. */
      readonly dt: number;
    }
  /** Hash of the state after the tick, 16 hexadecimal digits. */
  | { readonly kind: 'hash'; readonly tick: number; readonly hash: string };

/** Whether a page may wait for the result of an entry. */
export const hasCall = (
  entry: RecordingEntry,
): entry is Extract<RecordingEntry, { kind: 'command' | 'batch' }> =>
  entry.kind === 'command' || entry.kind === 'batch';

/** The assets that an entry of a recording names. */
export function assetsOfEntry(entry: RecordingEntry): AssetName[] {
  if (entry.kind === 'batch') return assetsOfBatch(entry.bytes);
  return entry.kind === 'command' ? assetNamesIn(entry.args) : [];
}

/** A state of the run that its worker has kept in memory, for going back faster. */
export interface KeptMark {
  /** Number of its tick. */
  readonly tick: number;
  /** Number of the state, an integer below 2^51: no state of this worker or of another has it too. */
  readonly number: number;
  /** Most ticks between two neighbours among the states that were kept when this one was. */
  readonly everyTicks: number;
  /** Bytes of all states that were kept when this one was. */
  readonly bytes: number;
}

/** Everything that determined a segment of a run. */
export interface Recording {
  /** The seed, setup and options that the run was built from. */
  readonly run: RunDescription;
  /** The state that it starts from; undefined if it starts from the setup at tick 0. */
  readonly start: SavedState | undefined;
  /** Number of the last tick. */
  readonly lastTick: number;
  /** In the order in which they happened: ticks never decrease. */
  readonly entries: readonly RecordingEntry[];
  /** Intermediate states for seeking, in ascending order of their ticks. May be empty. */
  readonly states: readonly SavedState[];
  /** The assets that its commands or its setup name, and maybe others. Default: none. */
  readonly assets?: readonly Asset[];
  /** States that the worker has kept; not part of a file, and no use in another worker. Default: none. */
  readonly kept?: readonly KeptMark[];
  /**
   * False if the run continued after `lastTick`: because the recording was full, or because the process was killed that ran it.
   * Default true.
   */
  readonly isComplete?: boolean;
}

/**
 * Checks the description of a run from a file, a saved state or an application, by the limits of `connect`: an impossible
 * run is refused before memory is allocated for it.
 *
 * @param path Precedes the names of properties in messages.
 * @returns A copy without other properties.
 * @throws TypeError, RangeError naming the property that does not match its type.
 */
export function requireRunDescription(value: unknown, path = ''): RunDescription {
  const run = requireObject<RunDescription>('the description of a run', value);
  if (run.setup === undefined) throw new TypeError(`${path}setup must be there, but is undefined`);
  return {
    seed: requireInteger(`${path}seed`, run.seed, ...LIMITS.seed),
    setup: copyOfJson(`${path}setup`, run.setup),
    capacity: requireInteger(`${path}capacity`, run.capacity, 1, MAX_CAPACITY),
    engine: requireText(`${path}engine`, run.engine),
    invalidPoses: requireChoice(`${path}invalidPoses`, run.invalidPoses, INVALID_POSE_POLICIES),
    generation: requireInteger(`${path}generation`, run.generation, ...LIMITS.generation),
    ...(run.values !== undefined && {
      values: requireInteger(`${path}values`, run.values, 0, MAX_VALUES),
    }),
  };
}

/** @throws TypeError, RangeError if it is not a step: a finite number of seconds above 0. */
export function requireStep(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a step must be a number of seconds');
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`a step must be a finite number of seconds above 0, but is ${value}`);
}
