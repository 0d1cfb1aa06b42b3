/**
 * An application's scene in a Rapier world: its interface, and how it is built, stepped, saved and restored.
 *
 * To restore a scene, it is first built as at the beginning of its run. So what `build` creates (ids, sensors, static
 * objects) need not be saved, and state that a scene forgets to save has its initial value instead of an arbitrary one.
 * A new scene is always built next to the running one, which a failure does not affect and which is freed last.
 */
import type { EventMap } from '../shared/events/simulation-event.js';
import type { InputState } from '../shared/input/input-state.js';
import type { TickInput } from '../shared/input/tick-inputs.js';
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { StateHash } from '../shared/recording/state-hash.js';
import { type Json, requireJson } from '../shared/util/json.js';
import { requireDone, type SimulationContext } from '../sim-worker/api/simulation.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import { bytesOfJson, jsonOfBytes } from './saved-json.js';
import { packParts, unpackParts } from './saved-parts.js';
import type { AnyRapier, AnyWorld } from './any-rapier.js';
import {
  freeControllers,
  keepLists,
  memoryOf,
  releasedWith,
  type MemoryCopy,
} from './engine-memory.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';
import { RapierEvents } from './rapier-events.js';
import { watchesOf } from './rapier-watches.js';
import { RapierWorld, type KeptBodies } from './rapier-world.js';
import { lookAtGravity, noteGravity } from './waking.js';

/**
 * Passed to the `build` of `rapierSimulation`: what a scene is built with.
 *
 * @typeParam E The custom events that `context.events` emits: names and payloads. Default: any.
 * @typeParam R The type of Rapier's module. Default: that of the installed package. An application that has several names
 *   its own: `RapierTools<{ goal: number }, Rapier<'compat'>>`.
 */
export interface RapierTools<E extends EventMap = EventMap, R = Rapier> {
  /** The simulation's context: seed, setup, random source, custom events. */
  readonly context: SimulationContext<E>;
  /** The engine's module, for its descriptions: `rapier.RigidBodyDesc.dynamic()`. */
  readonly rapier: R;
  /** A new, empty world, and the publisher of its bodies: `physics.add(physics.world.createRigidBody(…))`. */
  readonly physics: RapierWorld<RapierWorldOf<R>>;
  /**
   * Reports contacts, forces, sensors and sleep to the page. Created on first read: a scene that never reads it reports
   * none of these and pays nothing for them. It is drained after each step.
   */
  readonly events: RapierEvents;
  /** The same as `context.input`. */
  readonly input: InputState;
}

/**
 * The result of `build`: the behavior of the scene.
 *
 * @typeParam C Its commands.
 * @typeParam E Its custom events.
 * @typeParam Q Its queries.
 * @typeParam S What it saves.
 * @typeParam T The tags of its bodies.
 */
export interface RapierScene<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  S extends Json = Json,
  T extends Json = Json,
> {
  /**
   * Advances by one tick. Must step the world: `physics.step(dt)`. Default: only that.
   *
   * @param dt Simulated seconds.
   * @param tick Number of this tick, 1 for the first.
   * @param inputs The inputs of the tick's input window, in order; `input` already includes them.
   */
  step?(dt: number, tick: number, inputs: readonly TickInput[]): void;
  /**
   * Change the scene: each runs right before a tick and is recorded. All scenes must have the same names. Default none.
   */
  readonly commands?: C;
  /** Read the scene between two ticks and change nothing. All scenes must have the same names. Default none. */
  readonly queries?: Q;
  /** Never read: its type declares the custom events. */
  readonly events?: E;
  /** Never read: its type declares the tags of the bodies. */
  readonly tag?: T;
  /** Returns, as plain data, the changed state that is neither in Rapier nor in the bodies' poses. Default: nothing. */
  save?(): S;
  /**
   * Restores what `save` returned, in a newly built scene. The world is already the saved one. Rapier objects from
   * `build`, such as rigid bodies and controllers, belong to another world: `physics.ref` and `physics.rigidBodyOf`
   * return those of this world; vehicle and character controllers must be created again.
   */
  restore?(saved: S): void;
  /**
   * Restores what `save` returned in this scene itself: its world is at that moment again, with the rigid bodies, colliders
   * and joints that it had then, as the same objects. For going back faster in scenes that take long to build. Must leave
   * nothing of what came after. Without it, and if controllers were made or removed since, the scene is built again, and {@link restore} is called.
   */
  restoreInPlace?(saved: S): void;
  /** Adds state other than poses and velocities to the state hash. Default nothing. */
  hash?(hash: StateHash): void;
  /** Called when the scene is replaced and when the worker stops. The world is freed afterwards. Must not throw. */
  dispose?(): void;
}

