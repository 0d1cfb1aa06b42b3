/** A world of rigid bodies, as applications have it. */
import type { SampledFrame } from '../../render-main/frame/frame.js';
import type { Vector } from '../../shared/util/vectors.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import type { Character, CharacterDesc } from './character.js';
import type { ColliderDesc } from './collider-desc.js';
import type { EngineBodyDesc, EngineColliderDesc, EngineJointData } from './engine-data.js';
import type { IntegrationParameters } from './integration-parameters.js';
import type { JointData } from './joint-data.js';
import type { ImpulseJoint, MultibodyJoint } from './joints.js';
import type { RigidBodyDesc } from './rigid-body-desc.js';
import type { StepHooks } from './added-hooks.js';
import type { PropsArgument, SystemEvents, SystemHandle, SystemsIn } from './system-handle.js';
import type { DynamicRayCastVehicleController } from './vehicle-controller.js';
import type { Vehicle, VehicleDesc } from './vehicle.js';
import type { OnWorldEvent } from './world-events.js';
import type { HandleSet } from './page-contents.js';
import type { WorldHandle } from './world-handle.js';
import type { WorldQueryMethods } from './world-query-methods.js';

/**
 * A world of rigid bodies that the page makes and a worker simulates, with Rapier's names. Everything that is created,
 * changed and removed in one turn of the page is applied on one tick, sorted by handles, so that its order does not affect
 * the run.
 *
 * @typeParam S The simulation of the worker script, for the types of its systems: `World<typeof simulation>`.
 */
