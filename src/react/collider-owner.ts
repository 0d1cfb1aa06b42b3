/** A collider of a component or of a mesh: made when something first needs it, and kept in agreement with the props. */
import { namedProp, namingProps } from './errors.js';
import type { Ref } from 'react';
import type { Object3D } from 'three';
import { withSettings } from '../world/page/collider-desc.js';
import { settingsOf } from '../world/page/collider-handle.js';
import { isSameShape } from '../world/page/same-shape.js';
import { ActiveEvents, type Collider, type ColliderDesc, type World } from '../world/page/index.js';
import type { BodyOwner } from './body-owner.js';
import { callReported } from '../render-main/util/report-uncaught.js';
import { type Follower, isSameKey, Kept, RefSlot } from './leases.js';
import type { ColliderEntry, PhysicsScope } from './physics-scope.js';
import { isAtOrigin, isUnturned, placeProps, type Placement } from './placement.js';
import {
  COLLIDER_SETTINGS,
  applyMass,
  applySettings,
  massOf,
  unknown,
  type PropNames,
} from './settings.js';
import type { CollisionHandlers } from './collisions.js';
import type { ColliderSettings } from './types.js';

/** What a collider is made of. */
export interface ColliderSource {
  /** Its own props. */
  readonly props: ColliderSettings & CollisionHandlers;
  /** Of its component. */
  readonly object: Object3D | undefined;
  /** Of its component. */
  readonly ref?: Ref<Collider> | undefined;
  /** Its component; undefined if a mesh has made it. */
  readonly name?: string;
  /** Which prop says its shape, for messages. Default: the body's `colliders`. */
  readonly shapeProp?: string | undefined;
  /** What makes another collider when it differs: compared one by one. */
  key(): readonly unknown[];
  /** @returns Whether something that it is made of has changed without a render. It allocates nothing. */
  takeChange?(): boolean;
  /** Before the rest. @returns False: there is nothing to make a collider of. */
  prepare?(): boolean;
  describe(): ColliderDesc;
  /** Where it is, relative to its body if it has one, if that is not as it was at the last call. */
  place(isNew: boolean): Placement | undefined;
}

export class ColliderOwner implements PropNames, Follower {
  readonly #scope: PhysicsScope;
  readonly #body: BodyOwner | undefined;
  readonly #source: ColliderSource;
  readonly #kept: Kept<Collider>;
  readonly #ref = new RefSlot<Collider>();
  #world: World | undefined;
  #isNew = false;
  /** What the collider has. */
  #applied: ColliderSettings = {};
  #events = 0;
  #hooks = 0;
  #entry: ColliderEntry | undefined;
  /** Names of all that it was ever given. */
  readonly #given: ColliderSettings = {};
  #jumps = 0;

