/** A collider of a component or of a mesh: made when something first needs it, and set as the props say. */
import { named, naming } from './errors.js';
import type { Ref } from 'react';
import type { Object3D } from 'three';
import { withSettings } from '../world/page/collider-desc.js';
import { settingsOf, isSameShape } from '../world/page/collider-handle.js';
import { ActiveEvents, type Collider, type ColliderDesc, type World } from '../world/page/index.js';
import type { BodyOwner } from './body-owner.js';
import { callReported } from '../render-main/util/page-errors.js';
import { type Resyncable, isSameKey, Lease, HandleRef } from './leases.js';
import type { ColliderEntry } from './collision-events.js';
import type { PhysicsScope } from './physics-scope.js';
import type { Placement } from '../three/scene-space.js';
import { isAtOrigin, isUnturned, placeProps } from './placement.js';
import {
  COLLIDER_SETTINGS,
  applySettings,
  settingsOfCollider,
  unknown,
  withoutUndefined,
} from './props.js';
import type { CollisionHandlers } from './collisions.js';
import type { ColliderSettings } from './types.js';

/** The parts that a collider is made of. */
export interface ColliderSource {
  /** Props of the collider itself, without those of its body. */
  readonly props: ColliderSettings & CollisionHandlers;
  /** The object of its component. */
  readonly object: Object3D | undefined;
  /** The ref of its component. */
  readonly ref?: Ref<Collider> | undefined;
  /** The collider's component, for messages. Undefined for a collider of a mesh. */
  readonly name?: string;
  /** Which prop says its shape, for messages. Default: the body's `colliders`. */
  readonly shapeProp?: string | undefined;
  /** Another key makes another collider: compared one by one. */
  key(): readonly unknown[];
  /** Whether the collider has to change without a render. It allocates nothing. */
  takeChange?(): boolean;
  /** Called before the other methods. @returns False if there is nothing to make a collider of. */
  prepare?(): boolean;
  describe(): ColliderDesc;
  /** Where it is, relative to its body if it has one. Undefined if that is the same as at the last call. */
  placement(isNew: boolean): Placement | undefined;
}

