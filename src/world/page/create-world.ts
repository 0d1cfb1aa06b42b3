/** Starts a world. */
import type { Vector } from '../../shared/util/vectors.js';
import { isDevelopment, whenLoaded } from '../../shared/util/development.js';
import { connect } from '../../render-main/connect.js';
import { resolveOptions, type ConnectOptions } from '../../render-main/api/connect-options.js';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import { loadedPart } from '../../shared/util/errors.js';
import { requireBoolean, requireNumber } from '../../shared/util/validate.js';
import { compiledEngine, setCompiledEngine } from '../shared/compiled-engine.js';
import { DEFAULT_SNAP_OVER } from '../shared/setting-tables.js';
import { reach, vector } from './checked-values.js';
import { PageWorld } from './page-world.js';
import { setPiecesWorker } from './pieces.js';
import type { WorldHandle } from './world-handle.js';
import type { MakeEngine } from './world-link.js';
import { AddedHooks } from './added-hooks.js';
import type { World } from './world.js';
import type { HookedSimulation } from '../worker/page-hooks.js';

// Before there is a world, so that it is there when the first method is called.
if (isDevelopment) {
  whenLoaded(import('./missing-methods.js'), ({ explainMissing }) =>
    explainMissing(PageWorld.prototype),
  );
}

/** Options of {@link createWorld}: those of `connect`, and: */
export interface WorldOptions extends ConnectOptions {
  /** In m/s². Default { x: 0, y: -9.81, z: 0 }. */
  readonly gravity?: Readonly<Vector>;
  /**
   * A pose that is set at most this far away is drawn as motion, and one farther away as a jump. From 0, in m or the
   * simulation's own unit; Infinity: all are motion. Part of recordings and saved states. Default 0.5.
   */
  readonly snapOver?: number;
  /**
   * Whether the page asks the engine: queries such as `castRay`, masses, Rapier's character and PID controllers. Then the page
   * loads a second engine, which only answers, and `world.ready` waits for it. Default false.
   */
  readonly queries?: boolean;
  /** Creates a worker whose script calls `runWorld`. Default: a worker with the script of the library. */
  readonly createWorker?: CreateWorker;
}

/** Enough for 200 characters or vehicles. */
const DEFAULT_VALUES = 2048;

const defaultWorker: CreateWorker = async (transport) => {
  if (transport === 'local') {
    const { runWorldLocally } = await import('../worker/local-world.js');
    return runWorldLocally();
  }
  const worker = prepared ?? startWorker();
  takePrepared();
  return worker;
};

function startWorker(): Worker {
  const worker = new Worker(new URL('../worker/world.worker.js', import.meta.url), {
    type: 'module',
    name: 'betwixt-world',
  });
  const compiled = compiledEngine();
  if (compiled !== undefined) worker.postMessage(compiled);
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => setCompiledEngine(data));
  return worker;
}

const startPiecesWorker: CreateWorker = () =>
  typeof Worker === 'undefined' ? defaultWorker('local') : startWorker();
// Pieces may be asked for before there is a world.
setPiecesWorker(startPiecesWorker);

/** How long a worker waits for a world. */
const PREPARED_MS = 10_000;
/** The worker of the next world, which loads already. */
let prepared: Worker | undefined;
let unprepare: ReturnType<typeof setTimeout> | undefined;

function takePrepared(): void {
  clearTimeout(unprepare);
  prepared?.removeEventListener('error', dropPrepared);
  prepared = undefined;
}

function dropPrepared(): void {
  prepared?.terminate();
  takePrepared();
}

/**
 * Begins to load what the next world needs, before there is one: its worker, unless the options bring one, and the page's
 * engine. Calling it again does nothing.
 */
export function prepareWorld(options: WorldOptions): void {
  const { queries = false, createWorker, transport } = options;
  const isOwn = createWorker !== undefined || transport === 'local';
  if (!isOwn && prepared === undefined && typeof Worker !== 'undefined') {
    // If this fails, the world's own worker fails again, and says so.
    try {
      prepared = startWorker();
    } catch {}
    prepared?.addEventListener('error', dropPrepared);
    unprepare = setTimeout(dropPrepared, PREPARED_MS);
  }
  if (queries) void prepareEngine();
}

/** Begins to load the page's engine. @returns The same each time: when it has loaded, or failed to. Then `World.ready` rejects. */
export function prepareEngine(): Promise<void> {
  preparing ??= loadEngine().then(
    () => {},
    () => {},
  );
  return preparing;
}

