/**
 * Runs an application's scene in a Rapier world: builds, steps, saves and restores it.
 *
 * To restore a scene, it is first built as at the beginning of its run. So what `build` creates (ids, sensors, static
 * objects) need not be saved, and state that a scene forgets to save has its initial value instead of an arbitrary one.
 * A new scene is always built next to the running one, which a failure does not affect and which is freed last.
 */
import { requireJson, type Json } from '../../shared/util/json.js';
import { InputState } from '../../shared/input/input-state.js';
import type { TickInput } from '../../shared/input/input-event.js';
import { registryOf } from '../bodies/body-registry.js';
import { requireDone } from '../run/require-done.js';
import { bytesOfJson, jsonOfBytes } from '../bodies/saved-json.js';
import { packParts, unpackParts } from '../bodies/saved-parts.js';
import type { KeptState, SimulationContext } from '../api/simulation.js';
import { memoryOf, type MemoryCopy } from './engine-memory.js';
import { freeControllers, keepLists, releasedWith } from './kept-lists.js';
import type { AnyRapier, AnyWorld } from './any-rapier.js';
import { RapierEvents } from './rapier-events.js';
import type { BuildRapierScene, RapierScene, RapierTools } from './rapier-scene.js';
import { watchesOf } from './rapier-watches.js';
import { RapierWorld, type KeptBodies } from './rapier-world.js';
import { lookAtGravity, noteGravity } from './waking.js';

const SAVED_KIND = 'btwS';
const WHAT = 'the saved state of a simulation on Rapier';

/** A type and not an interface, so that it counts as plain data. */
type SavedScene = { readonly input: Json; readonly scene: Json };

/** What a kept state consists of. */
interface KeptRun<Scene extends RapierScene> {
  readonly built: Built<Scene>;
  /** Saved by the scene. */
  readonly scene: Uint8Array;
  readonly bodies: KeptBodies;
  readonly memory: MemoryCopy;
  readonly putListsBack: () => void;
}

/** Of the states that can be restored: another one may have the memory since. */
const usableMemory = new WeakMap<KeptState, MemoryCopy>();

interface Parts {
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

class Built<Scene extends RapierScene> implements AnyRapierTools {
  readonly context: SimulationContext;
  readonly rapier: AnyRapier;
  readonly physics: RapierWorld<AnyWorld>;
  readonly input = new InputState();
  readonly scene: Scene;
  #events: RapierEvents | undefined;
  #isDisposed = false;

  constructor({ rapier, context, gravity, watchWorld }: Parts, build: BuildRapierScene<Scene>) {
    this.rapier = rapier;
    this.context = context;
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
    this.input.apply(inputs);
    if (this.scene.step === undefined) this.physics.step(dt);
    else requireDone(this.scene.step(dt, tick, inputs), 'step');
    // It may be saved now.
    lookAtGravity(this.physics.world);
    this.#events?.drain();
  }

  /** All but the world. */
  saveScene(): Uint8Array {
    const scene = requireJson('what the scene saves', this.scene.save?.() ?? null);
    const own: SavedScene = { input: this.input.save(), scene };
    return bytesOfJson(own);
  }

  save(): Uint8Array {
    return packParts(SAVED_KIND, [this.saveScene(), this.physics.save()]);
  }

  /** @param restoreWorld Gives the world its saved state. */
  adopt(
    { input, scene }: SavedScene,
    restoreWorld: (physics: RapierWorld<AnyWorld>) => void,
  ): void {
    restoreWorld(this.physics);
    // The saved run may have asked for events later than in `build`.
    const isWatched = !watchesOf(this.physics).isEmpty;
    if (isWatched && this.physics.stepWatch === undefined) void this.events;
    this.input.restore(input);
    requireDone(this.scene.restore?.(scene as never), 'restore');
  }

