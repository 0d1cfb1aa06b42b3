/** Loading Jolt Physics, and making a world of it. */
import { requireInteger } from '../../src/shared/util/validate.js';
import type JoltModule from 'jolt-physics/wasm-compat';

/** The engine's module with its WebAssembly running. */
export type Jolt = typeof JoltModule;

/** Name and version of the engine. The module does not say its version itself. */
export const JOLT_NAME = 'jolt-physics 1.1.0';

/** What collides with what: still things with moving ones, moving ones with each other too, ghosts with nothing. */
export const JOLT_LAYER = { still: 0, moving: 1, ghost: 2 } as const;

const LAYERS = 3;

/** The engine's memory does not grow: measured, 20,000 leave 37 of its 128 MB free. Out of it, the module ends. */
const MAX_BODIES = 20_000;

/**
 * Each takes 472 bytes of the 10 MB that a step has, which cannot be changed; a step that needs more ends the
 * module too. With 20,800 it ran, with 32,000 not. It is enough for a heap of about 4,500 boxes.
 */
const MAX_CONTACTS = 16_384;

/** What a world of Jolt is made with. */
export interface JoltOptions {
  /** How many bodies there may be, published or not: 1 to 20,000. Memory is taken for all of them. */
  readonly maxBodies: number;
  /** Metres by second squared. */
  readonly gravity: { readonly x: number; readonly y: number; readonly z: number };
}

let loading: Promise<Jolt> | undefined;

/**
 * Loads the engine: the build that is one file with its WebAssembly in it and that runs in one thread, without
 * shared memory. Loaded once for a thread; its memory is 128 MB, all worlds together. The package `jolt-physics` has
 * to be installed.
 */
export function loadJolt(): Promise<Jolt> {
  loading ??= start();
  return loading;
}

async function start(): Promise<Jolt> {
  try {
    const { default: instantiate } = await import('jolt-physics/wasm-compat');
    return await instantiate();
  } catch (error) {
    // What could not be fetched now may be there at the next call.
    loading = undefined;
    throw error;
  }
}

/**
 * A world with the layers of {@link JOLT_LAYER}. `jolt.destroy` frees it, with all that is in it.
 *
 * @throws RangeError if `maxBodies` is no whole number of 1 to 20,000.
 */
export function createJoltInterface(
  jolt: Jolt,
  { maxBodies, gravity }: JoltOptions,
): JoltModule.JoltInterface {
  requireInteger('maxBodies', maxBodies, 1, MAX_BODIES);
  const settings = new jolt.JoltSettings();
  settings.mMaxBodies = maxBodies;
  // What is beyond these two is dropped without a word: bodies sink into each other. In a heap of boxes there are
  // about 3.5 contacts to a body, and twice the pairs of boxes around them.
  settings.mMaxBodyPairs = Math.max(16_384, 16 * maxBodies);
  settings.mMaxContactConstraints = Math.min(Math.max(8192, 8 * maxBodies), MAX_CONTACTS);
  const pairs = new jolt.ObjectLayerPairFilterTable(LAYERS);
  pairs.EnableCollision(JOLT_LAYER.still, JOLT_LAYER.moving);
  pairs.EnableCollision(JOLT_LAYER.moving, JOLT_LAYER.moving);
  const trees = new jolt.BroadPhaseLayerInterfaceTable(LAYERS, LAYERS);
  for (const layer of Object.values(JOLT_LAYER)) {
    const tree = new jolt.BroadPhaseLayer(layer);
    trees.MapObjectToBroadPhaseLayer(layer, tree);
    jolt.destroy(tree);
  }
  // The world takes these three over, and frees them.
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = trees;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(
    trees,
    LAYERS,
    pairs,
    LAYERS,
  );
  const physics = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  const vector = new jolt.Vec3(gravity.x, gravity.y, gravity.z);
  physics.GetPhysicsSystem().SetGravity(vector);
  jolt.destroy(vector);
  return physics;
}
