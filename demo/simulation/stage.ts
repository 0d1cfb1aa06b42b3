/** A scene that is being played: its world, its looks, and what visitors do to it. */
import { CapacityExceededError } from '../../src/sim-worker/index.js';
import type { Bodies, Json, TickInput } from '../../src/sim-worker/index.js';
import {
  packParts,
  unpackParts,
  type Rapier,
  type RapierWorld,
} from '../../src/sim-worker/engines/rapier.js';
import type { DriveInput } from '../contract/drive-contract.js';
import type {
  BodyLook,
  SceneDescription,
  SceneName,
  SceneRequest,
} from '../contract/scene-contract.js';
import { requireSceneRequest } from './checks.js';
import { Driver } from './driver.js';
import { Grip } from './grip.js';
import { bytesOfJson, jsonOfBytes } from './saved-json.js';
import { UNHEARD, type SceneReporter } from './scene-events.js';
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

const NO_INPUTS: readonly TickInput[] = [];

const SAVED_KIND = 'demo';

/** A type and no interface, so that it counts as plain data. Each part's own state is known to that part only. */
type SavedStage = {
  readonly request: { readonly name: SceneName; readonly bodies: number; readonly seed: number };
  /** The step that the world is adapted to. */
  readonly stepS: number;
  readonly kit: Json;
  readonly grip: Json;
  readonly shots: Json;
  readonly driver: Json;
  readonly events: Json;
  readonly scene: Json;
};

export class Stage {
  readonly physics: RapierWorld;
  readonly grip: Grip;
  readonly shots: Shots;
  readonly #kit: SceneKit;
  readonly #scene: Scene;
  readonly #driver = new Driver();
  readonly #request: SceneRequest;
  readonly #afterStep: () => void;
  #stepS = 0;