/** Builds a scene in an empty world, with {@link RapierTools} of the build that it is written for. */
export type BuildRapierScene<Scene extends RapierScene> = (tools: never) => Scene;

const SAVED_KIND = 'btwS';
const WHAT = 'the saved state of a simulation on Rapier';

/** A scene and its world at a moment, with a copy of the engine's memory. */
interface KeptScene<Scene extends RapierScene> {
  readonly run: SceneRun<Scene>;
  /** Saved by the scene. */
  readonly scene: Uint8Array;
  readonly bodies: KeptBodies;
  readonly memory: MemoryCopy;
  readonly putListsBack: () => void;
}

/** All that a scene is built from. */
interface SceneParts<Scene extends RapierScene> {
  readonly build: BuildRapierScene<Scene>;
  readonly rapier: AnyRapier;
  /** In development: called with each world before anything is built in it. */
  readonly watchWorld?: ((physics: RapierWorld<AnyWorld>) => void) | undefined;
  readonly context: SimulationContext;
  readonly gravity: { readonly x: number; readonly y: number; readonly z: number };
}

/** {@link RapierTools} of any build. */
interface AnyRapierTools extends Omit<RapierTools, 'rapier' | 'physics'> {
  readonly rapier: AnyRapier;
  readonly physics: RapierWorld<AnyWorld>;
}

export class SceneRun<Scene extends RapierScene> implements AnyRapierTools {
  readonly #parts: SceneParts<Scene>;
  readonly context: SimulationContext;
  readonly rapier: AnyRapier;
  readonly physics: RapierWorld<AnyWorld>;
  readonly input: InputState;
  readonly scene: Scene;
  #events: RapierEvents | undefined;
  #isDisposed = false;

  constructor(parts: SceneParts<Scene>) {
    const { build, rapier, context, gravity, watchWorld } = parts;
    this.#parts = parts;
    this.rapier = rapier;
    this.context = context;
    this.input = context.input;
    this.physics = new RapierWorld(new rapier.World(gravity), context.bodies);
    watchWorld?.(this.physics);
    try {
      this.scene = requireScene(build(this as never));
      noteGravity(this.physics.world);
    } catch (error) {
      this.#freeEngine();
      throw error;
    }
  }

  get events(): RapierEvents {
    this.#events ??= new RapierEvents(this.rapier, this.physics, this.context.events);
    return this.#events;
  }

  step(dt: number, tick: number, inputs: readonly TickInput[]): void {
    if (this.scene.step === undefined) this.physics.step(dt);
    else requireDone(this.scene.step(dt, tick, inputs), 'step');
    // The scene may be saved now.
    lookAtGravity(this.physics.world);
    this.#events?.drain();
  }

