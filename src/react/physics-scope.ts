/** What the components within one `<Physics>` share: the world, what is drawn of it, and what handlers there are. */
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { MOST_TICKS } from '../world/shared/world-batch.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { BodyBinding } from '../three/index.js';
import {
  type Collider,
  createWorld,
  type RigidBody,
  type World,
  type WorldHandle,
  type WorldOptions,
} from '../world/page/index.js';
import { callReported } from '../render-main/util/report-uncaught.js';
import type { PageWorld } from '../world/page/page-world.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import { AttachedObjects } from '../three/attached-objects.js';
import type { BodyHandle } from '../world/page/body-handle.js';
import { warnOfMissedSteps } from './development.js';
import { CollisionDispatcher, type CollisionHandlers } from './collisions.js';
import { Followers, Keeper, type Waiting } from './leases.js';
import type { RigidBodyAutoCollider, RigidBodyOptions } from './types.js';
import type { PropNames } from './settings.js';

/** Called once for each tick. */
export type WorldStepCallback = (world: World) => void;

/** How long what has ended waits before it ends its world: an effect that begins again keeps it. */
const GRACE_MS = 100;
/** How long a world is kept that a render has asked for: if no effect begins until then, its commit never came. */
const UNCLAIMED_MS = 2000;

/** What is made of things that may change without a render. */
export interface Watcher {
  /** Looks whether they have, in each frame: it must allocate nothing if not. */
  look(): void;
}

/** What of the props of `<Physics>` only a new world can have. */
export interface ScopeOptions {
  readonly world: WorldOptions;
  /** When handlers of events are called. */
  readonly events: 'shown' | 'now';
}

const lookAt = (watcher: Watcher): void => watcher.look();