  /** Returns to what was kept of this scene. The engine has it again. */
  returnTo({ input, scene }: SavedScene, bodies: KeptBodies): void {
    this.physics.adopt(bodies);
    this.input.restore(input);
    requireDone(this.scene.restoreInPlace?.(scene as never), 'restoreInPlace');
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
  leaveWorld(): void {
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

export class RapierRun<Scene extends RapierScene> {
  readonly #parts: Parts;
  readonly #build: BuildRapierScene<Scene>;
  built: Built<Scene>;

  constructor(parts: Parts, build: BuildRapierScene<Scene>) {
    this.#parts = parts;
    this.#build = build;
    this.built = new Built(parts, build);
  }

  /** The bodies must already be removed, and the random source seeded. */
  reset(): void {
    this.#replaceBy(new Built(this.#parts, this.#build));
  }

  /**
   * Bodies and context must already be restored.
   *
   * @throws RangeError if the bytes are not a saved scene, are damaged, or are from another engine. Nothing changes
   *   then, except bodies and context, which the caller must restore.
   */
  restore(bytes: Uint8Array): void {
    const [own, world] = unpackParts(SAVED_KIND, 2, bytes, WHAT) as [Uint8Array, Uint8Array];
    const saved = readSaved(own);
    const next = this.#buildAside();
    try {
      next.adopt(saved, (physics) => physics.restore(world));
    } catch (error) {
      next.free();
      throw error;
    }
    this.#replaceBy(next);
  }

  /**
   * Keeps the world by a copy of the engine's memory. Undefined if that is unknown, or has other worlds too.
   *
   * @param used Its memory is used again.
   */
  keep(used?: KeptState): KeptState | undefined {
    const { built } = this;
    const { world } = built.physics;
    const memory = memoryOf(this.#parts.rapier);
    if (memory?.worlds !== 1) return undefined;
    const putListsBack = keepLists(world);
    if (putListsBack === undefined) return undefined;
    const kept: KeptRun<Scene> = {
      built,
      scene: built.saveScene(),
      bodies: built.physics.keep(),
      memory: memory.copy(used && usableMemory.get(used)),
      putListsBack,
    };
    if (used !== undefined) usableMemory.delete(used);
    const state: KeptState = {
      bytes: kept.memory.content.length,
      canRestore: () => usableMemory.has(state) && this.#canRestore(kept),
      restore: () => {
        if (!state.canRestore()) throw new Error('the engine cannot return to this state');
        this.#restoreKept(kept);
      },
    };
    usableMemory.set(state, kept.memory);
    return state;
  }

  /** Anything else that uses the engine would go back with this world. */
  #canRestore({ memory, bodies }: KeptRun<Scene>): boolean {
    const { world, eventQueue } = this.built.physics;
    const engine = memoryOf(this.#parts.rapier);
    return (
      world === bodies.world &&
      engine?.worlds === 1 &&
      engine.canPutBack(memory, releasedWith(world, eventQueue))
    );
  }

  /** In the scene itself, if it can do that and has made and freed nothing that the engine's memory has. */
  #restoreKept(kept: KeptRun<Scene>): void {
    const { built } = this;
    const saved = readSaved(kept.scene);
    const isSame = built === kept.built && built.scene.restoreInPlace !== undefined;
    const engine = memoryOf(this.#parts.rapier);
    const inPlace = isSame && engine?.ownsTheSame(kept.memory) === true;
    if (!inPlace) built.leaveWorld();
    engine?.putBack(kept.memory);
    kept.putListsBack();
    if (inPlace) {
      built.returnTo(saved, kept.bodies);
      return;
    }
    // As for any saved state, but with the world that is there.
    const next = this.#buildAside();
    next.adopt(saved, (physics) => physics.adopt(kept.bodies));
    this.built = next;
  }

  /**
   * Builds a scene as at the beginning of the run, with the same ids and random numbers, then restores bodies and
   * random source.
   */
  #buildAside(): Built<Scene> {
    const { bodies, random, seed } = this.#parts.context;
    const registry = registryOf(bodies);
    const [savedBodies, savedRandom] = [registry.save(), random.state];
    registry.begin(registry.generation);
    random.state = seed;
    const next = new Built(this.#parts, this.#build);
    registry.restore(savedBodies);
    random.state = savedRandom;
    return next;
  }

  #replaceBy(next: Built<Scene>): void {
    const before = this.built;
    this.built = next;
    before.free();
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

/** The checksum ensures that the content is unchanged, but another version may have saved it, under other names. */
function readSaved(bytes: Uint8Array): SavedScene {
  let saved: Json;
  try {
    saved = jsonOfBytes(bytes);
  } catch (cause) {
    throw new RangeError(`these bytes are not ${WHAT}`, { cause });
  }
  if (typeof saved === 'object' && saved !== null && 'input' in saved && 'scene' in saved) {
    return saved as SavedScene;
  }
  throw new RangeError(`${WHAT} was written by another version of the library`);
}
