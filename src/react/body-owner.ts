/** The body of a component: made when something first needs it, and kept in agreement with the props. */
import type { Object3D, Vector3 } from 'three';
import { createContext } from 'react';
import { reportUncaught } from '../render-main/util/report-uncaught.js';
import { vector } from '../world/page/checked-values.js';
import { type Collider, type RigidBody, RigidBodyDesc, type World } from '../world/page/index.js';
import { isAlikeShape } from '../world/page/same-shape.js';
import { namedProp, naming } from './errors.js';
import { isSameKey, Kept } from './leases.js';
import type { BodyEntry, Likeness, PhysicsScope } from './physics-scope.js';
import {
  isAtOrigin,
  isUnturned,
  NO_TRANSFORM,
  type Placement,
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
  type PropNames,
  unknown,
} from './settings.js';
import type { RigidBodyAutoCollider, RigidBodyOptions } from './types.js';

/** How the object of a body names its owner: the effects of what is in it run before its own ref is set. */
export const OWNER_PROPERTY = 'betwixtBody';

/** Where props have put something, as it was when they were rendered: frames move its object. */
interface Wanted {
  readonly keys: TransformKeys;
  readonly placement: Placement;
}

/** The place of something that a jump has put elsewhere. */
const OTHERWISE: TransformKeys = { position: '?', rotation: '?', scale: '?' };

/** So far from where another page has put a body it may be one that has not moved, in m. */
const NEAR = 1e-3;

/** Colliders of a body: they are made again with it. */
export interface PartOfBody {
  sync(): void;
}

/** What bodies of objects and of instances share. */
export abstract class BodyOwner implements PropNames {
  readonly scope: PhysicsScope;
  readonly #kept: Kept<RigidBody>;
  /** The colliders of its components and meshes, also those that the state does not have, by what has made them. */
  readonly shaped = new Map<object, Collider>();
  readonly #parts = new Set<PartOfBody>();
  #world: World | undefined;
  #entry: BodyEntry | undefined;
  #props: RigidBodyOptions = {};
  /** What the body has. */
  #applied: RigidBodyOptions = {};
  /** Names of all that it was ever given. */
  readonly #given: RigidBodyOptions = {};
  #jumps = 0;
  #placed: TransformKeys = NO_TRANSFORM;
  #wanted: Wanted | undefined;
  /** Whether its props have put it elsewhere than where it was made. */
  #isMoved = false;
  /** Whether it has no settings and no place yet. */
  #isNew = false;

