/** The events of a world: those of the simulation, with the world's own handles. */
import type { EventHandlerOptions } from '../../render-main/api/simulation-handle.js';
import type {
  BuiltInEvents,
  CollisionEvent,
  ContactForceEvent,
  EventStamp,
  SleepEvent,
} from '../../shared/events/simulation-event.js';
import { checkOptions, choice } from '../../shared/util/options.js';
import { requireChoice, requireFunction } from '../../shared/util/validate.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { JOINT_BROKEN, type BrokenJoint } from '../shared/world-batch.js';
import type { ImpulseJoint, JointHandle } from './joints.js';
import type { WorldHandle } from './world-handle.js';
import type { WorldLink } from './world-link.js';

/**
 * Two colliders, one of which may be a sensor, began or ceased to touch: reported if `ActiveEvents.COLLISION_EVENTS` is set of one of them. For a pair of
 * colliders, begin and end alternate, however many parts of a mesh touch. The removal of a collider ends its collisions:
 * its handle is no longer valid then, but still knows its body. If the active events change while two touch, their
 * collision begins or ends with the change.
 *
 * At an end, with a sensor, and if the event is late, there are no points, and the normal and the numbers are NaN.
 */
export interface WorldCollisionEvent
  extends
    EventStamp,
    Pick<CollisionEvent, 'isSensor' | 'normal' | 'points' | 'impulse' | 'impactSpeed'> {
  /** Whether they began to touch; false: they ceased to. */
  readonly started: boolean;
  /** The first one. */
  readonly collider1: Collider;
  /** The second one: the normal points to it. */
  readonly collider2: Collider;
}

/**
 * Two colliders press on each other: reported in each tick in which the force exceeds the lower of their thresholds, if
 * `ActiveEvents.CONTACT_FORCE_EVENTS` is set of one of them.
 */
export interface WorldContactForceEvent
  extends
    EventStamp,
    Pick<ContactForceEvent, 'totalForce' | 'maxForceDirection' | 'maxForceMagnitude'> {
  /** The first one. */
  readonly collider1: Collider;
  /** The second one: the forces point to it. */
  readonly collider2: Collider;
  /** Sum of the magnitudes of all forces between the two, in N or the simulation's own unit. */
  readonly totalForceMagnitude: number;
}

/** A body fell asleep, or woke. */
export interface WorldSleepEvent extends EventStamp {
  /** Which one. */
  readonly body: RigidBody;
}

/** A joint carried more than its break force, and is gone: see {@link ImpulseJoint.setBreakForce}. */
export interface WorldBrokenEvent extends EventStamp {
  /** Which one: it is not valid any more, and valid again after a jump of the run to before. */
  readonly joint: ImpulseJoint;
  /** The first body that it held. */
  readonly body1: RigidBody;
  /** The second one. */
  readonly body2: RigidBody;
  /** The joint's force, in N or the simulation's own unit. */
  readonly force: number;
  /** The joint's torque, in N m or the simulation's own unit. */
  readonly torque: number;
}

/** The events of a world, by name. */
export interface WorldEvents {
  /** Two colliders began or ceased to touch. */
  readonly collision: WorldCollisionEvent;
  /** Two colliders press on each other with a force above their threshold. */
  readonly contactForce: WorldContactForceEvent;
  /** A body fell asleep. */
  readonly sleep: WorldSleepEvent;
  /** A body woke. */
  readonly wake: WorldSleepEvent;
  /** A joint broke. */
  readonly broken: WorldBrokenEvent;
}

/** Calls a handler for every event with a given name. */
export type OnWorldEvent = <Name extends keyof WorldEvents>(
  name: Name,
  handler: (event: WorldEvents[Name]) => void,
  options?: EventHandlerOptions,
) => () => void;

/** How an event of a world is made from one of the simulation. */
interface Source<Event> {
  readonly from: keyof BuiltInEvents | typeof JOINT_BROKEN;
  /** Undefined: it is not about anything in this world. */
  readonly make: (event: never) => Event | undefined;
}

