/** Passes the events of a simulation to the handlers of its world, with the world's own handles. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type {
  CollisionEvent,
  ContactForceEvent,
  SleepEvent,
} from '../../shared/events/simulation-event.js';
import { checkOptions, choice } from '../../shared/util/options.js';
import { requireChoice, requireFunction } from '../../shared/util/validate.js';
import type { EventHandlerOptions } from '../../render-main/api/event-handler.js';
import type { Collider } from './collider.js';
import type { RigidBody } from './rigid-body.js';
import type { WorldEvents } from './world-events.js';
import type { WorldHandle } from './world-handle.js';

/** Finds what events are about. */
export interface EventParts {
  /** Also one that was removed not long ago. */
  collider(handle: number): Collider | undefined;
  body(id: BodyId): RigidBody | undefined;
}

type Subscribe<Name extends keyof WorldEvents> = (
  handle: WorldHandle,
  handler: (event: WorldEvents[Name]) => void,
  options: EventHandlerOptions,
) => () => void;

export class EventRelay {
  readonly #parts: EventParts;
  #handle: WorldHandle | undefined;
  /** Called when the worker runs: each returns what removes its handler. */
  readonly #waiting = new Set<(handle: WorldHandle) => void>();

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** @throws TypeError, RangeError for an unknown name, no function, or wrong options. */
  on<Name extends keyof WorldEvents>(
    name: Name,
    handler: (event: WorldEvents[Name]) => void,
    options: EventHandlerOptions = {},
  ): () => void {
    requireChoice('the name of an event', name, Object.keys(this.#subscribe) as Name[]);
    requireFunction('the handler', handler);
    checkOptions('on()', options, { when: choice(['shown', 'now'], 'shown') });
    let off: (() => void) | undefined;
    const begin = (handle: WorldHandle): void => {
      off = this.#subscribe[name](handle, handler, options);
    };
    if (this.#handle === undefined) this.#waiting.add(begin);
    else begin(this.#handle);
    return () => {
      this.#waiting.delete(begin);
      off?.();
    };
  }

  start(handle: WorldHandle): void {
    this.#handle = handle;
    for (const begin of this.#waiting) begin(handle);
    this.#waiting.clear();
  }

  readonly #subscribe: { readonly [Name in keyof WorldEvents]: Subscribe<Name> } = {
    collision: (handle, handler, options) =>
      handle.on('collision', (event) => this.#collision(event, handler), options),
    contactForce: (handle, handler, options) =>
      handle.on('contactForce', (event) => this.#contactForce(event, handler), options),
    sleep: (handle, handler, options) =>
      handle.on('sleep', (event) => this.#sleep(event, true, handler), options),
    wake: (handle, handler, options) =>
      handle.on('sleep', (event) => this.#sleep(event, false, handler), options),
  };

  #collision(event: CollisionEvent, handler: (event: WorldEvents['collision']) => void): void {
    const { phase, a: _a, b: _b, colliderA, colliderB, ...rest } = event;
    const collider1 = this.#parts.collider(colliderA);
    const collider2 = this.#parts.collider(colliderB);
    if (collider1 === undefined || collider2 === undefined) return;
    handler({ ...rest, started: phase === 'begin', collider1, collider2 });
  }

  #contactForce(
    event: ContactForceEvent,
    handler: (event: WorldEvents['contactForce']) => void,
  ): void {
    const { tick, isLate, isReplayed, colliderA, colliderB, force: totalForceMagnitude } = event;
    const { totalForce, maxForceDirection, maxForceMagnitude } = event;
    const collider1 = this.#parts.collider(colliderA);
    const collider2 = this.#parts.collider(colliderB);
    if (collider1 === undefined || collider2 === undefined) return;
    handler({
      tick,
      isLate,
      isReplayed,
      collider1,
      collider2,
      totalForce,
      totalForceMagnitude,
      maxForceDirection,
      maxForceMagnitude,
    });
  }

  #sleep(
    { body: id, isAsleep, ...stamp }: SleepEvent,
    isForSleep: boolean,
    handler: (event: WorldEvents['sleep']) => void,
  ): void {
    const body = isAsleep === isForSleep ? this.#parts.body(id) : undefined;
    if (body !== undefined) handler({ ...stamp, body });
  }
}
