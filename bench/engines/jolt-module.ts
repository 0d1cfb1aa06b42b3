/** Loads Jolt Physics, and creates a world. */
import { requireInteger } from '../../src/shared/util/validate.js';
import type JoltModule from 'jolt-physics/wasm-compat';

/** The engine's module with its WebAssembly running. */
export type Jolt = typeof JoltModule;

/** Name and version of the engine. The module itself does not report its version. */
export const JOLT_NAME = 'jolt-physics 1.1.0';

/**
 * `simd` is the build for several threads, used with none: the package has no other that is compiled
 * with SIMD. `plain` is the build for one thread, compiled without.
 */
export type JoltBuild = 'simd' | 'plain';

export interface LoadedJolt {
  readonly jolt: Jolt;
  /** The build that loaded. */
  readonly build: JoltBuild;
}

/** The engine's name with the build, because their costs and results differ. */
export const joltNameOf = (build: JoltBuild): string =>
  `${JOLT_NAME} ${build === 'simd' ? '(SIMD: multithread build, 0 workers)' : '(plain build, no SIMD)'}`;

/** Collision rules: static things with moving ones, moving ones with each other too. */
export const JOLT_LAYER = { still: 0, moving: 1 } as const;

const LAYERS = 2;

/**
 * The engine's memory does not grow: measured, 20,000 leave 37 of its 128 MB free. When it is used
 * up, the module aborts.
 */
const MAX_BODIES = 20_000;

/**
 * Each takes 472 bytes of the 10 MB that a step has, which cannot be changed; a step that needs
 * more aborts the module too. It ran with 20,800, and failed with 32,000. It is enough for a heap
 * of about 4,500 boxes.
 */
const MAX_CONTACTS = 16_384;

/** Options of a world of Jolt. */
export interface JoltOptions {
  /**
   * Maximum number of bodies, published or not: 1 to 20,000. Memory is allocated for all of them.
   */
  readonly maxBodies: number;
  /** Metres by second squared. */
  readonly gravity: { readonly x: number; readonly y: number; readonly z: number };
}

let loading: Promise<LoadedJolt> | undefined;

/**
 * Loads the engine, in one file with its WebAssembly: the build with SIMD where it loads, which takes
 * shared memory and a processor with SIMD, and the plain one elsewhere. Loaded once per thread; its
 * memory is 128 MB for all worlds together. The package `jolt-physics` has to be installed.
 */
export function loadJolt(): Promise<LoadedJolt> {
  loading ??= load();
  // A failed download may succeed at the next call.
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load(): Promise<LoadedJolt> {
  const canShare = typeof SharedArrayBuffer === 'function';
  const jolt = canShare ? await startWithoutThreads().catch(() => undefined) : undefined;
  return jolt === undefined
    ? { jolt: await startPlain(), build: 'plain' }
    : { jolt, build: 'simd' };
}

async function startPlain(): Promise<Jolt> {
  const { default: instantiate } = await import('jolt-physics/wasm-compat');
  return instantiate();
}

async function startWithoutThreads(): Promise<Jolt> {
  const { default: instantiate } = await import('jolt-physics/wasm-compat-multithread');
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Worker');
  // In Node the module sets the property first.
  Object.defineProperty(globalThis, 'Worker', {
    configurable: true,
    get: () => AbsentWorker,
    set: () => {},
  });
  try {
    return await instantiate();
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'Worker');
    else Object.defineProperty(globalThis, 'Worker', before);
  }
}

/** Commands of Emscripten to a thread, and its answer. The name of the field differs by build. */
const LOAD = 1;
const LOADED = 3;

/**
 * The module starts 16 workers when it loads, which a world without workers never uses, and which in
 * Node end before they answer. This one says that it has loaded, and runs nothing.
 */
class AbsentWorker {
  onmessage?: (event: { readonly data: unknown }) => void;

  postMessage(command: object): void {
    const field = Object.entries(command).find(([, value]) => value === LOAD)?.[0];
    if (field === undefined) throw new Error('Jolt was to run without threads, and started one');
    queueMicrotask(() => this.onmessage?.({ data: { [field]: LOADED } }));
  }

  on(): void {}
  unref(): void {}
  terminate(): void {}
}

/**
 * A world with the layers of {@link JOLT_LAYER}. @throws RangeError if `maxBodies` is not a whole number of 1 to 20,000.
 */
export function createJoltInterface(
  jolt: Jolt,
  { maxBodies, gravity }: JoltOptions,
): JoltModule.JoltInterface {
  requireInteger('maxBodies', maxBodies, 1, MAX_BODIES);
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  settings.mMaxBodies = maxBodies;
  // Anything beyond these two is dropped silently: bodies sink into each other. In a heap of boxes
  // there are about 3.5 contacts to a body, and twice the pairs of boxes around them.
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