export class ColliderOwner<Source extends ColliderSource = ColliderSource>
  implements ColliderEntry, Resyncable
{
  readonly source: Source;
  readonly #scope: PhysicsScope;
  readonly #body: BodyOwner | undefined;
  readonly #lease: Lease<Collider>;
  readonly #handleRef = new HandleRef<Collider>();
  #isNew = false;
  /** The settings that the collider has. */
  #applied: ColliderSettings = {};
  #events = 0;
  #hooks = 0;
  /** All settings that it was ever given: only their names matter. */
  readonly #given: ColliderSettings = {};
  #jumps = 0;

  constructor(scope: PhysicsScope, body: BodyOwner | undefined, source: Source) {
    this.source = source;
    this.#scope = scope;
    this.#body = body;
    this.#lease = new Lease(scope.leases, (collider, [world]) => {
      if (!scope.leases.isReadOnly) (world as World).removeCollider(collider, true);
    });
  }

  componentOf(prop: string): string {
    const { name = '', props } = this.source;
    const isOwn = (props as Record<string, unknown>)[prop] !== undefined;
    return isOwn ? name : (this.#body?.componentOf(prop) ?? name);
  }

  get current(): Collider | undefined {
    return this.#lease.current;
  }

  resync(): void {
    callReported(() => this.sync(), undefined);
  }

  /** Makes the collider as its source and its body say. */
  sync(): void {
    const scope = this.#scope;
    const { world, leases, jumps } = scope;
    const { source } = this;
    const body = this.#body?.body;
    if (this.#body === undefined) scope.leases.resyncables.add(this);
    // Not yet in a state: then it belongs to the run itself.
    const isWaiting = body === undefined || (body.isValid() && body.id === undefined);
    const { own } = this.#lease;
    if (own !== undefined) this.#body?.shaped.set(this, own);
    if (leases.isReadOnly && (own !== undefined || !isWaiting)) return;
    const where = source.shapeProp ?? `colliders of ${this.componentOf('colliders')}`;
    if (naming(where, () => source.prepare?.()) === false) {
      this.detachRef();
      this.remove();
      return;
    }
    const { current } = this.#lease;
    // A collider that is made again keeps what the application has set.
    const isSameOwner = world === this.#lease.key[0] && current?.parent() === (body ?? null);
    const before = isSameOwner ? current : undefined;
    const key = [world, body, ...source.key()];
    const collider = this.#lease.acquire(
      key,
      () => {
        const { args, scale } = source.props as Partial<Record<'args' | 'scale', unknown>>;
        const create = (): Collider => {
          const desc = source.describe();
          const settings = before && settingsOf(before);
          return world.createCollider(settings ? withSettings(desc, settings) : desc, body);
        };
        const made = naming(where, create, { args, scale });
        this.#isNew = true;
        if (before === undefined) {
          this.#applied = {};
          this.#events = 0;
          this.#hooks = 0;
        }
        return made;
      },
      this.#alike(key),
    );
    this.#body?.shaped.set(this, collider);
    scope.noteCollider(collider, this);
    const isMoved = this.#isNew || jumps !== this.#jumps;
    if (!this.#isNew && jumps !== this.#jumps) this.#forget(collider);
    this.#jumps = jumps;
    const ofBody = this.#body?.props ?? {};
    this.#applySettings(collider, ofBody);
    const events = activeEvents(source.props) | activeEvents(ofBody);
    if (events !== this.#events) collider.setActiveEvents(events);
    this.#events = events;
    const hooks = this.#body?.activeHooks ?? 0;
    // Bits that the application has set stay.
    if (hooks !== this.#hooks) {
      collider.setActiveHooks((collider.activeHooks() & ~this.#hooks) | hooks);
    }
    this.#hooks = hooks;
    this.#place(collider, source.placement(isMoved));
    this.#isNew = false;
    this.#handleRef.set(source.ref, collider);
  }

  followChanges(): void {
    if (this.source.takeChange?.() !== true) return;
    if (this.#body === undefined) this.resync();
    else this.#body.late.do(() => this.sync());
  }

  /** Empties the ref: the component is unmounted or hidden. */
  detachRef(): void {
    this.#handleRef.set(undefined, undefined);
  }

  release(): void {
    // A body that is synchronized in the same commit must not ask for it again.
    this.#body?.parts.delete(this);
    this.#body?.shaped.delete(this);
    this.#scope.leases.resyncables.delete(this);
    this.#lease.release();
  }

  /** Removes it now. */
  remove(): void {
    this.#body?.shaped.delete(this);
    this.#lease.remove();
  }

  /**
   * Which collider without a component may be adopted: one that was made of the same, or that has the same shape, if its body
   * was adopted.
   */
  #alike(key: readonly unknown[]): (other: Collider, otherKey: readonly unknown[]) => boolean {
    const { own, key: ownKey } = this.#lease;
    const isUnchanged = own !== undefined && isSameKey(key.slice(2), ownKey.slice(2));
    const body = key[1];
    return (other, otherKey) =>
      isSameKey(key, otherKey) ||
      (isUnchanged &&
        // Items of other kinds have no shape.
        'shapeType' in other &&
        other.parent() === (body ?? null) &&
        isSameShape(own, other));
  }

  /** Called after a jump of the run. */
  #forget(collider: Collider): void {
    this.#applied = unknown(this.#given);
    if (this.#events !== 0) this.#events = collider.activeEvents();
    this.#hooks &= collider.activeHooks();
  }

  #applySettings(collider: Collider, ofBody: ColliderSettings): void {
    const settings = settingsOfCollider(this.source.props, ofBody);
    Object.assign(this.#given, withoutUndefined(settings));
    applySettings(COLLIDER_SETTINGS, collider, settings, this.#applied, this);
    this.#applied = settings;
  }

  #place(collider: Collider, placement: Placement | undefined): void {
    if (placement === undefined) return;
    const { position, rotation } = placement;
    // Most colliders are at the origin of their body: then there is nothing to send.
    if (this.#isNew && isAtOrigin(position) && isUnturned(rotation)) return;
    let prop = 'position';
    try {
      if (this.#body === undefined) collider.setTranslation(position);
      else collider.setTranslationWrtParent(position);
      prop = 'rotation';
      if (this.#body === undefined) collider.setRotation(rotation);
      else collider.setRotationWrtParent(rotation);
    } catch (error) {
      throw named(error, `${prop} of ${this.componentOf(prop)}`, placeProps(this.source.props));
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