  constructor(scope: PhysicsScope, body: BodyOwner | undefined, source: ColliderSource) {
    this.#scope = scope;
    this.#body = body;
    this.#source = source;
    this.#kept = new Kept(scope.keeper, (collider) => {
      if (!scope.keeper.isHeld) this.#world?.removeCollider(collider);
    });
  }

  ownerOf(prop: string): string {
    const { name = '', props } = this.#source;
    const isOwn = (props as Record<string, unknown>)[prop] !== undefined;
    return isOwn ? name : (this.#body?.ownerOf(prop) ?? name);
  }

  get current(): Collider | undefined {
    return this.#kept.current;
  }

  /** Without a body, it follows the run by itself. */
  get owners(): readonly BodyOwner[] {
    return [];
  }

  resync(): void {
    callReported(() => this.sync(), undefined);
  }

  /** Makes the collider as its source and its body say. */
  sync(): void {
    const scope = this.#scope;
    const { world, keeper, jumps } = scope;
    const source = this.#source;
    const body = this.#body?.body;
    if (this.#entry !== undefined) this.#entry.handlers = source.props;
    if (this.#body === undefined) scope.followers.add(this);
    // Only with what waits for the run itself.
    const isWaiting = body === undefined || (body.isValid() && body.id === undefined);
    const { own } = this.#kept;
    if (own !== undefined) this.#body?.shaped.set(this, own);
    if (keeper.isHeld && (own !== undefined || !isWaiting)) return;
    const where = source.shapeProp ?? `colliders of ${this.ownerOf('colliders')}`;
    if (namingProps(where, {}, () => source.prepare?.()) === false) {
      this.detachRef();
      this.remove();
      return;
    }
    const { current } = this.#kept;
    // What the application has set of it stays, if it is only made again.
    const isSameOwner = world === this.#world && current?.parent() === (body ?? null);
    const before = isSameOwner ? current : undefined;
    const key = [world, body, ...source.key()];
    this.#world = world;
    const collider = this.#kept.require(
      key,
      () => {
        const { args, scale } = source.props as Partial<Record<'args' | 'scale', unknown>>;
        const made = namingProps(where, { args, scale }, () => {
          const desc = source.describe();
          const settings = before && settingsOf(before);
          return world.createCollider(settings ? withSettings(desc, settings) : desc, body);
        });
        this.#noteNew(made, before !== undefined);
        return made;
      },
      this.#alike(key),
    );
    this.#body?.shaped.set(this, collider);
    if (this.#entry !== undefined) scope.noteCollider(collider, this.#entry);
    const isMoved = this.#isNew || jumps !== this.#jumps;
    if (!this.#isNew && jumps !== this.#jumps) this.#forget(collider);
    this.#jumps = jumps;
    const ofBody = this.#body?.props ?? {};
    this.#applySettings(collider, ofBody);
    const events = activeEvents(source.props) | activeEvents(ofBody);
    if (events !== this.#events) collider.setActiveEvents(events);
    this.#events = events;
    const hooks = this.#body?.activeHooks ?? 0;
    // What the application has set stays.
    if (hooks !== this.#hooks) {
      collider.setActiveHooks((collider.activeHooks() & ~this.#hooks) | hooks);
    }
    this.#hooks = hooks;
    this.#place(collider, source.place(isMoved));
    this.#isNew = false;
    this.#ref.set(source.ref, collider);
  }

  look(): void {
    if (this.#source.takeChange?.() !== true) return;
    if (this.#body === undefined) this.resync();
    else this.#body.late(() => this.sync());
  }

  /** Its component is unmounted or hidden. */
  detachRef(): void {
    this.#ref.set(undefined, undefined);
  }

  release(): void {
    // A body that is synchronized in the same commit must not ask for it again.
    this.#body?.delete(this);
    this.#body?.shaped.delete(this);
    this.#scope.followers.delete(this);
    this.#kept.release();
  }

  /** Removes it now. */
  remove(): void {
    this.#body?.shaped.delete(this);
    this.#kept.remove();
  }

  /** Of one without a component: it was made of the same, or its body was taken over and it has the same shape. */
  #alike(key: readonly unknown[]): (other: Collider, otherKey: readonly unknown[]) => boolean {
    const { own, key: ownKey } = this.#kept;
    const isUnchanged = own !== undefined && isSameKey(key.slice(2), ownKey.slice(2));
    const body = key[1];
    return (other, otherKey) =>
      isSameKey(key, otherKey) ||
      (isUnchanged &&
        // Not of another kind of things.
        'shapeType' in other &&
        other.parent() === (body ?? null) &&
        isSameShape(own, other));
  }

  /** The run has jumped. */
  #forget(collider: Collider): void {
    this.#applied = unknown(this.#given);
    if (this.#events !== 0) this.#events = collider.activeEvents();
    this.#hooks &= collider.activeHooks();
  }

  #noteNew(collider: Collider, hasSettings: boolean): void {
    this.#isNew = true;
    if (!hasSettings) {
      this.#applied = {};
      this.#events = 0;
      this.#hooks = 0;
    }
    this.#entry = { object: this.#source.object, owner: this, handlers: this.#source.props };
    this.#scope.noteCollider(collider, this.#entry);
  }

  #applySettings(collider: Collider, ofBody: ColliderSettings): void {
    const own = this.#source.props;
    const settings: ColliderSettings & Record<string, unknown> = massOf(own, ofBody);
    for (const name in COLLIDER_SETTINGS) {
      settings[name] =
        (own as Record<string, unknown>)[name] ?? (ofBody as Record<string, unknown>)[name];
    }
    for (const name in settings) {
      if (settings[name] !== undefined) Object.assign(this.#given, { [name]: settings[name] });
    }
    applySettings(COLLIDER_SETTINGS, collider, settings, this.#applied, this);
    applyMass(collider, settings, this.#applied, this);
    this.#applied = settings;
  }

  #place(collider: Collider, placement: Placement | undefined): void {
    if (placement === undefined) return;
    const { position, rotation } = placement;
    // As most are: then there is nothing to send.
    if (this.#isNew && isAtOrigin(position) && isUnturned(rotation)) return;
    let prop = 'position';
    try {
      if (this.#body === undefined) collider.setTranslation(position);
      else collider.setTranslationWrtParent(position);
      prop = 'rotation';
      if (this.#body === undefined) collider.setRotation(rotation);
      else collider.setRotationWrtParent(rotation);
    } catch (error) {
      throw namedProp(error, `${prop} of ${this.ownerOf(prop)}`, placeProps(this.#source.props));
    }
  }
}

function activeEvents(handlers: CollisionHandlers): number {
  const { onCollisionEnter, onCollisionExit, onIntersectionEnter, onIntersectionExit } = handlers;
  const isCollisionReported =
    (onCollisionEnter ?? onCollisionExit ?? onIntersectionEnter ?? onIntersectionExit) !==
    undefined;
  return (
    (isCollisionReported ? ActiveEvents.COLLISION_EVENTS : 0) |
    (handlers.onContactForce === undefined ? 0 : ActiveEvents.CONTACT_FORCE_EVENTS)
  );
}