export class PhysicsScope {
  /** Of bodies without `colliders`. */
  colliders: RigidBodyAutoCollider = 'cuboid';
  readonly keeper = new Keeper(() => this.#pageWorld?.isElsewhere === true);
  readonly followers = new Followers(this.keeper);
  /** How often the run has jumped: what bodies and colliders were given before, they may not have any more. */
  jumps = 0;
  readonly beforeStep = new Set<{ readonly current: WorldStepCallback }>();
  /** Each is asked to look before frames, and before steps. */
  readonly watched = new Set<Watcher>();
  readonly afterStep = new Set<{ readonly current: WorldStepCallback }>();
  readonly #options: ScopeOptions;
  readonly #onAnotherWorld: () => void;
  /** Also those that were removed: events of their end name them. */
  readonly #bodies = new WeakMap<RigidBody, BodyEntry>();
  readonly #colliders = new WeakMap<Collider, ColliderEntry>();
  readonly #waiting = new Set<Waiting>();
  readonly #jobs = new Set<(frame: SampledFrame) => void>();
  readonly #changeHandlers = new Set<() => void>();
  #isCheckDue = false;
  #isAgreeDue = false;
  #world: World | undefined;
  #hadWorld = false;
  #binding = new BodyBinding();
  #connecting: AbortController | undefined;
  /** Whether the effect of `<Physics>` has begun and not ended. */
  #isBegun = false;
  #ending: ReturnType<typeof setTimeout> | undefined;
  #lastTick = 0;
  #askedFor = 0;
  /** For how many ticks that the page has not learned of the callbacks of steps were called. */
  #calledAhead = 0;

  /** @param onAnotherWorld Called when the world is created again, because all effects had ended and begin again. */
  constructor(options: ScopeOptions, onAnotherWorld: () => void) {
    this.#options = options;
    this.#onAnotherWorld = onAnotherWorld;
  }

  /** The world. It is created when it is first asked for: by the effect of a component, so that a render is pure. */
  get world(): World {
    this.#world ??= this.#create();
    return this.#world;
  }

  /** Whether it asks an engine on the page. */
  get hasQueries(): boolean {
    return this.#options.world.queries === true;
  }

  /** The world, if there is one. */
  get existingWorld(): World | undefined {
    return this.#world;
  }

  /** What moves the objects of bodies. */
  get binding(): BodyBinding {
    return this.#binding;
  }

  /** An effect of `<Physics>` began. */
  begin(): void {
    this.#isBegun = true;
    clearTimeout(this.#ending);
    this.world.flush();
  }

  /** The effect ended: the world does, unless another one begins soon. */
  end(): void {
    this.#isBegun = false;
    this.#endIn(GRACE_MS);
  }

  #endIn(delayMs: number): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      const world = this.#world;
      this.#world = undefined;
      this.#binding.clear();
      // A worker that still loads is not waited for.
      this.#connecting?.abort();
      // What goes wrong then is known already: its status says so.
      world?.dispose().catch(() => {});
    }, delayMs);
  }

  addBody(body: RigidBody, entry: BodyEntry): void {
    this.#bodies.set(body, entry);
    this.checkWaiting();
    if (this.keeper.isHeld) this.#agreeSoon();
  }

  /** Its handlers are not called any more. */
  removeBody(world: World, body: RigidBody): void {
    const entry = this.#bodies.get(body);
    if (entry !== undefined) entry.props = {};
    if (!this.keeper.isHeld) world.removeRigidBody(body);
    this.checkWaiting();
  }

  entryOf(body: RigidBody): BodyEntry | undefined {
    return this.#bodies.get(body);
  }

  /** A body is drawn by what is known of another. */
  show(body: RigidBody, entry: BodyEntry): void {
    this.#bodies.set(body, entry);
    if (entry.onShown === undefined) this.setObject(body, entry.object);
    else entry.onShown(body.id);
  }

  /** Another object is moved with a body. @param object Undefined: none. */
  setObject(body: RigidBody, object: Object3D | undefined): void {
    const entry = this.#bodies.get(body);
    if (entry !== undefined) entry.object = object;
    // Otherwise it is attached when the body comes to life.
    const id = body.id;
    if (object !== undefined && id !== undefined) {
      this.#binding.attach(object, id, { keepVisible: true });
    }
  }

  noteCollider(collider: Collider, entry: ColliderEntry): void {
    this.#colliders.set(collider, entry);
    this.checkWaiting();
  }

  entryOfCollider(collider: Collider): ColliderEntry | undefined {
    return this.#colliders.get(collider);
  }

  addWaiting(slot: Waiting): void {
    this.#waiting.add(slot);
  }

  removeWaiting(slot: Waiting): void {
    this.#waiting.delete(slot);
  }

  /** Something came or went: when the commit is over, what lacked a part is made, if it is there. */
  checkWaiting(): void {
    if (this.#isCheckDue || this.#waiting.size === 0) return;
    this.#isCheckDue = true;
    queueMicrotask(() => {
      this.#isCheckDue = false;
      for (const slot of this.#waiting) slot.check();
    });
  }

  get #pageWorld(): PageWorld | undefined {
    return this.#world as PageWorld | undefined;
  }

  /** Whether the page has changed something that the newest state does not have. */
  get isChangePending(): boolean {
    return this.#pageWorld?.isChangePending === true;
  }

  /** Calls back when the page changes something, once in each turn. @returns Ends it. */
  onChange(callback: () => void): () => void {
    this.#changeHandlers.add(callback);
    return () => this.#changeHandlers.delete(callback);
  }

  /** Has something drawn in each frame, after bodies. @returns Ends it. */
  onFrame(job: (frame: SampledFrame) => void): () => void {
    this.#jobs.add(job);
    return () => this.#jobs.delete(job);
  }

  /** Has the callbacks of steps called for that many ticks to come, even if one frame brings them all. */
  expectTicks(count: number): void {
    this.#askedFor += count;
  }

  /** Follows what has changed without a render. A replay that is shown stays as it was recorded. */
  look(): void {
    if (this.keeper.isHeld) return;
    // An iterator would be garbage of each frame.
    this.watched.forEach(lookAt);
  }

  /** Made once: a function that is made in `draw` costs memory in each frame. */
  readonly #entryOf = (body: RigidBody): BodyEntry | undefined => this.#bodies.get(body);

  /** Samples and draws a frame. @param stamp Its time stamp. */
  draw(stamp: number): SampledFrame | undefined {
    const world = this.#world;
    if (world === undefined) return undefined;
    this.look();
    const frame = world.sample(stamp);
    if (!frame.hasState) return frame;
    this.#callForTicks(world, frame.newestTick);
    this.#binding.update(frame);
    const { unshown } = world as PageWorld;
    if (unshown.length > 0) drawUnshown(unshown, this.#entryOf);
    for (const job of this.#jobs) job(frame);
    return frame;
  }

  #create(): World {
    const { world: options, events } = this.#options;
    const connecting = new AbortController();
    this.#connecting = connecting;
    const world = createWorld({ ...options, signal: connecting.signal });
    if (!this.#isBegun) this.#endIn(UNCLAIMED_MS);
    (world as PageWorld).names = {
      capacityOf: '<Physics>',
      nameOf: (kind, handle) => this.#nameOf(world, kind, handle),
    };
    (world as PageWorld).onChange = () => {
      for (const handler of this.#changeHandlers) handler();
    };
    (world as PageWorld).onFollowed = () => this.#agree();
    new CollisionDispatcher(this).listen(world, events);
    this.#lastTick = 0;
    this.#askedFor = 0;
    this.#calledAhead = 0;
    const binding = new BodyBinding();
    this.#binding = binding;
    world.ready.then(
      (handle) => {
        this.#populate(world, handle, binding);
        // For the first tick: when the page learns of it, others may have followed.
        if (options.startPaused === true) return;
        this.#calledAhead = 1;
        this.#callOfSteps(world as PageWorld, 1);
      },
      // `<Physics>` reports it.
      () => {},
    );
    if (this.#hadWorld) this.#onAnotherWorld();
    this.#hadWorld = true;
    return world;
  }

  #nameOf(world: World, kind: string, handle: number): string {
    const body = kind === 'body' ? world.getRigidBody(handle) : undefined;
    const collider = kind === 'collider' ? world.getCollider(handle) : undefined;
    const entry = (body && this.#bodies.get(body)) ?? (collider && this.#colliders.get(collider));
    return entry?.owner.ownerOf('key') ?? `the ${kind} ${handle}`;
  }

  #populate(world: World, handle: WorldHandle, binding: BodyBinding): void {
    const entryOf = (tag: number): BodyEntry | undefined => {
      const body = world.getRigidBody(tag);
      return body && this.#bodies.get(body);
    };
    binding.populate(
      handle,
      (tag, id) => {
        const entry = entryOf(tag);
        if (entry?.onShown === undefined) return entry?.object;
        entry.onShown(id);
        return undefined;
      },
      { keepVisible: true },
    );
    handle.on('despawn', ({ tag }) => entryOf(tag)?.onShown?.(undefined));
  }

  /** After the commit: a component that was mounted may draw something of the replay that is shown. */
  #agreeSoon(): void {
    if (this.#isAgreeDue) return;
    this.#isAgreeDue = true;
    queueMicrotask(() => {
      this.#isAgreeDue = false;
      this.#agree();
    });
  }

  /** After a jump of the run. */
  #agree(): void {
    const world = this.#pageWorld;
    if (world === undefined) return;
    this.jumps += 1;
    this.followers.agree(world, this.#waiting);
  }

  /** Calls those of steps once for each tick that the page has learned of. */
  #callForTicks(world: World, tick: number): void {
    // None after a jump back.
    const ticks = Math.max(0, tick - this.#lastTick);
    const due = Math.max(0, ticks - this.#calledAhead);
    const count = Math.min(due, MOST_TICKS + this.#askedFor);
    this.#lastTick = tick;
    this.#calledAhead = Math.max(0, this.#calledAhead - ticks);
    this.#askedFor = Math.max(0, this.#askedFor - ticks);
    const isCalled = this.beforeStep.size + this.afterStep.size > 0;
    if (isDevelopment && isCalled && due > count) warnOfMissedSteps(due - count);
    this.#callOfSteps(world as PageWorld, count);
  }

  /** What they write is for as many ticks to come. Also without any: what the last ones have written waits for a call. */
  #callOfSteps(world: PageWorld, count: number): void {
    for (let index = 0; index < count; index++) {
      world.flush();
      for (const { current } of this.beforeStep) callReported(current, world);
      world.flush('before');
      for (const { current } of this.afterStep) callReported(current, world);
      world.flush('after');
    }
  }
}

/** What is known of a body. */
export interface BodyEntry {
  /** What bodies that take each other's place after a jump have in common, and what they preferably have. */
  readonly likeness?: Likeness;
  /** What collisions name, and what it moves unless there is `onShown`. */
  object: Object3D | undefined;
  /** It is drawn by its number from now on, or, if that is undefined, stays where it is drawn. */
  readonly onShown?: (id: BodyId | undefined) => void;
  readonly owner: PropNames;
  /** Its props, as they were rendered last. */
  props: RigidBodyOptions;
}

/** Compared one by one. */
export interface Likeness {
  readonly kind: readonly unknown[];
  readonly place: readonly unknown[];
}

/** What is known of a collider. */
export interface ColliderEntry {
  /** Of its component; undefined if it was made for a mesh. */
  readonly object: Object3D | undefined;
  readonly owner: PropNames;
  /** As they were rendered last. */
  handlers: CollisionHandlers;
}

const pose = new Float64Array(7);

export function drawUnshown(
  bodies: readonly BodyHandle[],
  entryOf: (body: BodyHandle) => BodyEntry | undefined,
): void {
  const objects = new AttachedObjects();
  for (const [index, body] of bodies.entries()) {
    const entry = entryOf(body);
    // Instances are drawn by their list.
    if (entry?.object === undefined || entry.onShown !== undefined) continue;
    objects.attach(entry.object, index as BodyId, { keepVisible: true });
  }
  const read = (index: number, out: Float64Array): Float64Array => {
    bodies[index]?.readPose(pose);
    out.set(pose);
    return out;
  };
  objects.update({ pose: read } as Pick<SampledFrame, 'pose'> as SampledFrame);
}
