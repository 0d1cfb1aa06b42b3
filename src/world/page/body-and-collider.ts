/** The handles of bodies and colliders, as applications have them, and their classes for `instanceof`. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ColliderDesc, OneWay } from './collider-desc.js';
import type { RigidBodyType, CoefficientCombineRule, ShapeType } from './constants.js';
import type { EngineColliderDesc } from './engine-data.js';
import type {
  SdpMatrix3,
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
  ShapeHit,
} from './query-types.js';
import type { AnyShape, Shape } from './shape.js';

/** A class whose instances only a world makes: for `instanceof`. */
export interface HandleClass<T> {
  /** The prototype of all handles of this kind. */
  readonly prototype: T;
  /** Whether something is such a handle: `thing instanceof RigidBody`. */
  [Symbol.hasInstance](value: unknown): value is T;
}

/** The class that implements the handle gives it its prototype: see {@link implementClass}. */
const handleClass = <T>(): HandleClass<T> => function () {} as unknown as HandleClass<T>;

/** Lets instances of a class be those of a {@link HandleClass}. */
export function implementClass<T>(publicClass: HandleClass<T>, prototype: T): void {
  Object.assign(publicClass, { prototype });
}

/**
 * A handle of a body, made by `World.createRigidBody`. It exists at once; the engine has the body from the next tick on.
 * Methods have the names that Rapier gives them. Those that change something take effect on the next tick that the
 * worker begins, together with all changes of the same turn of the page, in the order of the calls. On a body that was removed, they do
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
  /** The body's number among the bodies that are drawn, for bindings; undefined until the engine has it, and for fixed bodies. */
  readonly id: BodyId | undefined;
  /**
   * Where it is in the newest state, or where it was put since. In m or the simulation's own unit. After
   * {@link setNextKinematicTranslation}, where it was, until a frame shows another tick; then where it was sent.
   */
  translation(target?: Vector): Vector;
  /** Like {@link translation}: a unit quaternion. */
  rotation(target?: Rotation): Rotation;
  /** Like {@link translation}: the velocity, in m/s. In a world with `queries`, it has impulses at once, too. */
  linvel(target?: Vector): Vector;
  /** Like {@link linvel}: radians per second about each axis. */
  angvel(target?: Vector): Vector;
  /** Where it is in the newest state, or where it was sent with {@link setNextKinematicTranslation} since. */
  nextTranslation(target?: Vector): Vector;
  /** How it is turned in the newest state, or was sent with {@link setNextKinematicRotation} since. */
  nextRotation(target?: Rotation): Rotation;
  /** Whether it sleeps in the newest state, or was put to sleep or woken since. */
  isSleeping(): boolean;
  /** Like {@link linvel}: whether it has any velocity. */
  isMoving(): boolean;
  /** Like {@link linvel}: the velocity of a point of it, in the world. In m/s. */
  velocityAtPoint(point: Readonly<Vector>, target?: Vector): Vector;
  /**
   * The body's mass with that of its colliders, in kg. An engine of the page computes it, and everything that follows from it, at once.
   *
   * @throws Error unless the world was created with `queries`, until the engine has loaded.
   */
  mass(): number;
  /** Like {@link mass}: its inverse, per kg, from 0; 0 if it has none. */
  invMass(): number;
  /** Like {@link invMass}, along each axis: 0 for one along which it does not move, and if it is not dynamic. */
  effectiveInvMass(target?: Vector): Vector;
  /** Like {@link mass}: its center of mass, relative to it. */
  localCom(target?: Vector): Vector;
  /** Like {@link mass}: its center of mass, in the world. */
  worldCom(target?: Vector): Vector;
  /** Like {@link mass}: in kg m², about the axes of {@link principalInertiaLocalFrame}. */
  principalInertia(target?: Vector): Vector;
  /** Like {@link principalInertia}: its inverse. */
  invPrincipalInertia(target?: Vector): Vector;
  /** Like {@link principalInertia}: how its axes are turned, relative to it. */
  principalInertiaLocalFrame(target?: Rotation): Rotation;
  /** Like {@link principalInertia}, in the world: without the axes about which it does not turn; 0 if it is not dynamic. */
  effectiveAngularInertia(target?: SdpMatrix3): SdpMatrix3;
  /** The inverse of {@link effectiveAngularInertia}. */
  effectiveWorldInvInertia(target?: SdpMatrix3): SdpMatrix3;
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
  /** How its surface moves while it stays, in its own space: see {@link setSurfaceVelocity}. In m/s. Rapier has no such method. */
  surfaceVelocity(target?: Vector): Vector;
  /** Like {@link surfaceVelocity}: radians per second about each axis of its own space. */
  surfaceAngularVelocity(target?: Vector): Vector;
  /** The forces that act on it until {@link resetForces}. In N. */
  userForce(target?: Vector): Vector;
  /** The torques that act on it until {@link resetTorques}, also of forces at points: about where its center of mass was. In N m. */
  userTorque(target?: Vector): Vector;
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
   * for a body that is fixed or kinematic by positions. Components that were read in the same frame and are written back, as
   * in `setLinvel({ x: 3, y: body.linvel().y, z: 0 })`, stay as the worker has them when it applies the change. So do those
   * of `setTranslation` and `setAngvel`.
   */
  setLinvel(value: Readonly<Vector>, wakeUp: boolean): void;
  /** Like {@link setLinvel}: radians per second about each axis. */
  setAngvel(value: Readonly<Vector>, wakeUp: boolean): void;
  /**
   * Lets the surface of a fixed or kinematic body move while it stays, or in addition to its own motion: a conveyor belt. It carries what
   * touches any side of it, and what is joined to it. A body with such a surface counts as kinematic for `activeCollisionTypes`. Rapier has no such
   * method.
   *
   * @param value In its own space, in m/s. Default 0.
   */
  setSurfaceVelocity(value: Readonly<Vector>): void;
  /**
   * Like {@link setSurfaceVelocity}: for a drum, which turns about its center of mass.
   *
   * @param value Radians per second about each axis of its own space. Default 0.
   */
  setSurfaceAngularVelocity(value: Readonly<Vector>): void;
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
export const RigidBody = handleClass<RigidBody>();