  constructor(scope: PhysicsScope) {
    this.scope = scope;
    this.#kept = new Kept(scope.keeper, (body) => {
      this.beforeRemoval(body);
      if (this.#world !== undefined) scope.removeBody(this.#world, body);
    });
  }

  /** Reports what goes wrong after a commit. */
  onLateError: (error: Error) => void = reportUncaught;

  abstract ownerOf(prop: string): string;

  /** Does something after a commit: no effect of a component throws what goes wrong. */
  late(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.onLateError(error as Error);
    }
  }

  /** What collisions name. */
  protected abstract get object(): Object3D | undefined;

  /** Where it is in the scene. */
  protected abstract placement(): Placement;

  /** What is known of it, apart from its props. */
  protected describe(): Omit<BodyEntry, 'props' | 'owner'> {
    return { object: this.object };
  }

  /** A part of it was rendered and needed another body, but it was not rendered itself. */
  protected resync(): void {}

  /** The body is about to go; there may be another one. */
  protected beforeRemoval(_body: RigidBody): void {}

  /** The key of an instance. Components cannot read theirs. */
  protected get instanceKey(): unknown {
    return undefined;
  }

  /** What of its place is compared. */
  protected transformKeys(): TransformKeys {
    return transformKeys(this.#props);
  }

  /** The props that were rendered last. */
  get props(): RigidBodyOptions {
    return this.#props;
  }

  /** What its colliders are filtered by: 32 bits of `ActiveHooks`. */
  get activeHooks(): number {
    return 0;
  }

  /** What its meshes become. */
  get autoColliders(): RigidBodyAutoCollider {
    return this.#props.colliders ?? this.scope.colliders;
  }

  /** The body. It is made when it is first asked for: the effects of what is in it come before its own. */
  get body(): RigidBody {
    const { world } = this.scope;
    const { canSleep = true } = this.#props;
    const make = (): RigidBody => this.#make(world);
    // One that could be taken over was found before.
    return this.#kept.require([world, canSleep, this.autoColliders], make, () => false);
  }

  /** The body, if there is one. */
  get current(): RigidBody | undefined {
    return this.#kept.current;
  }

  /** Number of the body that it had last. */
  get lastHandle(): number {
    return this.#kept.own?.handle ?? Number.POSITIVE_INFINITY;
  }

  /** Takes over a body that a jump has brought back without its component. */
  find(isExact: boolean): void {
    const { own, current } = this.#kept;
    const entry = this.#entry;
    // What waits for the run itself is not in a replay.
    const isIn = ({ id }: RigidBody): boolean => id !== undefined || !this.scope.keeper.isHeld;
    if (own === undefined || entry === undefined || (current !== undefined && isIn(current)))
      return;
    const body = this.#kept.take(
      (other) =>
        isIn(other) &&
        this.#isAlike(other, entry, isExact) &&
        (isExact || this.#hasShapesOf(other)),
    );
    if (body === undefined) return;
    this.#isMoved ||= !isExact;
    this.scope.show(body, entry);
  }

  /** The object that it moves, or would. @param from What is in it. */
  objectFrom(from: Object3D): Object3D | undefined {
    for (let at: Object3D | null = from; at !== null; at = at.parent) {
      if ((at as { [OWNER_PROPERTY]?: unknown })[OWNER_PROPERTY] === this) return at;
    }
    return undefined;
  }

  /** Before any effect of the commit that needs it. */
  setProps(props: RigidBodyOptions): void {
    this.#props = props;
  }

  add(part: PartOfBody): void {
    this.#parts.add(part);
  }

  delete(part: PartOfBody): void {
    this.#parts.delete(part);
  }

  release(): void {
    this.#kept.release();
  }

  /** Makes the body as its props and its place say. */
  protected syncBody(): RigidBody {
    const { body } = this;
    const props = this.#props;
    if (this.#entry !== undefined) Object.assign(this.#entry, { object: this.object, props });
    const keys = this.transformKeys();
    if (this.#wanted === undefined || !isSameProps(keys, this.#wanted.keys)) {
      this.#wanted = { keys, placement: this.placement() };
    }
    if (this.scope.keeper.isHeld && !this.#isNew) return body;
    this.#isNew = false;
    const { jumps } = this.scope;
    if (jumps !== this.#jumps) this.#forget();
    this.#jumps = jumps;
    Object.assign(this.#given, props);
    if (props.userData !== this.#applied.userData) body.userData = props.userData;
    applySettings(BODY_SETTINGS, body, props, appliedTo(this.#applied, props), this);
    this.#place(body, this.#wanted);
    this.#applied = props;
    return body;
  }

  /** Makes those colliders that have components as they and the body say. */
  protected syncColliders(): void {
    for (const part of this.#parts) part.sync();
  }

  /** The run has jumped. */
  #forget(): void {
    const { userData } = this.#applied;
    this.#applied = { ...unknown(this.#given), userData };
    // Where it moves by itself, it is where the state has it.
    if (this.#isMoved && !hasVelocity(this.#props)) this.#placed = OTHERWISE;
  }

  #make(world: World): RigidBody {
    const { type, canSleep = true, userData } = this.#props;
    const desc = naming(this.ownerOf('type'), () =>
      new RigidBodyDesc(bodyType(type)).setCanSleep(canSleep).setUserData(userData),
    );
    const body = world.createRigidBody(desc);
    this.#world = world;
    this.#applied = { type, userData };
    this.#jumps = this.scope.jumps;
    this.#placed = NO_TRANSFORM;
    this.#entry = {
      ...this.describe(),
      owner: this,
      props: this.#props,
      likeness: this.#likeness(),
    };
    this.scope.addBody(body, this.#entry);
    this.#isNew = true;
    // After the commit.
    queueMicrotask(() => {
      if (this.#isNew && this.#kept.current === body) this.late(() => this.resync());
    });
    return body;
  }

  #isAlike(other: RigidBody, { likeness }: BodyEntry, isExact: boolean): boolean {
    const found = this.scope.entryOf(other);
    if (found === undefined) {
      // Another page has made it, if it is a body: where it began is not known.
      if (!('numColliders' in (other as object)) || other.bodyType() !== bodyType(this.#props.type))
        return false;
      const { position } = this.#wanted?.placement ?? {};
      return !isExact || (position?.distanceTo(other.translation() as Vector3) ?? 1) < NEAR;
    }
    const [a, b] = [found.likeness, likeness];
    if (a === undefined || b === undefined) return false;
    return isSameKey(a.kind, b.kind) && (!isExact || isSameKey(a.place, b.place));
  }

  /** Apart from colliders that the application has made. */
  #hasShapesOf(other: RigidBody): boolean {
    const indices = Array.from({ length: other.numColliders() }, (_, index) => index);
    const theirs = indices
      .map((index) => other.collider(index))
      .filter((collider) => this.scope.keeper.isOrphan(collider));
    const own = [...this.shaped.values()];
    return (
      own.length === theirs.length &&
      own.every((collider) => theirs.some((their) => isAlikeShape(collider, their)))
    );
  }

  #likeness(): Likeness {
    const { type, canSleep, name } = this.#props as RigidBodyOptions & Record<string, unknown>;
    const { position, rotation, scale } = this.transformKeys();
    return {
      kind: [this.constructor, type, canSleep, this.autoColliders, name],
      place: [position, rotation, scale, this.instanceKey],
    };
  }

  /** Puts it at its place, if it is new or its place was changed. */
  #place(body: RigidBody, { keys, placement }: Wanted): void {
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
      throw namedProp(error, `${prop} of ${this.ownerOf(prop)}`, placeProps(this.#props));
    }
  }
}

/** The body that colliders belong to. */
export const BodyContext = createContext<BodyOwner | undefined>(undefined);
