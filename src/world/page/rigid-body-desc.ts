/** Descriptions of bodies, with Rapier's names. They load no engine. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { BODY, type BodyFields } from '../shared/setting-tables.js';
import { flag, integer, massProperties, notNegative, rotation, vector } from './checked-values.js';
import { defineDescription } from './setting-methods.js';
import { RigidBodyType } from './constants.js';
import { fromEngine, type EngineBodyDesc, type EngineClass } from './engine-data.js';

/** For the world that makes something of a description: a copy of what was set. */
export let fieldsOfBody: (desc: RigidBodyDesc | EngineBodyDesc) => BodyFields;

/**
 * The description of a body: each method sets one property and returns the description, which may be used for any number
 * of bodies. Lengths in m, angles in radians, masses in kg, or the simulation's own units.
 *
 * All methods throw TypeError or RangeError, naming the field, for a value of another type, a number that is not finite
 * in 32 bits, or one out of its range.
 */
export class RigidBodyDesc {
  readonly #fields: BodyFields;

  static {
    fieldsOfBody = (desc) =>
      desc instanceof RigidBodyDesc ? { ...desc.#fields } : fromEngine('desc', desc, OF_RAPIER);
    defineDescription(this.prototype, BODY, (desc) => desc.#fields);
  }

  /** Kept on the page: it is never sent. */
  userData: unknown;

  /**
   * @param status How it moves.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(status: RigidBodyType) {
    this.#fields = { bodyType: statusOf(status) };
  }

  /** A body that forces move. */
  static dynamic(): RigidBodyDesc {
    return new RigidBodyDesc(RigidBodyType.Dynamic);
  }

  /** A body that never moves. */
  static fixed(): RigidBodyDesc {
    return new RigidBodyDesc(RigidBodyType.Fixed);
  }

  /** A body that goes to the poses that it is given, and pushes what is in its way. */
  static kinematicPositionBased(): RigidBodyDesc {
    return new RigidBodyDesc(RigidBodyType.KinematicPositionBased);
  }

  /** A body that keeps the velocities that it is given. */
  static kinematicVelocityBased(): RigidBodyDesc {
    return new RigidBodyDesc(RigidBodyType.KinematicVelocityBased);
  }

  /** @param x In m or the simulation's own unit. */
  setTranslation(x: number, y: number, z: number): this {
    this.#fields.translation = vector('translation', { x, y, z });
    return this;
  }

  /** Default: not turned. */
  setRotation(value: Readonly<Rotation>): this {
    this.#fields.rotation = rotation('rotation', value);
    return this;
  }

  /** @param x In metres per second. */
  setLinvel(x: number, y: number, z: number): this {
    this.#fields.linvel = vector('linvel', { x, y, z });
    return this;
  }

  /** In radians per second about each axis. */
  setAngvel(value: Readonly<Vector>): this {
    this.#fields.angvel = vector('angvel', value);
    return this;
  }

  /** Like {@link enabledTranslations}: Rapier's older name. */
  restrictTranslations(x: boolean, y: boolean, z: boolean): this {
    return this.enabledTranslations(x, y, z);
  }

  /** Like {@link enabledRotations}: Rapier's older name. */
  restrictRotations(x: boolean, y: boolean, z: boolean): this {
    return this.enabledRotations(x, y, z);
  }

  /** Stops it from moving along any axis. */
  lockTranslations(): this {
    return this.enabledTranslations(false, false, false);
  }

  /** Stops it from turning about any axis. */
  lockRotations(): this {
    return this.enabledRotations(false, false, false);
  }

  /** Kept on the page: `body.userData`. Default undefined. */
  setUserData(data?: unknown): this {
    this.userData = data;
    return this;
  }
}

export interface RigidBodyDesc {
  /** @param scale A factor of the world's gravity. Default 1. */
  setGravityScale(scale: number): this;
  /** @param damping Share of the velocity that is lost per second, roughly; below 0 it gains. Default 0. */
  setLinearDamping(damping: number): this;
  /** @param damping Share of the angular velocity that is lost per second, roughly; below 0 it gains. Default 0. */
  setAngularDamping(damping: number): this;
  /**
   * Mass in addition to that of its colliders. Replaces {@link setAdditionalMassProperties}.
   *
   * @param mass In kg, from 0.
   */
  setAdditionalMass(mass: number): this;
  /**
   * Mass in addition to that of its colliders, and how it is distributed. Replaces {@link setAdditionalMass}.
   *
   * @param mass In kg, from 0.
   * @param principalAngularInertia In kg m², about the axes of the frame.
   */
  setAdditionalMassProperties(
    mass: number,
    centerOfMass: Readonly<Vector>,
    principalAngularInertia: Readonly<Vector>,
    angularInertiaLocalFrame: Readonly<Rotation>,
  ): this;
  /** Along which axes it may move. Default: all. */
  enabledTranslations(x: boolean, y: boolean, z: boolean): this;
  /** About which axes it may turn. Default: all. */
  enabledRotations(x: boolean, y: boolean, z: boolean): this;
  /** Whether it may fall asleep when it rests. Default true. */
  setCanSleep(can: boolean): this;
  /** Whether it is asleep at first. Default false. */
  setSleeping(sleeping: boolean): this;
  /** Whether it cannot pass through others however fast it is. Default false. */
  setCcdEnabled(enabled: boolean): this;
  /**
   * Like CCD, cheaper and less exact.
   *
   * @param distance How far ahead it looks for contacts, from 0, in m or the simulation's own unit. Default 0.
   */
  setSoftCcdPrediction(distance: number): this;
  /**
   * @param group −127 to 127: a body is not pushed by those of lower groups. Default 0.
   * @throws TypeError, RangeError for anything else.
   */
  setDominanceGroup(group: number): this;
  /**
   * For joints and stacks that are too soft.
   *
   * @param iterations 0 to 1000 in addition to those of the world. Default 0.
   * @throws TypeError, RangeError for anything else.
   */
  setAdditionalSolverIterations(iterations: number): this;
  /** Whether it is simulated at all. Default true. */
  setEnabled(enabled: boolean): this;
  /**
   * Lets the surface of a fixed or kinematic body move while it stays: see `RigidBody.setSurfaceVelocity`. Rapier has no such method.
   *
   * @param value In its own space, in m/s. Default 0.
   */
  setSurfaceVelocity(value: Readonly<Vector>): this;
  /** Like {@link setSurfaceVelocity}: radians per second about each axis of its own space. Default 0. */
  setSurfaceAngularVelocity(value: Readonly<Vector>): this;
}

const statusOf = (status: number): number => integer('status', status, 0, 3);

const OF_RAPIER: EngineClass<EngineBodyDesc, BodyFields> = {
  className: 'RigidBodyDesc',
  mark: 'status',
  table: BODY,
  checks: { translation: vector, rotation, linvel: vector, angvel: vector },
  others: (desc) => ({
    bodyType: statusOf(desc.status),
    enabledTranslations: [
      flag(desc.translationsEnabledX),
      flag(desc.translationsEnabledY),
      flag(desc.translationsEnabledZ),
    ],
    enabledRotations: [
      flag(desc.rotationsEnabledX),
      flag(desc.rotationsEnabledY),
      flag(desc.rotationsEnabledZ),
    ],
    ...additionalMassOf(desc),
  }),
};

function additionalMassOf(desc: EngineBodyDesc): BodyFields {
  const { mass, centerOfMass, principalAngularInertia: inertia } = desc;
  if (desc.massOnly) return { additionalMass: notNegative('additionalMass', mass) };
  if ([mass, inertia.x, inertia.y, inertia.z].every((value) => value === 0)) return {};
  const frame = desc.angularInertiaLocalFrame;
  return { additionalMassProperties: massProperties(mass, centerOfMass, inertia, frame) };
}
