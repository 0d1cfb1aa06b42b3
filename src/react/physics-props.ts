/** Props of `<Physics>`. */
import type { ReactNode } from 'react';
import type { ConnectOptions } from '../render-main/api/connect-options.js';
import type { CreateWorker } from '../render-main/api/create-worker.js';
import type { WorldHandle, World } from '../world/page/index.js';
import type { RigidBodyAutoCollider, Vector3Tuple } from './types.js';

/** Props of `<Physics>`: those of `@react-three/rapier`, with its defaults, and those from `worker` on. */
export interface PhysicsProps {
  /** Bodies, and what else is in the scene. */
  children: ReactNode;
  /** In m/s². Default [0, -9.81, 0]. */
  gravity?: Vector3Tuple | undefined;
  /** How much things may overlap, in length units, from 0. Default 0.001. */
  allowedLinearError?: number | undefined;
  /** How far ahead contacts are found, in length units, from 0. Default 0.002. */
  predictionDistance?: number | undefined;
  /** 1 to 1000: more make joints and stacks stiffer, and take longer. Default 4. */
  numSolverIterations?: number | undefined;
  /** 1 to 1000. Default 1. */
  numInternalPgsIterations?: number | undefined;
  /** Any number, which is not used: the engine has no such setting any more. */
  minIslandSize?: number | undefined;
  /** Most substeps of CCD, 0 to 1000. Default 1. */
  maxCcdSubsteps?: number | undefined;
  /** How stiff contacts are, in Hz, greater than 0. Default 30. */
  contactNaturalFrequency?: number | undefined;
  /** Length of a typical thing, in the simulation's own unit. Default 1. */
  lengthUnit?: number | undefined;
  /** Which colliders bodies get for the meshes in them. Default `cuboid`. */
  colliders?: RigidBodyAutoCollider | undefined;
  /** Seconds of a tick. Default 1/60. A simulation in a worker has a fixed one: `'vary'` is warned of, and is 1/60. */
  timeStep?: number | 'vary' | undefined;
  /** Whether the simulation is paused. Default false. */
  paused?: boolean | undefined;
  /** Whether bodies are drawn between two ticks. Default true. */
  interpolate?: boolean | undefined;
  /** Any number: the priority of the `useFrame` callback that draws the bodies. Default −1: before those of components. */
  updatePriority?: number | undefined;
  /** Not used: the worker keeps its own time, whatever the page does. */
  updateLoop?: 'follow' | 'independent' | undefined;
  /** Whether colliders and joints are shown as lines. Default false. */
  debug?: boolean | undefined;
  /**
   * Creates a worker whose script calls `runWorld`: for systems, and for bundlers that do not find the script of the
   * library. Only the first one is used. Default: a worker with the script of the library.
   */
  worker?: CreateWorker | undefined;
  /**
   * Whether the page asks the engine: `world.castRay`, `body.mass()`, controllers. `<Physics>` suspends until the page's own engine
   * has loaded; with false, nothing more is loaded, and it shows at once. Only the first value is used. Default true.
   */
  queries?: boolean | undefined;
  /** Most bodies at a time that move, 1 to 1,048,576. Only the first value is used. Default 8192. */
  capacity?: number | undefined;
  /** When handlers of events are called: when the display shows the tick, or as soon as the page has it. Default `shown`. */
  events?: 'shown' | 'now' | undefined;
  /**
   * A body that is set at most this far away is drawn as if it moved there, and one farther away jumps. From 0, in m or
   * the simulation's own unit. Only the first value is used. Default 0.5.
   */
  snapOver?: number | undefined;
  /** What carries the states: only the first value is used. Default `auto`. `local` runs the engine on the page. */
  transport?: ConnectOptions['transport'] | undefined;
  /** What happens when the worker fails: only the first value is used. Default `restart`. */
  recovery?: ConnectOptions['recovery'] | undefined;
  /** Whether page and worker draw what they do in the performance panel: only the first value is used. Default false. */
  devtools?: boolean | undefined;
  /** Of the random numbers of systems, 32 bits: only the first value is used. Default: another one each time. */
  seed?: number | undefined;
  /** Called when the worker runs, with the world and its handle: `save`, `openReplay`, `stats` … */
  onReady?: ((world: World, simulation: WorldHandle) => void) | undefined;
  /**
   * Called when the worker does not start, or fails for good. Default: the error is thrown, so that the nearest error
   * boundary shows it.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /**
   * Called when the display shows that everything has come to rest, and again after something has moved. Bodies rest when
   * they sleep, and those that never do, when they do not move.
   */
  onSettled?: (() => void) | undefined;
}