/**
 * A handle of a collider, made by `World.createCollider`. It exists at once; the engine has the collider from the next tick
 * on. Methods have the names that Rapier gives them, and those that change something take effect on a later tick. On a
 * collider that was removed, they do nothing, and say so once in the console.
 *
 * All that change something throw TypeError or RangeError, naming the field, for a value of another type, a number that
 * is not finite in 32 bits, or one out of its range.
 */
export interface Collider extends ColliderQueryMethods {
  /** The collider's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** False after it was removed. */
  isValid(): boolean;
  /** The body it belongs to; null if it has none. */
  parent(): RigidBody | null;
  /** Type of its shape. */
  shapeType(): ShapeType;
  /** Sizes of the shape, in the order of the method that describes its shape, in m or the simulation's own unit. */
  shapeSizes(): readonly number[];
  /** The shape, without a place: for queries and for other colliders. */
  readonly shape: Shape;
  /** Half of the size of a cuboid along each axis, in m or the simulation's own unit. Of other shapes: null. */
  halfExtents(target?: Vector): Vector;
  /** Radius of a ball, a capsule, a cylinder or a cone, in m or the simulation's own unit. Of other shapes: undefined. */
  radius(): number;
  /** Half of the height of a capsule, a cylinder or a cone, in m or the simulation's own unit. Of other shapes: undefined. */
  halfHeight(): number;
  /** Radius of the border of a round shape, in m or the simulation's own unit. Of other shapes: undefined. */
  roundRadius(): number;
  /** Column by column, of a height field. A copy. Of other shapes: undefined. */
  heightfieldHeights(): Float32Array;
  /** The whole size of a height field along x and z, and the factor of its heights. Of other shapes: null. */
  heightfieldScale(target?: Vector): Vector;
  /** Number of squares of a height field along z. Of other shapes: undefined. */
  heightfieldNRows(): number;
  /** Number of squares of a height field along x. Of other shapes: undefined. */
  heightfieldNCols(): number;
  /**
   * The collider's mass, in kg: 0 while it waits for its pieces. An engine of the page computes it at once.
   *
   * @throws Error unless the world was created with `queries`, until the engine has loaded.
   */
  mass(): number;
  /** Like {@link mass}: in m³. */
  volume(): number;
  /** Like {@link mass}: in kg/m³. */
  density(): number;
  /** Three numbers for each point, of shapes that are made of points. A copy. */
  vertices(): Float32Array;
  /** Three for each triangle or two for each segment, of shapes that have them. A copy. */
  indices(): Uint32Array | undefined;
  /** Whether it notices others instead of holding them. */
  isSensor(): boolean;
  /** Whether it collides at all: false also while its body is disabled. */
  isEnabled(): boolean;
  /** A coefficient, without a unit: any number. */
  friction(): number;
  /** From 0, it does not bounce, to 1 and above. */
  restitution(): number;
  /** How its friction and that of another one become one. */
  frictionCombineRule(): CoefficientCombineRule;
  /** How its restitution and that of another one become one. */
  restitutionCombineRule(): CoefficientCombineRule;
  /** Forces below are not reported: in N or the simulation's own unit, from 0. */
  contactForceEventThreshold(): number;
  /** 32 bits: the groups that it is in, and those that it meets. */
  collisionGroups(): number;
  /** 32 bits, like {@link collisionGroups}, for contact forces alone. */
  solverGroups(): number;
  /** 32 bits of `ActiveEvents`. */
  activeEvents(): number;
  /** 32 bits of `ActiveHooks`. */
  activeHooks(): number;
  /** 32 bits of `ActiveCollisionTypes`. */
  activeCollisionTypes(): number;
  /** The distance that contacts keep, in m or the simulation's own unit. */
  contactSkin(): number;
  /** From which side it holds things; null: from all. Rapier has no such method. */
  oneWay(): Readonly<{ axis: Readonly<Vector>; margin: number }> | null;
  /** Relative to its body; null if it has none. */
  translationWrtParent(target?: Vector): Vector | null;
  /** Relative to its body; null if it has none. */
  rotationWrtParent(target?: Rotation): Rotation | null;
  /** In the world: that of its body in the newest state, and its own. */
  translation(target?: Vector): Vector;
  /** In the world: that of its body in the newest state, and its own. */
  rotation(target?: Rotation): Rotation;
  /**
   * In the world.
   *
   * @throws Error if it is part of a body.
   */
  setTranslation(value: Readonly<Vector>): void;
  /**
   * In the world.
   *
   * @throws Error if it is part of a body.
   */
  setRotation(value: Readonly<Rotation>): void;
  /** Relative to its body. */
  setTranslationWrtParent(value: Readonly<Vector>): void;
  /** Relative to its body. */
  setRotationWrtParent(value: Readonly<Rotation>): void;
  /** Sets the size of a cuboid; nothing for other shapes. @param newHalfExtents Each from 0. */
  setHalfExtents(newHalfExtents: Readonly<Vector>): void;
  /** Sets the radius of a shape that has one. @param newRadius From 0, in m or the simulation's own unit. */
  setRadius(newRadius: number): void;
  /** Sets half of the height of a shape that has one. @param newHalfHeight From 0, in m or the simulation's own unit. */
  setHalfHeight(newHalfHeight: number): void;
  /** Sets the radius of a round shape's border. @param newBorderRadius From 0, in m or the simulation's own unit. */
  setRoundRadius(newBorderRadius: number): void;
  /** @param shape A shape, or a description, of which only the shape is taken. */
  setShape(shape: AnyShape | ColliderDesc | EngineColliderDesc): void;
  /** Whether it notices others instead of holding them. */
  setSensor(isSensor: boolean): void;
  /** Whether it collides at all. */
  setEnabled(enabled: boolean): void;
  /** @param friction A coefficient, any number. A negative one lowers the average with that of the other. */
  setFriction(friction: number): void;
  /** @param restitution From 0, it does not bounce, to 1 and above. */
  setRestitution(restitution: number): void;
  /** How its friction and that of another one become one. */
  setFrictionCombineRule(rule: CoefficientCombineRule): void;
  /** How its restitution and that of another one become one. */
  setRestitutionCombineRule(rule: CoefficientCombineRule): void;
  /** @param groups 32 bits: the groups that it is in, and those that it meets. */
  setCollisionGroups(groups: number): void;
  /** @param groups 32 bits, like those of {@link setCollisionGroups}, for contact forces alone. */
  setSolverGroups(groups: number): void;
  /** @param events 32 bits of `ActiveEvents`. */
  setActiveEvents(events: number): void;
  /** @param hooks 32 bits of `ActiveHooks`: which filters of systems are asked about it. */
  setActiveHooks(hooks: number): void;
  /** @param types 32 bits of `ActiveCollisionTypes`. */
  setActiveCollisionTypes(types: number): void;
  /**
   * Forces below are not reported.
   *
   * @param threshold In newtons, from 0.
   */
  setContactForceEventThreshold(threshold: number): void;
  /** @param thickness The distance that contacts keep, from 0, in m or the simulation's own unit. */
  setContactSkin(thickness: number): void;
  /** Like the description's. Bodies that touch it wake. @param oneWay Its axis and margin; null: it holds from all sides. */
  setOneWay(oneWay: OneWay | null): void;
  /**
   * Replaces a mass.
   *
   * @param density In kg/m³, from 0.
   */
  setDensity(density: number): void;
  /**
   * Replaces a density.
   *
   * @param mass In kg, from 0.
   */
  setMass(mass: number): void;
  /**
   * Replaces a density or a mass.
   *
   * @param mass In kg, from 0.
   * @param principalAngularInertia In kg m², about the axes of the frame.
   */
  setMassProperties(
    mass: number,
    centerOfMass: Readonly<Vector>,
    principalAngularInertia: Readonly<Vector>,
    angularInertiaLocalFrame: Readonly<Rotation>,
  ): void;
}

