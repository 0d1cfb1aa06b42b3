/** One `<Physics>`: its world, how it is drawn, and what its components know of bodies and colliders. */
import { isDevelopment, warnOnce } from '../shared/util/development.js';
import { MOST_TICKS } from '../world/shared/world-batch.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { BodyBinding } from '../three/index.js';
import {
  type Collider,
  createWorld,
  type RigidBody,
  type World,
  type WorldHandle,
  type WorldOptions,
} from '../world/page/index.js';
import { callReported } from '../render-main/util/page-errors.js';
import { oncePerTurn } from '../render-main/util/turns.js';
import { driverOf } from '../world/page/page-world.js';
import type { WorldDriver } from '../world/page/world-driver.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import { AttachedObjects } from '../three/attached-objects.js';
import type { BodyHandle } from '../world/page/body-handle.js';
import { ControlWatch } from './control-watch.js';
import { listenForCollisions, type BodyEntry, type ColliderEntry } from './collision-events.js';
import { LeaseRegistry } from './leases.js';
import type { RigidBodyAutoCollider } from './types.js';

/** Called once for each tick. */
export type WorldStepCallback = (world: World) => void;

/** How long a world outlives the effect of `<Physics>`: an effect that begins again keeps it. */
const GRACE_MS = 100;
/** How long a world waits for the effect of `<Physics>`. If none begins until then, the render was never committed. */
const UNCLAIMED_MS = 2000;

/** A frame asks at most this many watchers; more take turns. Asking a thousand meshes took a quarter of a frame. */
const MOST_ASKED = 128;

/** Something made of objects that may change without a render. */
interface Watcher {
  /** Called between frames: it must allocate nothing if they have not changed. */
  followChanges(): void;
}

/** Props of `<Physics>` that only a new world can have. */
interface ScopeOptions {
  readonly world: WorldOptions;
  /** When handlers of events are called. */
  readonly events: 'shown' | 'now';
}

/** The state that the components in one `<Physics>` share. */
export class PhysicsScope {
  /** The prop of `<Physics>`, for bodies without one. */
  colliders: RigidBodyAutoCollider = 'cuboid';
  readonly leases = new LeaseRegistry(
    () => this.#world !== undefined && driverOf(this.#world).isElsewhere,
  );
  /** How often the run has jumped. After a jump, bodies and colliders may have lost what they were given. */
  jumps = 0;
  /** All are asked before a step, and before a frame the ones whose turn it is. */
  readonly watchers = new Set<Watcher>();
  #turns = this.watchers.values();
  readonly beforeStep = new Set<{ readonly current: WorldStepCallback }>();
  readonly afterStep = new Set<{ readonly current: WorldStepCallback }>();
  readonly #controls = new ControlWatch((body) => this.#nameOf(this.world, 'body', body.handle));
  readonly options: ScopeOptions;
  readonly #onAnotherWorld: () => void;
  /** Bodies, also removed ones: events of their end name them. */
  readonly #bodies = new WeakMap<RigidBody, BodyEntry>();
  readonly colliderEntries = new WeakMap<Collider, ColliderEntry>();
  readonly #frameCallbacks = new Set<(frame: SampledFrame) => void>();
  readonly #changeHandlers = new Set<() => void>();
  #world: World | undefined;
  #hadWorld = false;
  /** Moves the objects of bodies. */
  binding = new BodyBinding();
  #connecting: AbortController | undefined;
  /** Whether the effect of `<Physics>` has begun and not ended. */
  #isBegun = false;
  #ending: ReturnType<typeof setTimeout> | undefined;
  #lastTick = 0;
  /** Ticks to come that `step` has asked for. */
  #expectedTicks = 0;
  /** Ticks for which callbacks of steps were called before the page has received them. */
  #calledAhead = 0;

  /** @param onAnotherWorld Called when the world is created again, because all effects had ended and begin again. */
  constructor(options: ScopeOptions, onAnotherWorld: () => void) {
    this.options = options;
    this.#onAnotherWorld = onAnotherWorld;
  }

  /** The world. It is created when it is first asked for: by the effect of a component, so that a render is pure. */
  get world(): World {
    this.#world ??= this.#create();
    return this.#world;
  }

  /** Whether callbacks of steps run within the ticks: the engine runs in the page's own thread. */
  get isLocal(): boolean {
    return this.options.world.transport === 'local';
  }

