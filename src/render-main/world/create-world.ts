/** Starts a world. */
import { explainMissing, watchQueries } from '#world-development';
import { AskingCollider } from './bodies/asking-collider.js';
import { AskingWorld } from './queries/asking-world.js';
import { connect } from '../connect.js';
import type { ConnectOptions } from '../api/connect-options.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { Vector } from '../../shared/world/fields.js';
import { DEFAULT_SNAP_OVER } from '../../shared/world/world-fields.js';
import { reach, vector } from './checks/checked-values.js';
import { load as loadAdopting } from './following/world-follower.js';
import { PageWorld } from './page-world.js';
import type { WorldHandle } from './sending/world-handle.js';
import type { World } from './world.js';

/** Options of {@link createWorld}: those of `connect`, and: */
export interface WorldOptions extends ConnectOptions {
  /** In m/s². Default { x: 0, y: -9.81, z: 0 }. */
  readonly gravity?: Readonly<Vector>;
  /**
   * A pose that is set at most this far away is drawn as motion, and one farther away as a jump. From 0, in m or the
   * simulation's own unit; Infinity: all are motion. Part of recordings and saved states. Default 0.5.
   */
  readonly snapOver?: number;
  /** Creates a worker whose script calls `runWorld`. Default: a worker with the script of the library. */
  readonly createWorker?: CreateWorker;
}

/** Enough for 157 probes, or 200 characters or vehicles. */
const DEFAULT_VALUES = 2048;

const defaultWorker: CreateWorker = async (transport) => {
  if (transport === 'local') {
    const { runWorldLocally } = await import('../../sim-worker/world/local-world.js');
    return runWorldLocally();
  }
  return new Worker(new URL('../../sim-worker/world/world.worker.js', import.meta.url), {
    type: 'module',
  });
};

/** 1 MiB: as many bodies with a collider each as fit into a world by default, 4,096, in one turn of the page, twice. */
const INPUT_WORDS = 2 ** 18;

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
 * Unless the options say otherwise, velocities are published, and 2,048 values for probes, characters and vehicles; the queue of
 * inputs has 2^18 words, for thousands of bodies in one turn; and a worker that fails is replaced.
 *
 * @throws TypeError or RangeError for an invalid `gravity` or `snapOver`. Other options are checked by `connect`: `World.ready` rejects.
 * @typeParam S The simulation of your worker script, for the types of its systems: `createWorld<typeof simulation>(…)`.
 */
export function createWorld<S = unknown>(options: WorldOptions = {}): World<S> {
  explainMissing?.(PageWorld.prototype);
  watchQueries?.(AskingWorld.prototype, 'world');
  watchQueries?.(AskingCollider.prototype, 'collider');
  const {
    gravity = { x: 0, y: -9.81, z: 0 },
    snapOver = DEFAULT_SNAP_OVER,
    createWorker,
    ...rest
  } = options;
  const fields = { gravity: vector('gravity', gravity), snapOver: reach('snapOver', snapOver) };
  const values = rest.display?.values ?? DEFAULT_VALUES;
  // Needed when the worker answers; loaded while it loads. What goes wrong is reported then.
  for (const part of [import('../session/page-assets.js'), loadAdopting()]) part.catch(() => {});
  const connected = connect(createWorker ?? defaultWorker, {
    recovery: 'restart',
    ...rest,
    display: { velocities: true, values, ...rest.display },
    queues: { inputWords: INPUT_WORDS, ...rest.queues },
    startPaused: true,
  });
  return new PageWorld(
    connected as Promise<unknown> as Promise<WorldHandle>,
    fields,
    rest.startPaused !== true,
    createWorker === undefined ? [] : undefined,
    values,
    rest.tickRateHz ?? 60,
  ) as World as World<S>;
}
