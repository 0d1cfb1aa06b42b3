/** A world of rigid bodies that the page makes and a worker simulates. */
import type { Json } from '../../shared/util/json.js';
import type { Vector } from '../../shared/util/vectors.js';
import { type SampledFrame, Frame } from '../../render-main/frame/frame.js';
import { treeProblem, type JointEdge } from '../shared/joint-tree.js';
import { CHARACTER_VALUE_COUNT } from '../shared/value-records.js';
import { publishedBy } from '../shared/vehicle-wheels.js';
import type { JointFields } from '../shared/setting-tables.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import type { BodyHandle } from './body-handle.js';
import {
  fieldsOfCharacter,
  type Character,
  type CharacterDesc,
  type CharacterHandle,
} from './character.js';
import { flag, vector } from './checked-values.js';
import { fieldsOfCollider, type ColliderDesc } from './collider-desc.js';
import type { ColliderHandle } from './collider-handle.js';
import { RigidBodyType } from './constants.js';
import type { EngineBodyDesc, EngineColliderDesc, EngineJointData } from './engine-data.js';
import type { OwnIntegrationParameters } from './integration-parameters.js';
import { fieldsOfJoint, type JointData } from './joint-data.js';
import type { ImpulseJoint, MultibodyJoint, MultibodyJointHandle } from './joints.js';
import { setOf, type HandleSet, type WorldItem } from './page-contents.js';
import { checkedHooks, type AddedHooks, type StepHooks } from './added-hooks.js';
import { RigidBodyDesc, fieldsOfBody } from './rigid-body-desc.js';
import { copyOfProps, type SystemHandle } from './system-handle.js';
import type {
  DynamicRayCastVehicleController,
  VehicleControllerHandle,
} from './vehicle-controller.js';
import { fieldsOfVehicle, type Vehicle, type VehicleDesc, type VehicleHandle } from './vehicle.js';
import { WorldDriver } from './world-driver.js';
import { WorldEventRelay, type OnWorldEvent } from './world-events.js';
import type { WorldHandle } from './world-handle.js';
import { createItem, removeItem } from './world-items.js';
import { WorldLink, type LinkOptions } from './world-link.js';
import { WorldQueries } from './world-queries.js';
import type { World } from './world.js';

/** The frame of a world before its worker runs. */
const NO_FRAME = new Frame();

/** The driver of a world: for what is built on worlds, and is not part of the application. */
export let driverOf: (world: World) => WorldDriver;

/** Properties that are parameters, too, by the names of these. */
const PARAMETERS = {
  timestep: 'dt',
  lengthUnit: 'lengthUnit',
  numSolverIterations: 'numSolverIterations',
  numInternalPgsIterations: 'numInternalPgsIterations',
  maxCcdSubsteps: 'maxCcdSubsteps',
} as const;

export interface PageWorldOptions extends LinkOptions {
  readonly gravity: Vector;
  readonly snapOver: number;
  /** Whether the run begins as soon as the worker is ready. */
  readonly resumes: boolean;
  /** Functions that run within ticks. Undefined: the world is not in the page's own thread. */
  readonly hooks: AddedHooks | undefined;
}

export interface PageWorld extends Pick<World, keyof typeof PARAMETERS> {}

export class PageWorld extends WorldQueries implements World {
  readonly ready: Promise<WorldHandle>;
  readonly on: OnWorldEvent;
  readonly integrationParameters: OwnIntegrationParameters;
  readonly #driver: WorldDriver;
  readonly #hooks: AddedHooks | undefined;

  static {
    driverOf = (world) => (world as PageWorld).#driver;
    for (const [property, name] of Object.entries(PARAMETERS)) {
      Object.defineProperty(this.prototype, property, {
        configurable: true,
        get(this: PageWorld) {
          return this.integrationParameters[name];
        },
        set(this: PageWorld, value: number) {
          this.integrationParameters[name] = value;
        },
      });
    }
  }

  constructor(connected: Promise<WorldHandle>, options: PageWorldOptions) {
    const link = new WorldLink(options);
    const events = new WorldEventRelay(link);
    super(link, events);
    this.on = (...args) => events.on(...args);
    this.integrationParameters = link.parameters;
    const { gravity, snapOver, resumes, hooks } = options;
    this.#hooks = hooks;
    hooks?.start(link);
    link.gravity = gravity;
    Object.assign(link.change().world, { gravity, snapOver });
    this.#driver = new WorldDriver(link, events, () => this.forgetAnswers());
    this.ready = this.#driver.start(connected, resumes);
  }