  /** All but the world. */
  #saveScene(): Uint8Array {
    return bytesOfJson(requireJson('what the scene saves', this.scene.save?.() ?? null));
  }

  save(): Uint8Array {
    return packParts(SAVED_KIND, [this.#saveScene(), this.physics.save()]);
  }

  /** A new scene of the same build. The bodies must already be removed, and the random source seeded. */
  again(): SceneRun<Scene> {
    return new SceneRun(this.#parts);
  }

  /**
   * A new scene with a saved state. Bodies and context must already be restored.
   *
   * @throws RangeError if the bytes are not a saved scene, or are from another engine. Nothing changes
   *   then, except bodies and context, which the caller must restore.
   */
  restored(bytes: Uint8Array): SceneRun<Scene> {
    const [own, world] = unpackParts(SAVED_KIND, 2, bytes, WHAT) as [Uint8Array, Uint8Array];
    const saved = readSaved(own);
    const next = this.#beside();
    try {
      next.#adopt(saved, (physics) => physics.restore(world));
    } catch (error) {
      next.free();
      throw error;
    }
    return next;
  }

  /**
   * Keeps the world by a copy of the engine's memory. Undefined if that is unknown, or has other worlds too.
   *
   * @param used A copy whose memory is used again.
   */
  keep(used: MemoryCopy | undefined): KeptScene<Scene> | undefined {
    const memory = memoryOf(this.rapier);
    if (memory?.worlds !== 1) return undefined;
    const putListsBack = keepLists(this.physics.world);
    if (putListsBack === undefined) return undefined;
    const [scene, bodies] = [this.#saveScene(), this.physics.keep()];
    return { run: this, scene, bodies, memory: memory.copy(used), putListsBack };
  }

  /** Whether the engine can: anything else that uses it would go back with this world. */
  canGoBackTo({ memory, bodies }: KeptScene<Scene>): boolean {
    const { world, eventQueue } = this.physics;
    const engine = memoryOf(this.rapier);
    return (
      world === bodies.world &&
      engine?.worlds === 1 &&
      engine.canPutBack(memory, releasedWith(world, eventQueue))
    );
  }

  /** Goes back in this scene itself, if it can do that and has made and freed nothing that the engine's memory has. */
  goneBackTo(kept: KeptScene<Scene>): SceneRun<Scene> {
    const saved = readSaved(kept.scene);
    const engine = memoryOf(this.rapier);
    const inPlace =
      this === kept.run &&
      this.scene.restoreInPlace !== undefined &&
      engine?.ownsTheSame(kept.memory) === true;
    if (!inPlace) this.#leaveWorld();
    engine?.putBack(kept.memory);
    kept.putListsBack();
    if (inPlace) {
      this.physics.adopt(kept.bodies);
      requireDone(this.scene.restoreInPlace?.(saved as never), 'restoreInPlace');
      return this;
    }
    // Like any saved state, but with the world that is there.
    const next = this.#beside();
    next.#adopt(saved, (physics) => physics.adopt(kept.bodies));
    return next;
  }

  /**
   * Builds a scene as at the beginning of the run, with the same ids and random numbers, then restores bodies,
   * values, inputs and random source.
   */
  #beside(): SceneRun<Scene> {
    const { bodies, values, input, random, seed } = this.context;
    const registry = registryOf(bodies);
    const [savedBodies, savedValues] = [registry.save(), values.slice()];
    const [savedInput, savedRandom] = [input.save(), random.state];
    registry.begin(registry.generation);
    random.state = seed;
    input.clear();
    const next = new SceneRun(this.#parts);
    registry.restore(savedBodies);
    values.set(savedValues);
    input.restore(savedInput);
    random.state = savedRandom;
    return next;
  }

  /** @param restoreWorld Gives the world its saved state. */
  #adopt(saved: Json, restoreWorld: (physics: RapierWorld<AnyWorld>) => void): void {
    restoreWorld(this.physics);
    // The saved run may have asked for events later than in `build`.
    const isWatched = !watchesOf(this.physics).isEmpty;
    if (isWatched && this.physics.stepWatch === undefined) void this.events;
    requireDone(this.scene.restore?.(saved as never), 'restore');
  }

  /** Frees what the scene and the engine hold. The bodies are left to the next scene. */
  free(): void {
    try {
      this.#disposeScene();
    } finally {
      this.#freeEngine();
    }
  }

  /** As {@link free}, but the world stays. */
  #leaveWorld(): void {
    try {
      this.#disposeScene();
    } finally {
      this.#events?.free();
      freeControllers(this.physics.world);
    }
  }

  /** Once: a scene that could not be replaced is left a second time. */
  #disposeScene(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.scene.dispose?.();
  }

  #freeEngine(): void {
    this.#events?.free();
    this.physics.freeEngine();
  }
}

/** TypeScript accepts an async function as one that returns an empty scene. */
function requireScene<Scene extends RapierScene>(scene: Scene): Scene {
  if (typeof scene !== 'object' || scene === null) {
    throw new TypeError('build must return an object, such as { step, commands }');
  }
  if (!('then' in scene)) return scene;
  void Promise.resolve(scene).catch(() => {});
  throw new TypeError(
    'build returned a promise, and must be done when it returns: wait in the option load, or before runSimulation',
  );
}

function readSaved(bytes: Uint8Array): Json {
  try {
    return jsonOfBytes(bytes);
  } catch (cause) {
    throw new RangeError(`these bytes are not ${WHAT}`, { cause });
  }
}