export interface World<S = unknown> extends WorldQueryMethods {
  /**
   * The worker runs: everything that `connect` gives. Rejects as `connect` does, and with a RangeError if the worker
   * script lacks a system that was created.
   */
  readonly ready: Promise<WorldHandle<SystemEvents<S>>>;
  /** In m/s². A change wakes the bodies that it pulls. */
  gravity: Vector;
  /** Simulated seconds of a tick: 1 / `tickRateHz`, which `sim.setTickRate` sets. */
  readonly timestep: number;
  /** How the engine computes a step. */
  readonly integrationParameters: IntegrationParameters;
  /** As in {@link integrationParameters}: length of a typical thing, in the simulation's own unit. Default 1. */
  lengthUnit: number;
  /** As in {@link integrationParameters}: 1 to 1000. Default 4. */
  numSolverIterations: number;
  /** As in {@link integrationParameters}: 1 to 1000. Default 1. */
  numInternalPgsIterations: number;
  /** As in {@link integrationParameters}: 0 to 1000. Default 1. */
  maxCcdSubsteps: number;
  /**
   * Has functions run within each tick, in a world in the page's own thread: `createWorld({ transport: 'local' })`. They read the
   * state of that tick, what they write acts at once, and everything in the world can be made and removed in them. Writes are
   * recorded, and in a replay or a seek they are not called; filters are, as code. An error fails the simulation.
   *
   * @returns Removes them.
   * @throws Error in a world whose engine runs in a worker: write a system.
   * @throws TypeError if one is no function, or has another name.
   */
  addStepHooks(hooks: StepHooks): () => void;
  /** Calls a function for each body. */
  forEachRigidBody(callback: (body: RigidBody) => void): void;
  /** Calls a function for each body that is enabled, not fixed, and does not sleep. */
  forEachActiveRigidBody(callback: (body: RigidBody) => void): void;
  /** Calls a function for each collider. */
  forEachCollider(callback: (collider: Collider) => void): void;
  /** The bodies that were created and not removed. */
  readonly bodies: HandleSet<RigidBody>;
  /** The colliders that were created and not removed. */
  readonly colliders: HandleSet<Collider>;
  /** The joints that were created and not removed. */
  readonly impulseJoints: HandleSet<ImpulseJoint>;
  /** The multibody joints that were created and not removed. */
  readonly multibodyJoints: HandleSet<MultibodyJoint>;
  /** The systems that were created and not removed, in the order in which they run. */
  readonly systems: HandleSet<SystemHandle>;
  /**
   * Creates a body. Its handle exists at once; the worker has it on the next tick.
   *
   * @throws TypeError if it is not a description.
   */
  createRigidBody(desc: RigidBodyDesc | EngineBodyDesc): RigidBody;
  /**
   * Creates a collider.
   *
   * @param parent The body that it is part of. Default: none; it is fixed, then.
   * @throws Error if the body belongs to another world, or was removed.
   * @throws TypeError if `desc` is no description, or `parent` no body.
   */
  createCollider(desc: ColliderDesc | EngineColliderDesc, parent?: RigidBody): Collider;
  /**
   * Creates a joint.
   *
   * @param wakeUp Whether it wakes the bodies.
   * @throws Error if a body belongs to another world, or was removed.
   * @throws TypeError if `data` is no description of a joint, or a body is something else.
   */
  createImpulseJoint<J extends ImpulseJoint>(
    data: JointData<J> | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): J;
  /**
   * Creates a system: code of the worker script that runs with every tick, from the next one on. Those that were created
   * first run first, and one name can be created several times. With the script's type, names and props are checked:
   *
   *     import type { simulation } from './physics.worker.js';
   *     const world = createWorld<typeof simulation>({ createWorker });
   *     const wind = world.system('wind', { x: 3 });
   *
   * @param name Its name in the worker script's `runWorld({ … })`.
   * @param props What it is given: plain data, which is copied.
   * @throws RangeError if the worker script has no such system. Before the worker runs only the type checker knows that;
   *   then `ready` rejects.
   * @throws TypeError if JSON cannot hold the props; the message names the place in them.
   */
  system<Name extends keyof SystemsIn<S> & string>(
    name: Name,
    ...props: PropsArgument<SystemsIn<S>[Name]>
  ): SystemHandle<SystemsIn<S>[Name]>;
  /**
   * Creates a character: a kinematic body that walks, climbs slopes and steps, jumps, and is carried along by kinematic
   * ground. It is moved in the worker, with every tick.
   *
   * @param collider What walks, such as a capsule. It must be part of a kinematic body that is moved by positions.
   * @throws Error if it is not, or belongs to another world, or was removed.
   * @throws RangeError if no numbers are left that it can publish: see the option `display.values`.
   */
  createCharacter(collider: Collider, desc: CharacterDesc): Character;
  /**
   * Removes a character; its body stays. One that was removed before is ignored, and reported once.
   *
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeCharacter(character: Character): void;
  /**
   * Creates a vehicle: wheels that are rays below a body, with suspension, engine, steering and brakes. It is driven in the
   * worker, with every tick. For each wheel a body is created that is drawn.
   *
   * @param chassis A dynamic body, or a kinematic one that is moved by velocities.
   * @throws Error if it is none of these, belongs to another world, or was removed.
   * @throws RangeError if no numbers are left that it can publish: see the option `display.values`.
   */
  createVehicle(chassis: RigidBody, desc: VehicleDesc): Vehicle;
  /**
   * Removes a vehicle with its wheels; the chassis stays. One that was removed before is ignored, and reported once.
   *
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeVehicle(vehicle: Vehicle): void;
  /**
   * Creates a vehicle by Rapier's names, for code that adds its wheels one by one, updates it in each frame or step, and draws
   * them itself. It is driven in the worker, with every tick, as that of {@link createVehicle}.
   *
   * @param chassis A dynamic body.
   * @throws Error if it belongs to another world, or was removed.
   * @throws RangeError if no numbers are left that it can publish: see the option `display.values`. So does its `addWheel`.
   */
  createVehicleController(chassis: RigidBody): DynamicRayCastVehicleController;
  /**
   * Removes a controller; the chassis stays. One that was removed before is ignored, and reported once, unless it has gone
   * with its chassis.
   *
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeVehicleController(controller: DynamicRayCastVehicleController): void;
  /**
   * Removes a system. One that was removed before is ignored, and reported once.
   *
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeSystem(system: SystemHandle<unknown>): void;
  /**
   * Creates a multibody joint. Those of a world form trees: the second body has no other one that leads to it.
   *
   * @param wakeUp Whether it wakes the bodies.
   * @throws Error if a body belongs to another world, or was removed, or if the joints would not be trees.
   */
  createMultibodyJoint(
    data: JointData | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): MultibodyJoint;
  /**
   * Removes a multibody joint. One that was removed before is ignored, and reported once.
   *
   * @param wakeUp Whether it wakes its bodies. Default false, as in Rapier: one that hangs on it may sleep on.
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeMultibodyJoint(joint: MultibodyJoint, wakeUp?: boolean): void;
  /**
   * Removes a joint. One that was removed before is ignored, and reported once.
   *
   * @param wakeUp Whether it wakes its bodies. Default false, as in Rapier: one that hangs on it may sleep on.
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeImpulseJoint(joint: ImpulseJoint, wakeUp?: boolean): void;
  /**
   * Removes a body with its colliders and joints. One that was removed before is ignored, and reported once.
   *
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeRigidBody(body: RigidBody): void;
  /**
   * Removes a collider. One that was removed before is ignored, and reported once.
   *
   * @param wakeUp Whether it wakes its body. Default false, as in Rapier.
   * @throws TypeError unless it is one. @throws Error if it is of another world.
   */
  removeCollider(collider: Collider, wakeUp?: boolean): void;
  /** @param handle A body's number, such as the tag of one that is spawned. Things of a world are counted from 1. */
  getRigidBody(handle: number): RigidBody | undefined;
  /** @param handle A joint's number. Things of a world are counted from 1. */
  getImpulseJoint(handle: number): ImpulseJoint | undefined;
  /** @param handle A multibody joint's number. Things of a world are counted from 1. */
  getMultibodyJoint(handle: number): MultibodyJoint | undefined;
  /** @param handle A collider's number. Things of a world are counted from 1. */
  getCollider(handle: number): Collider | undefined;
  /**
   * Calls a handler for every event with a given name, from now on, also before the worker runs. An error in it is
   * reported as uncaught and does not affect other handlers.
   *
   * - `collision`: two colliders begin or cease to touch, if `ActiveEvents.COLLISION_EVENTS` is set of one of them.
   * - `contactForce`: two colliders press on each other, if `ActiveEvents.CONTACT_FORCE_EVENTS` is set of one of them.
   * - `sleep`, `wake`: a body falls asleep or wakes.
   *
   * Events of what a recording has made, and the page does not have yet, are left out: `sim.on` of {@link ready} has all
   * of them, with the numbers of the handles.
   *
   * @param options When to call it: when the display shows the event's tick (the default), or as soon as the page has
   *   the event.
   * @returns Removes the handler.
   * @throws TypeError for a wrong type or an unknown option.
   * @throws RangeError for an unknown name or moment.
   */
  readonly on: OnWorldEvent;
  /**
   * Samples the frame to draw, and sends what is still to be sent. Call it once per frame.
   *
   * @param frameMs The frame's time stamp.
   * @returns The frame, which has no state before the worker runs.
   */
  sample(frameMs: number): SampledFrame;
  /** The frame that was sampled last. Before the first, one that has no state. */
  readonly frame: SampledFrame;
  /** Sends what was changed now, and not at the end of the page's turn. Before the worker runs, it does nothing. */
  flush(): void;
  /** Ends the worker. Creating, setting or sampling something afterwards does nothing, and is reported once. */
  dispose(): Promise<void>;
}
