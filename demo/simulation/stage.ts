/** A running scene: its world, its looks, and what visitors do to it. */
import { CapacityExceededError, type TickInput } from '../../src/sim-worker/index.js';
import { InputState, type Json } from '../../src/shared/index.js';
import type { Rapier, RapierWorld } from '../../src/rapier/rapier.js';
import type { DriveInput } from '../contract/drive-contract.js';
import type { BodyLook, SceneDescription, SceneRequest } from '../contract/scene-contract.js';
import { Driver } from './driver.js';
import { MouseJoint } from './mouse-joint.js';
import { SILENT_REPORTER, type SceneReporter } from './scene-events.js';
import { SCENE_BUILDERS } from './scenes/index.js';
import { SceneKit } from './scenes/scene-kit.js';
import type { Scene } from './scenes/scene.js';
import { Shots } from './shots.js';

/**
 * One solver iteration for each part of a step of this length, in seconds: long steps get more of
 * them.
 */
const SOLVED_STEP_SECONDS = 1 / 240;
const MIN_ITERATIONS = 4;
/**
 * In steps longer than this, contacts are predicted this far ahead, in metres; it costs a third
 * more.
 */
const LONG_STEP_SECONDS = 1 / 40;
const FORESIGHT = 1;

const NO_INPUTS: readonly TickInput[] = [];

/** A type and no interface, so that it counts as plain data. Only each part knows its own state. */
export type SavedStage = {
  /** The step that the world is adapted to. */
  readonly dt: number;
  readonly kit: Json;
  readonly mouseJoint: Json;
  readonly shots: Json;
  readonly driver: Json;
  readonly events: Json;
  readonly scene: Json;
};

export class Stage {
  readonly physics: RapierWorld;
  readonly mouseJoint: MouseJoint;
  readonly shots: Shots;
  readonly #kit: SceneKit;
  readonly #scene: Scene;
  readonly #driver: Driver;
  readonly #request: SceneRequest;
  readonly #afterStep: () => void;
  #dt = 0;

  /**
   * Builds a scene and publishes its bodies.
   *
   * @param physics An empty world with gravity.
   * @param reporter The simulation's `context.events`; no events are reported when it is left out.
   * @param input The simulation's `context.input`; nothing is held when it is left out.
   * @throws CapacityExceededError if it has more bodies than the snapshot has room for.
   */
  constructor(
    rapier: Rapier,
    physics: RapierWorld,
    request: SceneRequest,
    reporter: SceneReporter = SILENT_REPORTER,
    input = new InputState(),
  ) {
    this.#request = request;
    this.#driver = new Driver(input);
    this.physics = physics;
    this.#kit = new SceneKit({
      rapier,
      physics,
      reporter,
      wantedBodies: request.bodies,
      seed: request.seed,
    });
    try {
      this.#scene = SCENE_BUILDERS[request.name](this.#kit);
      requireRoom(request.name, this.#kit.bodyCount, physics.bodies.capacity);
      this.#kit.publish();
    } catch (error) {
      this.dispose();
      throw error;
    }
    this.mouseJoint = new MouseJoint(rapier, physics);
    this.shots = new Shots(rapier, physics, this.#kit.events);
    this.#afterStep = () => this.#scene.afterStep?.(this.#dt);
  }

  /** Everything but the world and the poses of the bodies. Saving changes nothing. */
  save(): SavedStage {
    return {
      dt: this.#dt,
      kit: this.#kit.save(),
      mouseJoint: this.mouseJoint.save(),
      shots: this.shots.save(),
      driver: this.#driver.save(),
      events: this.#kit.events.save(),
      scene: this.#scene.save?.() ?? null,
    };
  }

  /**
   * Continues as a saved stage, bit for bit. World and bodies are those of the same moment already.
   */
  restore(saved: SavedStage): void {
    this.#dt = saved.dt;
    this.#kit.restore(saved.kit);
    this.#driver.restore(saved.driver);
    this.#kit.events.restore(saved.events);
    this.mouseJoint.restore(saved.mouseJoint);
    this.shots.restore(saved.shots);
    this.#scene.restore?.(saved.scene);
  }

  /** Whether {@link restore} can be called again. Cars have controllers, which belong to a moment of the engine. */
  get isRestoredInPlace(): boolean {
    return this.#scene.drive === undefined;
  }

  /** The scene to draw now: its remaining bodies, and the balls that were shot. */
  describe(): SceneDescription {
    const { camera, follow, drive } = this.#scene;
    const followed = follow?.body && this.physics.bodyIdOf(follow.body);
    return {
      name: this.#request.name,
      bodies: [...this.#kit.describe(), ...this.shots.describe()],
      statics: this.#kit.statics,
      camera,
      ...(followed !== undefined && { follow: followed }),
      isDrivable: drive !== undefined,
    };
  }

  step(dt: number, inputs: readonly TickInput[] = NO_INPUTS): void {
    if (dt !== this.#dt) this.#adaptTo(dt);
    // Without inputs the driver keeps doing the same.
    if (inputs.length > 0) this.drive(this.#driver.apply(inputs));
    this.#scene.beforeStep?.(dt);
    this.mouseJoint.pull(dt);
    this.physics.step(dt, this.#afterStep);
    this.#kit.events.drain();
  }

  /** Keeps long steps stable. */
  #adaptTo(dt: number): void {
    this.#dt = dt;
    const { world } = this.physics;
    const iterations = Math.ceil(dt / SOLVED_STEP_SECONDS - 1e-9);
    world.numSolverIterations = Math.max(MIN_ITERATIONS, iterations);
    const foresight = dt > LONG_STEP_SECONDS ? FORESIGHT : 0;
    world.forEachRigidBody((rigidBody) => rigidBody.setSoftCcdPrediction(foresight));
    this.#kit.events.adaptTo(dt);
  }

  drive(input: DriveInput): void {
    this.#scene.drive?.(input);
  }

  shoot(...args: Parameters<Shots['shoot']>): BodyLook {
    return this.shots.shoot(...args);
  }

  /**
   * Gives the first body that is awake a NaN position.
   *
   * @returns False when all are asleep: one of them is awake after the next step.
   */
  spoilBody(): boolean {
    const moving = this.describe().bodies.flatMap(({ id }) => this.physics.rigidBodyOf(id) ?? []);
    const possible = moving.filter((rigidBody) => rigidBody.isDynamic() && rigidBody.isEnabled());
    const awake = possible.find((rigidBody) => !rigidBody.isSleeping());
    awake?.setTranslation({ x: Number.NaN, y: Number.NaN, z: Number.NaN }, true);
    // Sleeping bodies are not read after a step: it must be awake first.
    if (awake === undefined) possible[0]?.wakeUp();
    return awake !== undefined || possible.length === 0;
  }

  /** Frees its engine resources, except the world. */
  dispose(): void {
    this.#kit.events.free();
  }
}

/** @throws CapacityExceededError if a scene has more bodies than there is room for. */
export function requireRoom(scene: string, bodies: number, capacity: number): void {
  if (bodies <= capacity) return;
  throw new CapacityExceededError(
    `the scene "${scene}" has ${bodies} bodies, but the capacity is ${capacity}: ` +
      'use fewer bodies or a higher capacity',
  );
}
