/**
 * Descriptions and shapes of Rapier's own classes, as far as they are read: applications that have imported Rapier keep
 * that import. Theirs may be another copy or version than ours, so that they are known by what they have.
 */
import type { Rotation, Vector } from '../../../shared/world/fields.js';

/** A `RigidBodyDesc` of Rapier. */
export interface EngineBodyDesc {
  readonly status: number;
  readonly enabled: boolean;
  readonly translation: Readonly<Vector>;
  readonly rotation: Readonly<Rotation>;
  readonly linvel: Readonly<Vector>;
  readonly angvel: Readonly<Vector>;
  readonly gravityScale: number;
  readonly mass: number;
  /** Whether the mass has no further properties. */
  readonly massOnly: boolean;
  readonly centerOfMass: Readonly<Vector>;
  readonly principalAngularInertia: Readonly<Vector>;
  readonly angularInertiaLocalFrame: Readonly<Rotation>;
  readonly translationsEnabledX: boolean;
  readonly translationsEnabledY: boolean;
  readonly translationsEnabledZ: boolean;
  readonly rotationsEnabledX: boolean;
  readonly rotationsEnabledY: boolean;
  readonly rotationsEnabledZ: boolean;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly canSleep: boolean;
  readonly sleeping: boolean;
  readonly ccdEnabled: boolean;
  readonly softCcdPrediction: number;
  readonly dominanceGroup: number;
  readonly additionalSolverIterations: number;
  readonly userData?: unknown;
}

/** A `ColliderDesc` of Rapier. */
export interface EngineColliderDesc {
  readonly shape: EngineShape;
  readonly enabled: boolean;
  readonly translation: Readonly<Vector>;
  readonly rotation: Readonly<Rotation>;
  /** Which of the following counts: 0 the density, 1 the mass, 2 the mass and its properties. */
  readonly massPropsMode: number;
  readonly density: number;
  readonly mass: number;
  readonly centerOfMass: Readonly<Vector>;
  readonly principalAngularInertia: Readonly<Vector>;
  readonly angularInertiaLocalFrame: Readonly<Rotation>;
  readonly friction: number;
  readonly restitution: number;
  readonly frictionCombineRule: number;
  readonly restitutionCombineRule: number;
  readonly isSensor: boolean;
  readonly collisionGroups: number;
  readonly solverGroups: number;
  readonly activeEvents: number;
  readonly activeHooks: number;
  readonly activeCollisionTypes: number;
  readonly contactForceEventThreshold: number;
  readonly contactSkin: number;
}

/** A `JointData` of Rapier. The rest of it depends on the type. */
export interface EngineJointData {
  readonly jointType: number;
  readonly anchor1: Readonly<Vector>;
  readonly anchor2: Readonly<Vector>;
  readonly limitsEnabled: boolean;
  readonly limits: readonly number[];
}

/** A shape of Rapier, such as a `Ball`. The rest of it depends on the type. */
export interface EngineShape {
  readonly type: number;
  intoRaw(): unknown;
}

/** Whether an object has a number with a name. */
export const hasNumber = <Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, number>> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)[name] === 'number';