  /** The world, if there is one. */
  get existingWorld(): World | undefined {
    return this.#world;
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
      this.binding.clear();
      // A worker that still loads is not waited for.
      this.#connecting?.abort();
      // The status of the world tells errors already.
      world?.dispose().catch(() => {});
    }, delayMs);
  }

  addBody(body: RigidBody, entry: BodyEntry): void {
    this.#bodies.set(body, entry);
    this.leases.updateDependents();
    if (this.leases.isReadOnly) this.#resyncSoon();
  }

  removeBody(world: World, body: RigidBody): void {
    if (!this.leases.isReadOnly) world.removeRigidBody(body);
    this.leases.updateDependents();
  }

  /** Made once: a function made in each frame would be garbage. */
  readonly entryOf = (body: RigidBody): BodyEntry | undefined => this.#bodies.get(body);

  /** Draws a body as another one was: its component has adopted it. */
  show(body: RigidBody, entry: BodyEntry): void {
    this.#bodies.set(body, entry);
    const { id } = body;
    // A body without a number is attached when it comes to life.
    if (entry.onShown !== undefined) entry.onShown(id);
    else if (entry.object !== undefined && id !== undefined) {
      this.binding.attach(entry.object, id, { keepVisible: true });
    }
  }

  noteCollider(collider: Collider, entry: ColliderEntry): void {
    this.colliderEntries.set(collider, entry);
    this.leases.updateDependents();
  }

  /** Whether the page has changed something that the newest state does not have. */
  get isChangePending(): boolean {
    return this.#world !== undefined && driverOf(this.#world).isChangePending;
  }

  /** Calls back when the page changes something, once in each turn. @returns Ends it. */
  onChange(callback: () => void): () => void {
    this.#changeHandlers.add(callback);
    return () => this.#changeHandlers.delete(callback);
  }

  /** Calls back in each frame, after bodies were drawn. @returns Ends it. */
  onFrame(callback: (frame: SampledFrame) => void): () => void {
    this.#frameCallbacks.add(callback);
    return () => this.#frameCallbacks.delete(callback);
  }

  /** Has the callbacks of steps called for that many ticks to come, even if one frame brings them all. */
  expectTicks(count: number): void {
    this.#expectedTicks += count;
  }

  /**
   * Follows what has changed without a render. A replay that is shown stays as it was recorded.
   *
   * @param most How many watchers are asked. Default: all.
   */
  followChanges(most = this.watchers.size): void {
    if (this.leases.isReadOnly) return;
    const count = Math.min(most, this.watchers.size);
    for (let asked = 0; asked < count; asked++) this.#nextWatcher()?.followChanges();
  }

  /** The iterator also finds watchers that were added since it began. */
  #nextWatcher(): Watcher | undefined {
    const { value } = this.#turns.next();
    if (value !== undefined) return value;
    this.#turns = this.watchers.values();
    return this.#turns.next().value;
  }

  /** Samples and draws a frame. @param stamp Its time stamp. */
  draw(stamp: number): SampledFrame | undefined {
    const world = this.#world;
    if (world === undefined) return undefined;
    this.followChanges(MOST_ASKED);
    const frame = world.sample(stamp);
    if (!frame.hasState) return frame;
    if (!this.isLocal) this.#callForTicks(world, frame.newestTick);
    this.binding.update(frame);
    const { unshown } = driverOf(world);
    if (unshown.length > 0) drawUnshown(unshown, this.entryOf);
    for (const callback of this.#frameCallbacks) callback(frame);
    return frame;
  }

  #create(): World {
    const { world: options, events } = this.options;
    const connecting = new AbortController();
    this.#connecting = connecting;
    const world = createWorld({ ...options, signal: connecting.signal });
    if (!this.#isBegun) this.#endIn(UNCLAIMED_MS);
    const driver = driverOf(world);
    driver.names = {
      capacityOf: '<Physics>',
      nameOf: (kind, handle) => this.#nameOf(world, kind, handle),
    };
    driver.onChange = () => {
      for (const handler of this.#changeHandlers) handler();
    };
    driver.onFollowed = () => this.#resync();
    listenForCollisions(this, world, events);
    if (this.isLocal) {
      world.addStepHooks({
        beforeStep: () => {
          for (const { current } of this.beforeStep) current(world);
        },
        afterStep: () => {
          for (const { current } of this.afterStep) current(world);
        },
      });
    }
    this.#lastTick = 0;
    this.#expectedTicks = 0;
    this.#calledAhead = 0;
    const binding = new BodyBinding();
    this.binding = binding;
    world.ready.then(
      (handle) => {
        this.#populate(world, handle, binding);
        // For the first tick: by the time the page receives it, others may have followed.
        if (options.startPaused === true || this.isLocal) return;
        this.#calledAhead = 1;
        this.#callOfSteps(world, 1);
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
    const names =
      (body && this.#bodies.get(body)) ?? (collider && this.colliderEntries.get(collider));
    return names?.componentOf('key') ?? `the ${kind} with the handle ${handle}`;
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

  /** Resyncs after the commit: a component that was mounted may draw something of the replay that is shown. */
  readonly #resyncSoon = oncePerTurn(() => this.#resync());

  #resync(): void {
    const world = this.#world;
    if (world === undefined) return;
    this.jumps += 1;
    this.leases.resync(world);
  }

  /** Calls the callbacks of steps once for each tick that the page has received. */
  #callForTicks(world: World, tick: number): void {
    // No ticks after a jump back.
    const ticks = Math.max(0, tick - this.#lastTick);
    const due = Math.max(0, ticks - this.#calledAhead);
    const count = Math.min(due, MOST_TICKS + this.#expectedTicks);
    this.#lastTick = tick;
    this.#calledAhead = Math.max(0, this.#calledAhead - ticks);
    this.#expectedTicks = Math.max(0, this.#expectedTicks - ticks);
    const isCalled = this.beforeStep.size + this.afterStep.size > 0;
    if (isDevelopment && isCalled && due > count) {
      warnOnce(
        'missed steps',
        `useBeforePhysicsStep and useAfterPhysicsStep were not called for ${due - count} ticks, because one frame brought too many. ` +
          'Code that must run with every tick is a system: see useSystem',
      );
    }
    this.#callOfSteps(world, count);
  }

  /**
   * The writes of the callbacks are for as many ticks to come. Flushes without callbacks, too: the writes of the last ones
   * wait for that.
   */
  #callOfSteps(world: World, count: number): void {
    const driver = driverOf(world);
    for (let index = 0; index < count; index++) {
      if (isDevelopment) this.#controls.watch(() => this.#callOfStep(world, driver));
      else this.#callOfStep(world, driver);
    }
  }

  #callOfStep(world: World, driver: WorldDriver): void {
    driver.flush();
    for (const { current } of this.beforeStep) callReported(current, world);
    driver.flush('before');
    for (const { current } of this.afterStep) callReported(current, world);
    driver.flush('after');
  }
}

const pose = new Float64Array(7);

/** Draws bodies that no state has yet where a ref has put them: a run that is paused brings no state. */
function drawUnshown(
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
