/** A collider of a world, as the page has it. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { ColliderHandle } from './collider-handle.js';
import type { OneWay } from './one-way.js';
import type { ColliderDesc } from './collider-desc.js';
import type { ColliderQueryMethods } from './collider-query-methods.js';
import type { CoefficientCombineRule, ShapeType } from './constants.js';
import type { HandleClass } from './handle-class.js';
import type { RigidBody } from './rigid-body.js';
import type { AnyShape, Shape } from './shape-classes.js';
import type { EngineColliderDesc } from './engine-data.js';

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
  /** Its body; null if it has none. */
  parent(): RigidBody | null;
  /** Type of its shape. */
  shapeType(): ShapeType;
  /** Its sizes, in the order of the method that describes its shape, in m or the simulation's own unit. */
  shapeSizes(): readonly number[];
  /** Its shape, without a place: for queries and for other colliders. */
  readonly shape: Shape;
  /** Half of the size of a cuboid along each axis, in m or the simulation's own unit. Of other shapes: null. */
  halfExtents(): Vector;
  /** Of a ball, a capsule, a cylinder or a cone, in m or the simulation's own unit. Of other shapes: undefined. */
  radius(): number;
  /** Of a capsule, a cylinder or a cone, in m or the simulation's own unit. Of other shapes: undefined. */
  halfHeight(): number;
  /** Of the border of a round shape, in m or the simulation's own unit. Of other shapes: undefined. */
  roundRadius(): number;
  /** Column by column, of a height field. A copy. Of other shapes: undefined. */
  heightfieldHeights(): Float32Array;
  /** The whole size of a height field along x and z, and the factor of its heights. Of other shapes: null. */
  heightfieldScale(): Vector;
  /** Number of squares of a height field along z. Of other shapes: undefined. */
  heightfieldNRows(): number;
  /** Number of squares of a height field along x. Of other shapes: undefined. */
  heightfieldNCols(): number;
  /**
   * Its mass, in kg. An engine of the page computes it at once.
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
  translationWrtParent(): Vector | null;
  /** Relative to its body; null if it has none. */
  rotationWrtParent(): Rotation | null;
  /** In the world: that of its body in the newest state, and its own. */
  translation(): Vector;
  /** In the world: that of its body in the newest state, and its own. */
  rotation(): Rotation;
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
  /** Of a shape that has one. @param newRadius From 0, in m or the simulation's own unit. */
  setRadius(newRadius: number): void;
  /** Of a shape that has one. @param newHalfHeight From 0, in m or the simulation's own unit. */
  setHalfHeight(newHalfHeight: number): void;
  /** Of a round shape. @param newBorderRadius From 0, in m or the simulation's own unit. */
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
  /** Like that of a description. What touches it wakes. @param oneWay Its axis and margin; null: it holds from all sides. */
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
export const Collider: HandleClass<Collider> = ColliderHandle as unknown as HandleClass<Collider>;
