/**
 * A recording: everything that decided how a run went. Replayed, it goes the same way again, bit for bit.
 *
 * Ticks are numbered from the run's start, where tick 0 is the state before the first step. An entry with tick k
 * belongs to the step that makes tick k, except hashes and saved states, which are of the state after tick k.
 */
import type { Json } from '../util/json.js';
import type { TickInput } from '../input/input-event.js';

/** What happens to a body whose pose has a NaN or an infinity. The display shows its last good pose. */
export type InvalidPosePolicy = 'freeze' | 'remove' | 'stop';
export const INVALID_POSE_POLICIES: readonly InvalidPosePolicy[] = ['freeze', 'remove', 'stop'];

/** What the run was. */
export interface RunDescription {
  /** Seed of the run's random source, a whole number of 32 bits without sign. */
  readonly seed: number;
  /** What the application built the run from; null when it built from nothing. */
  readonly setup: Json;
  /** Most bodies. */
  readonly capacity: number;
  /** The engine's name, build and version, as the simulation names it; empty when it names none. */
  readonly engine: string;
  /** What was done with bodies that went bad. */
  readonly invalidPoses: InvalidPosePolicy;
  /** Generation of all slots when it began, 0 to 4095: a run that starts over gives out other body ids. */
  readonly generation: number;
}

/** Defaults of what decides a run. */
export const RUN_DEFAULTS = {
  tickRateHz: 60,
  capacity: 4096,
  seed: 1,
  setup: null,
  invalidPosePolicy: 'freeze',
} as const;

/** The whole state after a tick: what the simulation saved and what the library adds to it. */
export interface SavedState {
  /** Number of the tick after which it was saved. */
  readonly tick: number;
  /** In a form of the library's own; `encodeSavedState` makes a file of it. */
  readonly bytes: Uint8Array;
}

/** Something that decided a tick, or tells how it came out. */
export type RecordingEntry =
  | { readonly kind: 'input'; readonly tick: number; readonly input: TickInput }
  | {
      readonly kind: 'command';
      readonly tick: number;
      readonly name: string;
      /** The arguments, a JSON array. */
      readonly args: string;
      /** Number of the call that waits for its result while the run is live; no part of a file. */
      readonly call?: number;
    }
  /** From this tick on a step is so many simulated seconds. */
  | {
      readonly kind: 'step';
      readonly tick: number;
      /** Simulated seconds of this tick and of those after it. */
      readonly dt: number;
    }
  /** Of the state after the tick, 16 hexadecimal digits. */
  | { readonly kind: 'hash'; readonly tick: number; readonly hash: string };

/** Everything that decided a segment of a run. */
export interface Recording {
  /** What the run was built from. */
  readonly run: RunDescription;
  /** The state that it starts from; undefined when it starts from the setup at tick 0. */
  readonly start: SavedState | undefined;
  /** Number of the last tick that it covers. */
  readonly lastTick: number;
  /** In the order in which things happened: ticks never go down. */
  readonly entries: readonly RecordingEntry[];
  /** States on the way, ticks going up, for seeking. May be empty. */
  readonly states: readonly SavedState[];
  /** False when the recording was full: the run went on after `lastTick`. Default true. */
  readonly isComplete?: boolean;
}
