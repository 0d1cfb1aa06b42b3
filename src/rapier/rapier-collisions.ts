/**
 * Reports the collisions of colliders to the page and to the simulation. Which colliders touch is known to
 * rapier-events.ts, which reports the contacts of their bodies from the same pairs.
 */
import type { AnyCollider, AnyWorld } from './any-rapier.js';
import { writeCollision, EVENT_RECORD } from '../shared/events/event-record.js';
import type { Collision } from '../shared/events/simulation-event.js';
import type { PairReports } from '../sim-worker/api/events.js';
import { MeetingReader, StepVelocities, UNKNOWN_MEETING, type Meeting } from './rapier-meeting.js';
import type { BodyPair, CollisionOf } from './touching-pair.js';

/** Whose collision it is. The same at its begin and its end. */
export type CollisionSides = Pick<Collision, 'a' | 'b' | 'colliderA' | 'colliderB' | 'isSensor'> & {
  /** The first side is the second of the colliders, of which the one with the lower handle comes first. */
  readonly isSwapped: boolean;
};

/** Receives a collision in the tick in which it begins or ends. */
export type CollisionHandler = (collision: Collision) => void;

export class RapierCollisions {
  readonly #reporter: Partial<PairReports>;
  readonly #velocities = new StepVelocities();
  readonly #meetings = new MeetingReader(this.#velocities);
  readonly #handlers: CollisionHandler[] = [];

  /** @param reporter One without `pair` leaves out the page. */
  constructor(reporter: Partial<PairReports>) {
    this.#reporter = reporter;
  }

  get hasHandlers(): boolean {
    return this.#handlers.length > 0;
  }

  addHandler(handler: CollisionHandler): void {
    this.#handlers.push(handler);
  }

  /** Must be called before each step after which {@link meeting} is called. */
  beforeStep(world: AnyWorld): void {
    this.#velocities.capture(world);
  }

  /** How two colliders met in the step that has just been done. */
  meeting(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): Meeting {
    return c1.isSensor() || c2.isSensor() ? UNKNOWN_MEETING : this.#meetings.read(world, c1, c2);
  }

  report(
    { isSwapped, ...sides }: CollisionSides,
    isOn: boolean,
    isLate: boolean,
    meeting: Meeting,
  ): void {
    const phase = isOn ? 'begin' : 'end';
    const collision = { phase, ...sides, ...(isSwapped ? flipped(meeting) : meeting) } as const;
    const { colliderA, colliderB } = sides;
    this.#reporter.pair?.(
      EVENT_RECORD.collision,
      colliderA,
      colliderB,
      isOn,
      isLate,
      (record, isKnown) =>
        writeCollision(record, isKnown ? collision : { ...collision, ...UNKNOWN_MEETING }),
    );
    if (isLate) return;
    for (const handler of this.#handlers) handler(collision);
  }
}

/** @param numberOf The number by which the page knows a collider. */
export const collisionOf = (
  c1: AnyCollider,
  c2: AnyCollider,
  numberOf: (collider: AnyCollider) => number,
): CollisionOf => ({
  number1: numberOf(c1),
  number2: numberOf(c2),
  isSensor: c1.isSensor() || c2.isSensor(),
});

export function sidesOf(
  { a, b }: BodyPair,
  { number1, number2, isSensor }: CollisionOf,
): CollisionSides {
  const isSwapped = b !== undefined && (a === undefined || b < a);
  return isSwapped
    ? { a: b, b: a, colliderA: number2, colliderB: number1, isSensor, isSwapped }
    : { a, b, colliderA: number1, colliderB: number2, isSensor, isSwapped };
}

function flipped(meeting: Meeting): Meeting {
  const { x, y, z } = meeting.normal;
  return { ...meeting, normal: { x: -x, y: -y, z: -z } };
}