let preparing: Promise<void> | undefined;
/** Makes the page's engine of a world. Undefined until it has loaded. */
let makeEngine: MakeEngine | undefined;

/** Loads the page's engine, with what puts the page's bodies and colliders into it. */
async function loadEngine(): Promise<MakeEngine> {
  const { PageEngine, loadPageEngine } = await loadedPart(import('./page-engine.js'));
  const rapier = await loadPageEngine();
  makeEngine = (contents) => new PageEngine(rapier, contents);
  return makeEngine;
}

/** Lets the page's hooks run within the ticks of the world that a function makes in the page's own thread. */
const withHooks =
  (create: CreateWorker, hooks: AddedHooks): CreateWorker =>
  async (transport) => {
    const [worker, { TickEngine }] = await Promise.all([
      create(transport),
      loadedPart(import('./tick-engine.js')),
    ]);
    hooks.makeEngine = (tick, link) => new TickEngine(tick, link);
    // A worker has none; `connect` refuses it.
    const { simulation } = (worker ?? {}) as { readonly simulation?: Partial<HookedSimulation> };
    simulation?.attachHooks?.(hooks);
    return worker;
  };

/** Names of the options that {@link connectOptionsOf} leaves out. */
const OWN_OPTIONS = ['gravity', 'snapOver', 'createWorker', 'queries'];

function connectOptionsOf({
  gravity: _gravity,
  snapOver: _snapOver,
  createWorker: _createWorker,
  queries: _queries,
  ...options
}: WorldOptions): ConnectOptions {
  return {
    recovery: 'restart',
    ...options,
    display: { velocities: true, values: DEFAULT_VALUES, ...options.display },
    startPaused: true,
  };
}

/** @throws TypeError, RangeError for an option that is unknown or invalid, apart from gravity. */
export function requireWorldOptions(options: WorldOptions): void {
  const { snapOver = DEFAULT_SNAP_OVER } = options;
  requireNumber('snapOver', snapOver, 0, Number.POSITIVE_INFINITY);
  resolveOptions(connectOptionsOf(options), 'createWorld', OWN_OPTIONS);
}

/**
 * Creates a world of rigid bodies that Rapier simulates in a worker, and starts the worker. Bodies can be created at once;
 * the simulation starts with those that were created until the worker is ready, so the first tick does not depend on how
 * long it took to load.
 *
 *     const world = createWorld({ gravity: { x: 0, y: -9.81, z: 0 } });
 *     world.createCollider(ColliderDesc.cuboid(10, 0.5, 10));
 *     const ball = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
 *     world.createCollider(ColliderDesc.ball(0.5), ball);
 *
 * Unless the options say otherwise, velocities are published, and 2,048 values for characters and vehicles; and a worker
 * that fails is replaced.
 *
 * @throws TypeError or RangeError for an unknown or invalid option.
 * @typeParam S The simulation of your worker script, for the types of its systems: `createWorld<typeof simulation>(…)`.
 */
export function createWorld<S = unknown>(options: WorldOptions = {}): World<S> {
  const {
    gravity = { x: 0, y: -9.81, z: 0 },
    snapOver = DEFAULT_SNAP_OVER,
    createWorker,
    queries = false,
    startPaused = false,
    tickRateHz = 60,
  } = options;
  requireWorldOptions(options);
  const hasQueries = requireBoolean('queries', queries);
  const settings = { gravity: vector('gravity', gravity), snapOver: reach('snapOver', snapOver) };
  const hooks = options.transport === 'local' ? new AddedHooks() : undefined;
  const create = createWorker ?? defaultWorker;
  const isOwn = createWorker === undefined || options.transport === 'local';
  setPiecesWorker(isOwn ? startPiecesWorker : createWorker);
  const connected = connect(
    hooks === undefined ? create : withHooks(create, hooks),
    connectOptionsOf(options),
  );
  return new PageWorld(connected as Promise<unknown> as Promise<WorldHandle>, {
    ...settings,
    resumes: !startPaused,
    systems: createWorker === undefined ? [] : undefined,
    values: options.display?.values ?? DEFAULT_VALUES,
    tickRateHz,
    engine: hasQueries ? (makeEngine ?? loadEngine()) : undefined,
    hooks,
  }) as World as World<S>;
}