  /**
   * Builds a scene. Nothing is published yet, so another stage can go on meanwhile.
   *
   * @param reporter The simulation's `context.events`; nobody is told when it is left out.
   * @throws CapacityExceededError if it has more bodies than the snapshot has room for.
   */
  constructor(
    rapier: Rapier,
    bodies: Bodies,
    request: SceneRequest,
    reporter: SceneReporter = UNHEARD,
  ) {
    this.#request = request;
    this.#kit = new SceneKit({
      rapier,
      bodies,
      reporter,
      wantedBodies: request.bodies,
      seed: request.seed,
    });
    this.physics = this.#kit.physics;
    try {
      this.#scene = SCENE_BUILDERS[request.name](this.#kit);
      requireRoom(request.name, this.#kit.bodyCount, bodies.capacity);
    } catch (error) {
      this.#kit.events.free();
      this.physics.free();
      throw error;
    }
    this.grip = new Grip(rapier, this.physics);
    this.shots = new Shots(rapier, this.physics, this.#kit.events);
    this.#afterStep = () => this.#scene.afterStep?.(this.#stepS);
  }

  /**
   * Puts a saved stage on again, bit for bit. Neither takes slots nor gives any back: the bodies are those of the
   * same moment already.
   *
   * @throws RangeError if the bytes are no saved stage, are damaged, or are another engine's.
   * @throws CapacityExceededError if it has more bodies than there is room for. Nothing has changed then.
   */
  static restore(
    rapier: Rapier,
    bodies: Bodies,
    bytes: Uint8Array,
    reporter?: SceneReporter,
  ): Stage {
    const [own, world] = unpackParts(SAVED_KIND, 2, bytes, 'a saved stage of the demo');
    if (!own || !world) throw new RangeError('these bytes are not a saved stage of the demo');
    const saved = jsonOfBytes(own) as SavedStage;
    const stage = new Stage(rapier, bodies, requireSceneRequest(saved.request), reporter);
    try {
      stage.#adopt(saved, world);
    } catch (error) {
      stage.discard();
      throw error;
    }
    return stage;
  }

  /** Everything but the poses of the bodies. Saving changes nothing. */
  save(): Uint8Array {
    const { name, bodies, seed } = this.#request;
    const own: SavedStage = {
      request: { name, bodies, seed },
      stepS: this.#stepS,
      kit: this.#kit.save(),
      grip: this.grip.save(),
      shots: this.shots.save(),
      driver: this.#driver.save(),
      events: this.#kit.events.save(),
      scene: this.#scene.save?.() ?? null,
    };
    return packParts(SAVED_KIND, [bytesOfJson(own), this.physics.save()]);
  }

  #adopt(saved: SavedStage, world: Uint8Array): void {
    this.physics.restore(world);
    this.#stepS = saved.stepS;
    this.#kit.restore(saved.kit);
    this.#driver.restore(saved.driver);
    this.#kit.events.restore(saved.events);
    this.grip.restore(saved.grip);
    this.shots.restore(saved.shots);
    this.#scene.restore?.(saved.scene);
  }

  /** Publishes the scene; from then on it can be stepped. */
  open(): SceneDescription {
    this.#kit.publish();
    return this.describe();
  }

  /** What there is to be drawn now: the scene's bodies that are left, and the balls that were shot. */
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

  step(stepS: number, inputs: readonly TickInput[] = NO_INPUTS): void {
    if (stepS !== this.#stepS) this.#adaptTo(stepS);
    // Without inputs the driver does what was done before.
    if (inputs.length > 0) this.drive(this.#driver.apply(inputs));
    this.#scene.beforeStep?.(stepS);
    this.grip.pull(stepS);
    this.physics.step(stepS, this.#afterStep);
    this.#kit.events.drain();
  }

  /** Keeps long steps stable. */
  #adaptTo(stepS: number): void {
    this.#stepS = stepS;
    const { world } = this.physics;
    const iterations = Math.ceil(stepS / SOLVED_STEP_S - 1e-9);
    world.numSolverIterations = Math.max(FEWEST_ITERATIONS, iterations);
    const foresight = stepS > LONG_STEP_S ? FORESIGHT : 0;
    world.forEachRigidBody((rigidBody) => rigidBody.setSoftCcdPrediction(foresight));
    this.#kit.events.adaptTo(stepS);
  }

  drive(input: DriveInput): void {
    this.#scene.drive?.(input);
  }

  shoot(...args: Parameters<Shots['shoot']>): BodyLook {
    return this.shots.shoot(...args);
  }

  /**
   * Gives the first body that is awake a position that is no number.
   *
   * @returns False when all are asleep: one of them is awake after the next step.
   */
  spoilBody(): boolean {
    const moving = this.describe().bodies.flatMap(({ id }) => this.physics.rigidBodyOf(id) ?? []);
    const possible = moving.filter((rigidBody) => rigidBody.isDynamic() && rigidBody.isEnabled());
    const awake = possible.find((rigidBody) => !rigidBody.isSleeping());
    awake?.setTranslation({ x: Number.NaN, y: Number.NaN, z: Number.NaN }, true);
    // What sleeps is not looked at after a step: it has to be seen awake first.
    if (awake === undefined) possible[0]?.wakeUp();
    return awake !== undefined || possible.length === 0;
  }

  /** Frees the engine's world and takes its bodies out of the snapshots. */
  close(): void {
    this.#kit.events.free();
    this.physics.free();
    this.physics.bodies.clear();
  }

  /** Frees the engine's world, and leaves the bodies to the stage that is restored in its place. */
  discard(): void {
    this.#kit.events.free();
    this.physics.freeEngine();
  }
}

/** @throws CapacityExceededError if a scene has more bodies than there is room for. */
export function requireRoom(scene: string, bodies: number, capacity: number): void {
  if (bodies <= capacity) return;
  throw new CapacityExceededError(
    `the scene "${scene}" has ${bodies} bodies, and the snapshot has room for ${capacity}: ` +
      'ask for fewer, or connect with a higher capacity',
  );
}