  get gravity(): Vector {
    return settable(this.link.gravity, (gravity) => this.#setGravity(gravity));
  }

  set gravity(gravity: Readonly<Vector>) {
    this.#setGravity(gravity);
  }

  forEachRigidBody(callback: (body: RigidBody) => void): void {
    this.bodies.forEach(callback);
  }

  forEachActiveRigidBody(callback: (body: RigidBody) => void): void {
    for (const body of this.bodies.getAll()) {
      if (!body.isFixed() && body.isEnabled() && !body.isSleeping()) callback(body);
    }
  }

  forEachCollider(callback: (collider: Collider) => void): void {
    this.colliders.forEach(callback);
  }

  get bodies(): HandleSet<RigidBody> {
    return setOf(this.link.contents.all('body'));
  }

  get colliders(): HandleSet<Collider> {
    return setOf(this.link.contents.all('collider'));
  }

  get impulseJoints(): HandleSet<ImpulseJoint> {
    return setOf(this.link.contents.all('joint'));
  }

  get multibodyJoints(): HandleSet<MultibodyJoint> {
    return setOf(this.link.contents.all('multibodyJoint'));
  }

  get systems(): HandleSet<SystemHandle> {
    return setOf(this.link.contents.all('system'));
  }

  addStepHooks(hooks: StepHooks): () => void {
    if (this.#hooks !== undefined) return this.#hooks.add(checkedHooks(hooks));
    throw new Error(
      'step hooks run within the ticks of a world, which are in a worker here: define a system in the worker script, or ' +
        "let the engine run in the page's own thread, with transport: 'local'",
    );
  }

  createRigidBody(desc: RigidBodyDesc | EngineBodyDesc): RigidBody {
    const body = createItem(this.link, 'body', [], fieldsOfBody(desc)) as BodyHandle;
    body.noteCreated(desc.userData);
    return body;
  }

  createCollider(desc: ColliderDesc | EngineColliderDesc, parent?: RigidBody): Collider {
    if (parent !== undefined) this.link.requirePart('body', 'parent', parent, 'a collider');
    const parts = parent === undefined ? [] : [parent];
    const fields = fieldsOfCollider(desc);
    const collider = createItem(this.link, 'collider', parts, fields) as ColliderHandle;
    collider.awaitPieces();
    return collider;
  }

  createImpulseJoint<J extends ImpulseJoint>(
    data: JointData<J> | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): J {
    const bodies = [body1, body2];
    this.link.requirePart('body', 'body1', body1, 'a joint');
    this.link.requirePart('body', 'body2', body2, 'a joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    return createItem(this.link, 'joint', bodies, fields) as WorldItem as J;
  }

  system(name: string, props: Json = null): SystemHandle<never> {
    this.link.systems.require(name);
    const fields = { name, props: copyOfProps(props) };
    return createItem(this.link, 'system', [], fields) as WorldItem as SystemHandle<never>;
  }

  createCharacter(collider: Collider, desc: CharacterDesc): Character {
    this.link.requirePart('collider', 'collider', collider, 'a character');
    if (collider.parent()?.bodyType() !== RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the collider ${collider.handle} cannot be a character: it must be part of a kinematic body, ` +
          'of RigidBodyDesc.kinematicPositionBased()',
      );
    }
    this.link.requireValues('character', CHARACTER_VALUE_COUNT);
    return createItem(
      this.link,
      'character',
      [collider],
      fieldsOfCharacter(desc),
    ) as CharacterHandle;
  }

  removeCharacter(character: Character): void {
    removeItem(this.link, 'character', character);
  }

  createVehicle(chassis: RigidBody, desc: VehicleDesc): Vehicle {
    this.link.requirePart('body', 'chassis', chassis, 'a vehicle');
    if (chassis.isFixed() || chassis.bodyType() === RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the body ${chassis.handle} cannot be a vehicle: it must be dynamic, of RigidBodyDesc.dynamic()`,
      );
    }
    const { fields, userData } = fieldsOfVehicle(desc);
    this.link.requireValues('vehicle', publishedBy(fields));
    const { x, y, z } = chassis.translation();
    const wheel = RigidBodyDesc.kinematicPositionBased().setTranslation(x, y, z);
    const wheels = userData.map((data) => this.createRigidBody(wheel.setUserData(data)));
    return createItem(this.link, 'vehicle', [chassis, ...wheels], fields) as VehicleHandle;
  }

  removeVehicle(vehicle: Vehicle): void {
    removeItem(this.link, 'vehicle', vehicle);
  }

  createVehicleController(chassis: RigidBody): DynamicRayCastVehicleController {
    this.link.requirePart('body', 'chassis', chassis, 'a vehicle');
    const fields = { wheels: [], controls: [], rays: null };
    this.link.requireValues('vehicle', publishedBy(fields));
    return createItem(this.link, 'vehicle', [chassis], fields) as VehicleControllerHandle;
  }

  removeVehicleController(controller: DynamicRayCastVehicleController): void {
    const vehicle = controller as VehicleControllerHandle;
    // Components of an application are removed in any order: it has gone with its chassis.
    if (vehicle?.chassis?.().isValid() !== false) removeItem(this.link, 'vehicle', vehicle);
  }

  removeSystem(system: SystemHandle<unknown>): void {
    removeItem(this.link, 'system', system);
  }

  createMultibodyJoint(
    data: JointData | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): MultibodyJoint {
    const bodies = [body1, body2];
    this.link.requirePart('body', 'body1', body1, 'a multibody joint');
    this.link.requirePart('body', 'body2', body2, 'a multibody joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    const edges = this.multibodyJoints
      .getAll()
      .map((joint): JointEdge => [joint.body1().handle, joint.body2().handle]);
    const problem = treeProblem(edges, [body1.handle, body2.handle]);
    if (problem !== undefined) throw new Error(problem);
    return createItem(this.link, 'multibodyJoint', bodies, fields) as MultibodyJointHandle;
  }

  removeRigidBody(body: RigidBody): void {
    removeItem(this.link, 'body', body);
  }

  removeCollider(collider: Collider, wakeUp?: boolean): void {
    removeItem(this.link, 'collider', collider, flag(wakeUp));
  }

  removeImpulseJoint(joint: ImpulseJoint, wakeUp?: boolean): void {
    removeItem(this.link, 'joint', joint, flag(wakeUp));
  }

  removeMultibodyJoint(joint: MultibodyJoint, wakeUp?: boolean): void {
    removeItem(this.link, 'multibodyJoint', joint, flag(wakeUp));
  }

  getRigidBody(handle: number): RigidBody | undefined {
    return this.link.bodyOf(handle);
  }

  getCollider(handle: number): Collider | undefined {
    return this.link.colliderOf(handle);
  }

  getImpulseJoint(handle: number): ImpulseJoint | undefined {
    return this.link.contents.all('joint').get(handle) as ImpulseJoint | undefined;
  }

  getMultibodyJoint(handle: number): MultibodyJoint | undefined {
    return this.link.contents.all('multibodyJoint').get(handle) as MultibodyJointHandle | undefined;
  }

  sample(frameMs: number): SampledFrame {
    const { simulation, isDisposed } = this.link;
    if (isDisposed) this.link.warnOfDisposed();
    if (simulation === undefined) return NO_FRAME;
    this.link.batches.flush();
    const frame = simulation.sample(frameMs) as Frame;
    this.#driver.follow(simulation, frame);
    return frame;
  }

  get frame(): SampledFrame {
    return this.link.frame ?? NO_FRAME;
  }

  flush(): void {
    this.link.batches.flush();
  }

  async dispose(): Promise<void> {
    this.link.dispose();
    const simulation = await this.ready.catch(() => undefined);
    // The run may have begun since.
    this.link.dispose();
    await simulation?.dispose();
  }

  #setGravity(gravity: Readonly<Vector>): void {
    const checked = vector('gravity', gravity);
    this.link.gravity = checked;
    this.link.change().world.gravity = checked;
  }
}

/** A copy of a vector whose numbers can also be set one by one, as those of Rapier's own. */
const settable = (value: Vector, set: (changed: Vector) => void): Vector =>
  new Proxy(
    { ...value },
    {
      set(target, axis, coordinate) {
        set({ ...target, [axis]: coordinate });
        return Reflect.set(target, axis, coordinate);
      },
    },
  );
