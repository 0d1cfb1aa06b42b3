/** What a test's run comes to. */
import { BODY_ALIVE, GENERATION_MASK, bodyId, type BodyId } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import type { Recording } from '../../shared/recording/recording.js';
import type { BuiltInEvents, EventMap, UserEvent } from '../../shared/events/simulation-event.js';
import type { Pose } from '../api/bodies.js';
import type { BodyRegistry } from '../bodies/body-registry.js';

/** How things stand after a tick. */
export interface TickState {
  /** Number of the tick. */
  readonly tick: number;
  /** Where every living body is, by its id, in the order of their slots. */
  readonly poses: ReadonlyMap<BodyId, Pose>;
  /** Hash of the state, 16 hexadecimal digits: equal for equal runs. */
  readonly hash: string;
}

/**
 * An event and its name: one of the library's, or one of the simulation's own.
 *
 * @typeParam E The simulation's own events.
 */
export type TickEvent<E extends EventMap = EventMap> =
  | {
      [Name in keyof BuiltInEvents]: { readonly name: Name } & BuiltInEvents[Name];
    }[keyof BuiltInEvents]
  | { [Name in keyof E & string]: { readonly name: Name } & UserEvent<E[Name]> }[keyof E & string];

/** How a command ended. */
export interface CommandAnswer {
  /** Number of the tick that it was applied in. */
  readonly tick: number;
  /** Which command. */
  readonly name: string;
  /** What it returned. */
  readonly value: unknown;
  /** What it threw; undefined: nothing. The run goes on all the same. */
  readonly error: unknown;
}

/**
 * What a run came to: the state after its last tick, and what happened on the way.
 *
 * @typeParam E The simulation's own events.
 */
export interface TickRun<E extends EventMap = Record<never, never>> extends TickState {
  /** Everything that was told, in order. */
  readonly events: readonly TickEvent<E>[];
  /** Events for which there was no room: the queue has the usual size, and is emptied after every tick. */
  readonly lostEvents: number;
  /** How the commands ended, in the order in which they were applied. */
  readonly answers: readonly CommandAnswer[];
  /** The hashes that were asked for by `hashEveryTicks`, and that of the last tick, by tick. */
  readonly hashes: ReadonlyMap<number, string>;
  /** Everything that decided the run, with these hashes: for `replay`, and `encodeRecording`. */
  readonly recording: Recording;
  /**
   * The events of a name, in order.
   *
   * @param name One of the library's events or of the simulation's own.
   */
  eventsOf<Name extends keyof BuiltInEvents>(name: Name): readonly BuiltInEvents[Name][];
  eventsOf<Name extends keyof E & string>(name: Name): readonly UserEvent<E[Name]>[];
}

/** Where the living bodies are. */
export function posesOf(registry: BodyRegistry): ReadonlyMap<BodyId, Pose> {
  const { lanes, bodyLimit } = registry;
  const poses = new Map<BodyId, Pose>();
  for (let slot = 0; slot < bodyLimit; slot++) {
    const meta = lanes[slot * BODY_LANES + LANE.meta] ?? 0;
    if ((meta & BODY_ALIVE) === 0) continue;
    poses.set(bodyId(slot, meta & GENERATION_MASK), registry.poseAt(slot));
  }
  return poses;
}