/** The class of these handles, for `instanceof`: only `World.createCollider` makes one. */
export const Collider = handleClass<Collider>();

/** The first hit of a moving shape. */
export type ColliderShapeCastHit = ShapeHit<Collider>;

/**
 * Rapier's queries of a collider, answered like those of `World`. About a collider that was removed, the answer is that
 * nothing was found, which is reported once in the console.
 *
 * Positions and sizes are in m or the simulation's own unit. A `target` is filled and returned, in all methods.
 */
export interface ColliderQueryMethods {
  /** Whether a point is inside of it. */
  containsPoint(point: Readonly<Vector>): boolean;
  /**
   * Finds the shape's point that is nearest to another one.
   *
   * @param solid Whether a point inside of the shape is its own nearest point, and not one of the surface.
   */
  projectPoint(
    point: Readonly<Vector>,
    solid: boolean,
    target?: PointProjection,
  ): PointProjection | null;
  /** @param maxToi How many times its direction the ray goes, from 0. Default: no limit. */
  intersectsRay(ray: RayData, maxToi: number): boolean;
  /**
   * How many times its direction the ray goes until it hits; −1 if it does not.
   *
   * @param maxToi How many times its direction the ray goes at most, from 0. Default: no limit.
   * @param solid Whether a ray that begins inside of the shape hits it at once.
   */
  castRay(ray: RayData, maxToi: number, solid: boolean): number;
  /**
   * Like {@link castRay}, with the normal of what is hit; null if it is not.
   *
   * @param maxToi How many times its direction the ray goes at most, from 0. Default: no limit.
   */
  castRayAndGetNormal(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    target?: RayIntersection,
  ): RayIntersection | null;
  /**
   * Where it and a shape meet when both move.
   *
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times their velocities they move, from 0. Default: no limit.
   * @param stopAtPenetration Whether an overlap at the beginning is a hit even if they move apart.
   */
  castShape(
    collider1Vel: Readonly<Vector>,
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    shape2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    target?: ShapeCastHit,
  ): ShapeCastHit | null;
  /**
   * Where it and another collider meet when both move.
   *
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times their velocities they move, from 0. Default: no limit.
   */
  castCollider(
    collider1Vel: Readonly<Vector>,
    collider2: Collider,
    collider2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    target?: ColliderShapeCastHit,
  ): ColliderShapeCastHit | null;
  /** Whether a shape overlaps it. */
  intersectsShape(
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
  ): boolean;
  /**
   * How it and a shape touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0.
   */
  contactShape(
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    prediction: number,
    target?: ShapeContact,
  ): ShapeContact | null;
  /**
   * How it and another collider touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0.
   */
  contactCollider(
    collider2: Collider,
    prediction: number,
    target?: ShapeContact,
  ): ShapeContact | null;
}
