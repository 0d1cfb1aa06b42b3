/** A scene that is being played: its world, its looks, and what visitors do to it. */
import type { BodyRegistry } from '../../src/sim-worker/index.js';
import { CapacityExceededError } from '../../src/sim-worker/index.js';
import type { Rapier, RapierWorld } from '../../src/sim-worker/engines/rapier.js';
import type {
  BodyLook,
  DriveInput,
  SceneDescription,
  SceneRequest,
} from '../contract/scene-contract.js';
import { Grip } from './grip.js';
import { SCENE_BUILDERS } from './scenes/index.js';
import { SceneKit } from './scenes/scene-kit.js';
import type { Scene } from './scenes/scene.js';
import { Shots } from './shots.js';

/** One iteration of the solver for each such part of a step, in seconds: long steps are solved finer. */
const SOLVED_STEP_S = 1 / 240;
const FEWEST_ITERATIONS = 4;
/** In longer steps than this, contacts are looked for so far ahead, in metres; it costs a third more. */
const LONG_STEP_S = 1 / 40;
const FORESIGHT = 1;

export class Stage {
  readonly physics: RapierWorld;
  readonly grip: Grip;
  readonly shots: Shots;
  readonly #kit: SceneKit;
  readonly #scene: Scene;
  readonly #request: SceneRequest;
  readonly #afterStep: () => void;
  #stepS = 0;

  /**
   * Builds a scene. Nothing is published yet, so another stage can go on meanwhile.
   *
   * @throws CapacityExceededError if it has more bodies than the snapshot has room for.
   */
  constructor(rapier: Rapier, bodies: BodyRegistry, request: SceneRequest) {
    this.#request = request;
    this.#kit = new SceneKit({ rapier, bodies, wantedBodies: request.bodies, seed: request.seed });
    this.physics = this.#kit.physics;
    try {
      this.#scene = SCENE_BUILDERS[request.name](this.#kit);
      requireRoom(request, this.#kit.bodyCount, bodies.capacity);
    } catch (error) {
      this.physics.free();
      throw error;
    }
    this.grip = new Grip(rapier, this.physics);
    this.shots = new Shots(rapier, this.physics);
    this.#afterStep = () => this.#scene.afterStep?.(this.#stepS);
  }

  /** Publishes the scene; from then on it can be stepped. */
  open(): SceneDescription {
    const bodies = this.#kit.publish();
    const { camera, follow, drive } = this.#scene;
    const followed = follow && this.physics.bodyIdOf(follow);
    return {
      name: this.#request.name,
      bodies,
      statics: this.#kit.statics,
      camera,
      ...(followed !== undefined && { follow: followed }),
      isDrivable: drive !== undefined,
    };
  }

  step(stepS: number): void {
    if (stepS !== this.#stepS) this.#adaptTo(stepS);
    this.#scene.beforeStep?.(stepS);
    this.grip.pull(stepS);
    this.physics.step(stepS, this.#afterStep);
  }

  /** Keeps long steps stable. */
  #adaptTo(stepS: number): void {
    this.#stepS = stepS;
    const { world } = this.physics;
    const iterations = Math.ceil(stepS / SOLVED_STEP_S - 1e-9);
    world.numSolverIterations = Math.max(FEWEST_ITERATIONS, iterations);
    const foresight = stepS > LONG_STEP_S ? FORESIGHT : 0;
    world.forEachRigidBody((rigidBody) => rigidBody.setSoftCcdPrediction(foresight));
  }

  drive(input: DriveInput): void {
    this.#scene.drive?.(input);
  }

  shoot(...args: Parameters<Shots['shoot']>): BodyLook {
    return this.shots.shoot(...args);
  }

  /** Frees the engine's world and takes its bodies out of the snapshots. */
  close(): void {
    this.physics.free();
    this.physics.bodies.clear();
  }
}

function requireRoom(request: SceneRequest, bodies: number, capacity: number): void {
  if (bodies <= capacity) return;
  throw new CapacityExceededError(
    `the scene "${request.name}" has ${bodies} bodies, and the snapshot has room for ${capacity}: ` +
      'ask for fewer, or connect with a higher capacity',
  );
}
