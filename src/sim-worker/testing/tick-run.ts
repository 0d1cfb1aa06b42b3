/** The result of a test's run. */
import { slotOf, type BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';
import type { Recording } from '../../shared/recording/recording.js';
import type { BuiltInEvents, EventMap, UserEvent } from '../../shared/events/simulation-event.js';
import type { Pose } from '../api/bodies.js';
import type { BodyRegistry } from '../bodies/body-registry.js';

/** The state after a tick. */
export interface TickState {
  /** Number of the tick. */
  readonly tick: number;
  /** The poses of all living bodies, by id, in the order of their slots. */
  readonly poses: ReadonlyMap<BodyId, Pose>;
  /** Their tags, in the same order; null for those without. */
  readonly tags: ReadonlyMap<BodyId, Json>;
  /** A copy of the simulation's `context.values`. */
  readonly values: Float32Array;
  /** Hash of the state, 16 hexadecimal digits: equal for equal runs. */
  readonly hash: string;
}

/**
 * An event with its name: a built-in or a custom one.
 *
 * @typeParam E The simulation's custom events.
 */
export type TickEvent<E extends EventMap = EventMap> =
  | {
      [Name in keyof BuiltInEvents]: { readonly name: Name } & BuiltInEvents[Name];
    }[keyof BuiltInEvents]
  | { [Name in keyof E & string]: { readonly name: Name } & UserEvent<E[Name]> }[keyof E & string];

/** The outcome of a command. */
export interface CommandAnswer {
  /** Number of the tick in which it ran. */
  readonly tick: number;
  /** The command. */
  readonly name: string;
  /** What it returned. */
  readonly value: unknown;
  /** What it threw; undefined if nothing. The run continues in either case. */
  readonly error: unknown;
}

/**
 * The result of a run: the state after its last tick, and what happened on the way.
 *
 * @typeParam E The simulation's custom events.
 */
export interface TickRun<E extends EventMap = Record<never, never>> extends TickState {
  /** All reported events, in order. */
  readonly events: readonly TickEvent<E>[];
  /** Events lost because the queue was full: it has the default size and is emptied after every tick. */
  readonly lostEvents: number;
  /** The outcomes of the commands, in the order in which they ran. */
  readonly answers: readonly CommandAnswer[];
  /** The hashes requested by `hashEveryTicks`, and that of the last tick, by tick. */
  readonly hashes: ReadonlyMap<number, string>;
  /** Everything that determined the run, with these hashes: for `replay` and `encodeRecording`. */
  readonly recording: Recording;
  /**
   * The events with a name, in order.
   *
   * @param name A built-in or custom event.
   */
  eventsOf<Name extends keyof BuiltInEvents>(name: Name): readonly BuiltInEvents[Name][];
  eventsOf<Name extends keyof E & string>(name: Name): readonly UserEvent<E[Name]>[];
}

/** The poses of the living bodies. */
export function posesOf(registry: BodyRegistry): ReadonlyMap<BodyId, Pose> {
  return new Map(registry.ids().map((id) => [id, registry.poseAt(slotOf(id))]));
}

/** The tags of the living bodies. */
export function tagsOf(registry: BodyRegistry): ReadonlyMap<BodyId, Json> {
  return new Map(registry.ids().map((id) => [id, registry.tag(id) ?? null]));
}
