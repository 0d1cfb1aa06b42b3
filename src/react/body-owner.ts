/** The body of a component: made when something first needs it, and set as the props say. */
import type { Object3D, Vector3 } from 'three';
import { createContext } from 'react';
import type { BodyId } from '../shared/memory/body-meta.js';
import { vector } from '../world/page/checked-values.js';
import { type Collider, type RigidBody, RigidBodyDesc, type World } from '../world/page/index.js';
import { isAlikeShape } from '../world/page/collider-handle.js';
import { LateWork, named, naming } from './errors.js';
import { isSameKey, Lease } from './leases.js';
import type { BodyEntry } from './collision-events.js';
import type { PhysicsScope } from './physics-scope.js';
import type { Placement } from '../three/scene-space.js';
import {
  isAtOrigin,
  isUnturned,
  NO_TRANSFORM,
  placeProps,
  transformKeys,
  type TransformKeys,
} from './placement.js';
import {
  appliedTo,
  applySettings,
  BODY_SETTINGS,
  bodyType,
  hasVelocity,
  isSameProps,
  unknown,
} from './props.js';
import type { RigidBodyAutoCollider, RigidBodyOptions } from './types.js';

/** How the object of a body names its owner: the effects of what is in it run before its own ref is set. */
export const OWNER_PROPERTY = 'betwixtBody';

/** Where props have put a body, as it was when they were rendered: frames move its object. */
interface RenderedPlacement {
  readonly keys: TransformKeys;
  readonly placement: Placement;
}

/** Differs from the keys of any props: a jump has put the body elsewhere. */
const UNKNOWN_PLACE: TransformKeys = { position: '?', rotation: '?', scale: '?' };

/** In m: a body of another page that is so near to where props put one may be the same one. */
const NEAR = 1e-3;

/** Values that are compared one by one. */
interface Likeness {
  /** The same for bodies that may replace each other. */
  readonly kind: readonly unknown[];
  /** The same for bodies that preferably do: where they began. */
  readonly start: readonly unknown[];
}

/** Compared after a jump, when a component adopts the body of another one. */
const likenesses = new WeakMap<RigidBody, Likeness>();

/** A collider of a body, or those of its meshes: they are made again with the body. */
interface BodyCollider {
  sync(): void;
}

/** The body of a `<RigidBody>` or of an instance. */
export abstract class BodyOwner implements BodyEntry {
  readonly scope: PhysicsScope;
  readonly late = new LateWork();
  readonly #lease: Lease<RigidBody>;
  /** The colliders of its components and meshes by their owners, even if the state does not have them. */
  readonly shaped = new Map<object, Collider>();
  /** The body's colliders that have components, and those of its meshes. */
  readonly parts = new Set<BodyCollider>();
  #likeness: Likeness | undefined;
  /** The props that were rendered last. */
  props: RigidBodyOptions = {};
  /** The props that the body has. */
  #applied: RigidBodyOptions = {};
  /** All props that it was ever given: only their names matter. */
  readonly #given: RigidBodyOptions = {};
  #jumps = 0;
  #placed: TransformKeys = NO_TRANSFORM;
  #rendered: RenderedPlacement | undefined;
  /** Whether its props have put it elsewhere than where it was made. */
  #isMoved = false;
  /** Whether it has no settings and no pose yet. */
  #isNew = false;