type ReportingHandle = WorldHandle<{ readonly [JOINT_BROKEN]: BrokenJoint }>;
type JointBroken = EventStamp & { readonly value: BrokenJoint };

/** Passes the events of the simulation to handlers, which may be added before it runs. */
export class WorldEventRelay {
  readonly #link: WorldLink;
  #simulation: ReportingHandle | undefined;
  /** The names that have a handler, or had one. */
  readonly handled = new Set<keyof WorldEvents>();
  /** Called when the worker runs: each returns what removes its handler. */
  readonly #waiting = new Set<(simulation: ReportingHandle) => void>();

  constructor(link: WorldLink) {
    this.#link = link;
    // Before the handlers of the application.
    this.on('broken', ({ joint, tick }) => {
      (joint as JointHandle).brokenAt = tick;
      link.contents.remove(joint as JointHandle, () => {});
      link.noteChange(joint.handle);
    });
  }

  /** @throws TypeError, RangeError for an unknown name, no function, or wrong options. */
  on<Name extends keyof WorldEvents>(
    name: Name,
    handler: (event: WorldEvents[Name]) => void,
    options: EventHandlerOptions = {},
  ): () => void {
    requireChoice('the name of an event', name, Object.keys(this.#sources) as Name[]);
    requireFunction('the handler', handler);
    checkOptions('on()', options, { when: choice(['shown', 'now'], 'shown') });
    this.handled.add(name);
    let off: (() => void) | undefined;
    const begin = (simulation: ReportingHandle): void => {
      const { from, make } = this.#sources[name];
      const receive = (event: object): void => {
        const own = make(event as never);
        if (own !== undefined) handler(own);
      };
      off = simulation.on(from, receive, options);
    };
    if (this.#simulation === undefined) this.#waiting.add(begin);
    else begin(this.#simulation);
    return () => {
      this.#waiting.delete(begin);
      off?.();
    };
  }

  start(simulation: WorldHandle): void {
    this.#simulation = simulation as ReportingHandle;
    for (const begin of this.#waiting) begin(this.#simulation);
    this.#waiting.clear();
  }

  readonly #sources: { readonly [Name in keyof WorldEvents]: Source<WorldEvents[Name]> } = {
    collision: {
      from: 'collision',
      make: ({ phase, a: _a, b: _b, colliderA, colliderB, ...rest }: CollisionEvent) =>
        this.#between(colliderA, colliderB, { ...rest, started: phase === 'begin' }),
    },
    contactForce: {
      from: 'contactForce',
      make: ({ a: _a, b: _b, x: _x, y: _y, z: _z, force, ...event }: ContactForceEvent) => {
        const { colliderA, colliderB, ...rest } = event;
        return this.#between(colliderA, colliderB, { ...rest, totalForceMagnitude: force });
      },
    },
    sleep: { from: 'sleep', make: (event: SleepEvent) => this.#sleep(event, true) },
    wake: { from: 'sleep', make: (event: SleepEvent) => this.#sleep(event, false) },
    broken: {
      from: JOINT_BROKEN,
      make: ({ value: { joint: handle, ...load }, ...stamp }: JointBroken) => {
        const joint = this.#link.contents.getOrRemoved('joint', handle) as JointHandle | undefined;
        return joint && { ...stamp, ...load, joint, body1: joint.body1(), body2: joint.body2() };
      },
    },
  };

  /** With its colliders, also if they were removed not long ago. Undefined if one of them is older. */
  #between<Event>(colliderA: number, colliderB: number, event: Event) {
    const [collider1, collider2] = [colliderA, colliderB].map(
      (handle) => this.#link.contents.getOrRemoved('collider', handle) as Collider | undefined,
    );
    if (collider1 === undefined || collider2 === undefined) return undefined;
    return { ...event, collider1, collider2 };
  }

  #sleep({ body: id, isAsleep, ...stamp }: SleepEvent, isForSleep: boolean) {
    const body = isAsleep === isForSleep ? this.#link.bodyWithId(id) : undefined;
    return body && { ...stamp, body };
  }
}
