/** A body of a world, as the page has it. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import { BodyHandle } from './body-handle.js';
import type { Collider } from './collider.js';
import type { HandleClass } from './handle-class.js';
import type { SdpMatrix3 } from './sdp-matrix.js';
import type { RigidBodyType } from './constants.js';

/**
 * A handle of a body, made by `World.createRigidBody`. It exists at once; the engine has the body from the next tick on.
 * Methods have the names that Rapier gives them. Those that change something take effect on a later tick, together with
 * all changes of the same turn of the page: what is set before what is added. On a body that was removed, they do
 * nothing, and say so once in the console.
 *
 * All that change something throw TypeError or RangeError, naming the field, for a value of another type, a number that
 * is not finite in 32 bits, or one out of its range.
 */
export interface RigidBody {
  /** The body's number in commands, recordings and tags: things of a world are counted from 1. */
  readonly handle: number;
  /** Kept on the page: it is never sent. */
  userData: unknown;
  /** False after it was removed. */
  isValid(): boolean;
  /** Its number among the bodies that are drawn, for bindings; undefined until the engine has it, and for fixed bodies. */
  readonly id: BodyId | undefined;
  /** Where it is in the newest state, or where it was put since. In m or the simulation's own unit. */
  translation(): Vector;
  /** Like {@link translation}: a unit quaternion. */
  rotation(): Rotation;
  /** Like {@link translation}: the velocity, in m/s. In a world with `queries`, it has impulses at once, too. */
  linvel(): Vector;
  /** Like {@link linvel}: radians per second about each axis. */
  angvel(): Vector;
  /** Where it is in the newest state, or where it was sent with {@link setNextKinematicTranslation} since. */
  nextTranslation(): Vector;
  /** How it is turned in the newest state, or was sent with {@link setNextKinematicRotation} since. */
  nextRotation(): Rotation;
  /** Whether it sleeps in the newest state, or was put to sleep or woken since. */
  isSleeping(): boolean;
  /** Like {@link linvel}: whether it has any velocity. */
  isMoving(): boolean;
  /** Like {@link linvel}: the velocity of a point of it, in the world. In m/s. */
  velocityAtPoint(point: Readonly<Vector>): Vector;
  /**
   * Its mass with that of its colliders, in kg. An engine of the page computes it, and everything that follows from it, at once.
   *
   * @throws Error unless the world was created with `queries`, until the engine has loaded.
   */
  mass(): number;
  /** Like {@link mass}: its inverse, per kg, from 0; 0 if it has none. */
  invMass(): number;
  /** Like {@link invMass}, along each axis: 0 for one along which it does not move, and if it is not dynamic. */
  effectiveInvMass(): Vector;
  /** Like {@link mass}: its center of mass, relative to it. */
  localCom(): Vector;
  /** Like {@link mass}: its center of mass, in the world. */
  worldCom(): Vector;
  /** Like {@link mass}: in kg m², about the axes of {@link principalInertiaLocalFrame}. */
  principalInertia(): Vector;
  /** Like {@link principalInertia}: its inverse. */
  invPrincipalInertia(): Vector;
  /** Like {@link principalInertia}: how its axes are turned, relative to it. */
  principalInertiaLocalFrame(): Rotation;
  /** Like {@link principalInertia}, in the world: without the axes about which it does not turn; 0 if it is not dynamic. */
  effectiveAngularInertia(): SdpMatrix3;
  /** The inverse of {@link effectiveAngularInertia}. */
  effectiveWorldInvInertia(): SdpMatrix3;
  /** How it moves. */
  bodyType(): RigidBodyType;
  /** Whether forces move it. */
  isDynamic(): boolean;
  /** Whether it never moves by itself. */
  isFixed(): boolean;
  /** Whether it goes where it is sent, by position or by velocity. */
  isKinematic(): boolean;
  /** Whether it is simulated at all. */
  isEnabled(): boolean;
  /** A factor of the world's gravity. */
  gravityScale(): number;
  /** Share of the velocity that is lost per second, roughly; below 0 it gains. */
  linearDamping(): number;
  /** Share of the angular velocity that is lost per second, roughly; below 0 it gains. */
  angularDamping(): number;
  /** −127 to 127. */
  dominanceGroup(): number;
  /** 0 to 1000. */
  additionalSolverIterations(): number;
  /** Whether it cannot pass through others however fast it is. */
  isCcdEnabled(): boolean;
  /** A distance, in m or the simulation's own unit. */
  softCcdPrediction(): number;
  /** The forces that act on it until {@link resetForces}. In N. */
  userForce(): Vector;
  /** The torques that act on it until {@link resetTorques}, also of forces at points: about where its center of mass was. In N m. */
  userTorque(): Vector;
  /** Number of its colliders. */
  numColliders(): number;
  /**
   * One of its colliders. As in Rapier, the type does not say that there is none beyond the last: undefined.
   *
   * @param index From 0, in the order in which they were created.
   */
  collider(index: number): Collider;
  /** Puts it somewhere: what is near is drawn as motion, what is farther than the world's `snapOver` as a jump. */
  setTranslation(value: Readonly<Vector>, wakeUp: boolean): void;
  /** Turns it. */
  setRotation(value: Readonly<Rotation>, wakeUp: boolean): void;
  /**
   * Sets its velocity, in m/s. Impulses of the same turn of the page before that are forgotten, as in the engine. Nothing
   * for a body that is fixed or kinematic by positions.
   */
  setLinvel(value: Readonly<Vector>, wakeUp: boolean): void;
  /** Like {@link setLinvel}: radians per second about each axis. */
  setAngvel(value: Readonly<Vector>, wakeUp: boolean): void;
  /** Where a kinematic body is after the next tick. */
  setNextKinematicTranslation(value: Readonly<Vector>): void;
  /** How a kinematic body is turned after the next tick. */
  setNextKinematicRotation(value: Readonly<Rotation>): void;
  /** How it moves from now on. */
  setBodyType(type: RigidBodyType, wakeUp: boolean): void;
  /** Whether it is simulated at all. A disabled body stays where it is, and nothing touches it. */
  setEnabled(enabled: boolean): void;
  /** @param factor A factor of the world's gravity. */
  setGravityScale(factor: number, wakeUp: boolean): void;
  /** @param factor Share of the velocity that is lost per second, roughly; below 0 it gains. */
  setLinearDamping(factor: number): void;
  /** @param factor Share of the angular velocity that is lost per second, roughly; below 0 it gains. */
  setAngularDamping(factor: number): void;
  /** @param group −127 to 127: a body is not pushed by those of lower groups. */
  setDominanceGroup(group: number): void;
  /** @param iterations 0 to 1000 in addition to those of the world. */
  setAdditionalSolverIterations(iterations: number): void;
  /** Whether it cannot pass through others however fast it is. */
  enableCcd(enabled: boolean): void;
  /** @param distance How far ahead it looks for contacts, from 0, in m or the simulation's own unit. */
  setSoftCcdPrediction(distance: number): void;
  /** Along which axes it may move. */
  setEnabledTranslations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void;
  /** About which axes it may turn. */
  setEnabledRotations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void;
  /** Like {@link setEnabledTranslations}: Rapier's older name. */
  restrictTranslations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void;
  /** Like {@link setEnabledRotations}: Rapier's older name. */
  restrictRotations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void;
  /** Has the engine compute its mass from its colliders before the impulses of the same turn: they need it. */
  recomputeMassPropertiesFromColliders(): void;
  /** Whether it moves along no axis, or along all. */
  lockTranslations(locked: boolean, wakeUp: boolean): void;
  /** Whether it turns about no axis, or about all. */
  lockRotations(locked: boolean, wakeUp: boolean): void;
  /**
   * Mass in addition to that of its colliders.
   *
   * @param mass In kg, from 0.
   */
  setAdditionalMass(mass: number, wakeUp: boolean): void;
  /**
   * Mass in addition to that of its colliders, and how it is distributed.
   *
   * @param mass In kg, from 0.
   * @param principalAngularInertia In kg m², about the axes of the frame.
   */
  setAdditionalMassProperties(
    mass: number,
    centerOfMass: Readonly<Vector>,
    principalAngularInertia: Readonly<Vector>,
    angularInertiaLocalFrame: Readonly<Rotation>,
    wakeUp: boolean,
  ): void;
  /** Changes its momentum at once, in N s. Those of one turn of the page are added up. */
  applyImpulse(impulse: Readonly<Vector>, wakeUp: boolean): void;
  /** Changes its angular momentum at once, in N m s. */
  applyTorqueImpulse(torqueImpulse: Readonly<Vector>, wakeUp: boolean): void;
  /** Changes its momentum at once, in N s, at a point in the world. */
  applyImpulseAtPoint(impulse: Readonly<Vector>, point: Readonly<Vector>, wakeUp: boolean): void;
  /** Acts until {@link resetForces}, in N. */
  addForce(force: Readonly<Vector>, wakeUp: boolean): void;
  /** Acts until {@link resetTorques}, in N m. */
  addTorque(torque: Readonly<Vector>, wakeUp: boolean): void;
  /** Acts at a point in the world until {@link resetForces}, in N. */
  addForceAtPoint(force: Readonly<Vector>, point: Readonly<Vector>, wakeUp: boolean): void;
  /** Ends all forces. */
  resetForces(wakeUp: boolean): void;
  /** Ends all torques. */
  resetTorques(wakeUp: boolean): void;
  /** Puts it to sleep until something touches it. */
  sleep(): void;
  /** Wakes it. */
  wakeUp(): void;
}

/** The class of these handles, for `instanceof`: only `World.createRigidBody` makes one. */
export const RigidBody: HandleClass<RigidBody> = BodyHandle as unknown as HandleClass<RigidBody>;