  constructor(scope: PhysicsScope) {
    this.scope = scope;
    this.#lease = new Lease(scope.leases, (body, [world]) => {
      this.beforeRemoval(body);
      scope.removeBody(world as World, body);
    });
  }

  abstract componentOf(prop: string): string;

  /** The object that collisions name, and that the body moves unless there is `onShown`. */
  abstract get object(): Object3D | undefined;

  onShown?(id: BodyId | undefined): void;

  /** Where the props put it in the scene. */
  protected abstract placement(): Placement;

  /** Called when a collider was rendered and needed another body, but the body was not rendered itself. */
  protected resync(): void {}

  /** Called before the body is removed, perhaps for another one. */
  protected beforeRemoval(_body: RigidBody): void {}

  /** Where props put it, to be compared. */
  protected transformKeys(): TransformKeys {
    return transformKeys(this.props);
  }

  /** 32 bits of `ActiveHooks` for its colliders. */
  get activeHooks(): number {
    return 0;
  }

  /** The kind of colliders for its meshes. */
  get autoColliders(): RigidBodyAutoCollider {
    return this.props.colliders ?? this.scope.colliders;
  }

  /** The body. It is made when it is first asked for: the effects of what is in it come before its own. */
  get body(): RigidBody {
    const { world } = this.scope;
    const { canSleep = true } = this.props;
    const make = (): RigidBody => this.#make(world);
    // A body that could be adopted was found before.
    return this.#lease.acquire([world, canSleep, this.autoColliders], make, () => false);
  }

  /** The body, if there is one. */
  get current(): RigidBody | undefined {
    return this.#lease.current;
  }

  /** Number of the body that it had last. */
  get lastHandle(): number {
    return this.#lease.own?.handle ?? Number.POSITIVE_INFINITY;
  }

  /** Adopts a body that a jump has brought back without its component. */
  adopt(isExact: boolean): void {
    const { own, current } = this.#lease;
    // A body without a number waits for the run itself: it is not in the replay.
    const isIn = ({ id }: RigidBody): boolean => id !== undefined || !this.scope.leases.isReadOnly;
    if (own === undefined || (current !== undefined && isIn(current))) return;
    const body = this.#lease.adopt(
      (other) =>
        isIn(other) && this.#isAlike(other, isExact) && (isExact || this.#hasShapesOf(other)),
    );
    if (body === undefined) return;
    this.#isMoved ||= !isExact;
    if (this.#likeness !== undefined) likenesses.set(body, this.#likeness);
    this.scope.show(body, this);
  }

  /** The object that it moves, or would. @param from What is in it. */
  objectFrom(from: Object3D): Object3D | undefined {
    for (let at: Object3D | null = from; at !== null; at = at.parent) {
      if ((at as { [OWNER_PROPERTY]?: unknown })[OWNER_PROPERTY] === this) return at;
    }
    return undefined;
  }

  /** To be called before the effects of a commit that need the body. */
  setProps(props: RigidBodyOptions): void {
    this.props = props;
  }

  release(): void {
    this.scope.leases.adopters.delete(this);
    this.#lease.release();
  }

  /** Makes the body as its props and its placement say. */
  protected syncBody(): RigidBody {
    this.scope.leases.adopters.add(this);
    const { body } = this;
    const props = this.props;
    const keys = this.transformKeys();
    if (this.#rendered === undefined || !isSameProps(keys, this.#rendered.keys)) {
      this.#rendered = { keys, placement: this.placement() };
    }
    if (this.scope.leases.isReadOnly && !this.#isNew) return body;
    this.#isNew = false;
    const { jumps } = this.scope;
    if (jumps !== this.#jumps) this.#forget();
    this.#jumps = jumps;
    Object.assign(this.#given, props);
    if (props.userData !== this.#applied.userData) body.userData = props.userData;
    applySettings(BODY_SETTINGS, body, props, appliedTo(this.#applied, props), this);
    this.#place(body, this.#rendered);
    this.#applied = props;
    return body;
  }

  /** Makes the colliders that have components, as they and the body say. */
  protected syncColliders(): void {
    for (const part of this.parts) part.sync();
  }

  /** Called after a jump of the run. */
  #forget(): void {
    const { userData } = this.#applied;
    this.#applied = { ...unknown(this.#given), userData };
    // A body that moves by itself is where the state has it.
    if (this.#isMoved && !hasVelocity(this.props)) this.#placed = UNKNOWN_PLACE;
  }

  #make(world: World): RigidBody {
    const { type, canSleep = true, userData } = this.props;
    const desc = naming(this.componentOf('type'), () =>
      new RigidBodyDesc(bodyType(type)).setCanSleep(canSleep).setUserData(userData),
    );
    const body = world.createRigidBody(desc);
    this.#applied = { type, userData };
    this.#jumps = this.scope.jumps;
    this.#placed = NO_TRANSFORM;
    this.#likeness = this.#likenessNow();
    likenesses.set(body, this.#likeness);
    this.scope.addBody(body, this);
    this.#isNew = true;
    // After the commit.
    queueMicrotask(() => {
      if (this.#isNew && this.#lease.current === body) this.late.do(() => this.resync());
    });
    return body;
  }

  #isAlike(other: RigidBody, isExact: boolean): boolean {
    if (this.scope.entryOf(other) === undefined) {
      // If it is a body, another page has made it: where it began is not known.
      if (!('numColliders' in (other as object)) || other.bodyType() !== bodyType(this.props.type))
        return false;
      const { position } = this.#rendered?.placement ?? {};
      return !isExact || (position?.distanceTo(other.translation() as Vector3) ?? 1) < NEAR;
    }
    const [a, b] = [likenesses.get(other), this.#likeness];
    if (a === undefined || b === undefined) return false;
    return isSameKey(a.kind, b.kind) && (!isExact || isSameKey(a.start, b.start));
  }

  /** Whether another body has colliders of the same shapes. Colliders that the application has made do not count. */
  #hasShapesOf(other: RigidBody): boolean {
    const indices = Array.from({ length: other.numColliders() }, (_, index) => index);
    const theirs = indices
      .map((index) => other.collider(index))
      .filter((collider) => this.scope.leases.isOrphan(collider));
    const own = [...this.shaped.values()];
    return (
      own.length === theirs.length &&
      own.every((collider) => theirs.some((their) => isAlikeShape(collider, their)))
    );
  }

  #likenessNow(): Likeness {
    const { type, canSleep, name } = this.props as RigidBodyOptions & Record<string, unknown>;
    const { position, rotation, scale } = this.transformKeys();
    return {
      kind: [this.constructor, type, canSleep, this.autoColliders, name],
      start: [position, rotation, scale],
    };
  }

  /** Moves the body if it is new, or if its props have put it elsewhere. */
  #place(body: RigidBody, { keys, placement }: RenderedPlacement): void {
    const before = this.#placed;
    this.#placed = keys;
    const isNew = before === NO_TRANSFORM;
    const isMoved = isNew || keys.position !== before.position;
    const isTurned = isNew || keys.rotation !== before.rotation;
    if (!isMoved && !isTurned) return;
    this.#isMoved ||= !isNew;
    // Another body begins where the one before it is drawn.
    const { position, rotation, scale } = isNew ? this.placement() : placement;
    let prop = 'position';
    try {
      // A new one is at the origin.
      if (isMoved && !(isNew && isAtOrigin(position))) body.setTranslation(position, !isNew);
      // A wrong scale leaves no rotation, either.
      prop = /NaN|undefined/.test(keys.scale) ? 'scale' : 'rotation';
      if (isNew) vector('scale', scale);
      if (isTurned && !(isNew && isUnturned(rotation))) body.setRotation(rotation, !isNew);
    } catch (error) {
      throw named(error, `${prop} of ${this.componentOf(prop)}`, placeProps(this.props));
    }
  }
}

/** The body that colliders belong to. */
export const BodyContext = createContext<BodyOwner | undefined>(undefined);
