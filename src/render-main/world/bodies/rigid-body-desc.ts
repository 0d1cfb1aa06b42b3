/** Descriptions of bodies, with Rapier's names. They load no engine. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type { BodyFields } from '../../../shared/world/world-fields.js';
import { requireInteger } from '../../../shared/util/validate.js';
import {
  finite,
  flag,
  massProperties,
  notNegative,
  rotation,
  vector,
} from '../checks/checked-values.js';
import { RigidBodyType } from '../values/constants.js';
import { requireDesc } from '../checks/required-desc.js';

/** For the world that makes something of a description: a copy of what was set. */
export let fieldsOfBody: (desc: RigidBodyDesc) => BodyFields;

/**
 * What a body is created with: each method sets one property and returns the description, which may be used for any number
 * of bodies. Lengths in m, angles in radians, masses in kg, or the simulation's own units.
 *
 * All methods throw TypeError or RangeError, naming the field, for a value of another type, a number that is not finite
 * in 32 bits, or one out of its range.
 */
export class RigidBodyDesc {
  readonly #fields: BodyFields;

  static {
    fieldsOfBody = (desc) => {
      requireDesc('desc', 'RigidBodyDesc', desc, desc instanceof RigidBodyDesc);
      return { ...desc.#fields };
    };
  }

  /** Kept on the page: it is never sent. */
  userData: unknown;

  /**
   * @param status How it moves.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(status: RigidBodyType) {
    this.#fields = { bodyType: requireInteger('status', status, 0, 3) };
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

  /** @param scale A factor of the world's gravity. Default 1. */
  setGravityScale(scale: number): this {
    this.#fields.gravityScale = finite('gravityScale', scale);
    return this;
  }

  /** @param damping Share of the velocity that is lost per second, roughly, from 0. Default 0. */
  setLinearDamping(damping: number): this {
    this.#fields.linearDamping = notNegative('linearDamping', damping);
    return this;
  }

  /** @param damping Share of the angular velocity that is lost per second, roughly, from 0. Default 0. */
  setAngularDamping(damping: number): this {
    this.#fields.angularDamping = notNegative('angularDamping', damping);
    return this;
  }

  /**
   * Mass in addition to that of its colliders. Replaces {@link setAdditionalMassProperties}.
   *
   * @param mass In kg, from 0.
   */
  setAdditionalMass(mass: number): this {
    this.#fields.additionalMass = notNegative('additionalMass', mass);
    delete this.#fields.additionalMassProperties;
    return this;
  }

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
  ): this {
    this.#fields.additionalMassProperties = massProperties(
      mass,
      centerOfMass,
      principalAngularInertia,
      angularInertiaLocalFrame,
    );
    delete this.#fields.additionalMass;
    return this;
  }

  /** Along which axes it may move. Default: all. */
  enabledTranslations(x: boolean, y: boolean, z: boolean): this {
    this.#fields.enabledTranslations = [flag('x', x), flag('y', y), flag('z', z)];
    return this;
  }

  /** About which axes it may turn. Default: all. */
  enabledRotations(x: boolean, y: boolean, z: boolean): this {
    this.#fields.enabledRotations = [flag('x', x), flag('y', y), flag('z', z)];
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

  /** It moves along no axis. */
  lockTranslations(): this {
    return this.enabledTranslations(false, false, false);
  }

  /** It turns about no axis. */
  lockRotations(): this {
    return this.enabledRotations(false, false, false);
  }

  /** Whether it may fall asleep when it rests. Default true. */
  setCanSleep(can: boolean): this {
    this.#fields.canSleep = flag('canSleep', can);
    return this;
  }

  /** Whether it is asleep at first. Default false. */
  setSleeping(sleeping: boolean): this {
    this.#fields.sleeping = flag('sleeping', sleeping);
    return this;
  }

  /** Whether it cannot pass through others however fast it is. Default false. */
  setCcdEnabled(enabled: boolean): this {
    this.#fields.ccdEnabled = flag('ccdEnabled', enabled);
    return this;
  }

  /**
   * Like CCD, cheaper and less exact.
   *
   * @param distance How far ahead it looks for contacts, from 0, in m or the simulation's own unit. Default 0.
   */
  setSoftCcdPrediction(distance: number): this {
    this.#fields.softCcdPrediction = notNegative('softCcdPrediction', distance);
    return this;
  }

  /**
   * @param group −127 to 127: a body is not pushed by those of lower groups. Default 0.
   * @throws TypeError, RangeError for anything else.
   */
  setDominanceGroup(group: number): this {
    this.#fields.dominanceGroup = requireInteger('dominanceGroup', group, -127, 127);
    return this;
  }

  /**
   * For joints and stacks that are too soft.
   *
   * @param iterations 0 to 1000 in addition to those of the world. Default 0.
   * @throws TypeError, RangeError for anything else.
   */
  setAdditionalSolverIterations(iterations: number): this {
    this.#fields.additionalSolverIterations = requireInteger(
      'additionalSolverIterations',
      iterations,
      0,
      1000,
    );
    return this;
  }

  /** Whether it is simulated at all. Default true. */
  setEnabled(enabled: boolean): this {
    this.#fields.enabled = flag('enabled', enabled);
    return this;
  }

  /** Kept on the page: `body.userData`. Default undefined. */
  setUserData(data?: unknown): this {
    this.userData = data;
    return this;
  }
}
