/** Types of props, with the names that `@react-three/rapier` gives them. */
import type { Quaternion, ThreeElements, Vector3 } from '@react-three/fiber';
import type { ReactNode, Ref, RefObject } from 'react';
import type { Rotation, Vector } from '../shared/util/vectors.js';
import type {
  CoefficientCombineRule,
  ColliderDesc,
  ImpulseJoint,
  OneWay,
  World,
  WorldHandle,
} from '../world/page/index.js';
import type { ConnectOptions } from '../render-main/api/connect-options.js';
import type { CreateWorker } from '../render-main/api/create-worker.js';
import type { CollisionHandlers, SleepHandler } from './collisions.js';
import type { RapierCollider, RapierRigidBody } from './rapier-values.js';

export type { RapierCollider, RapierRigidBody } from './rapier-values.js';

/** A ref of a function. */
export type RefGetter<T> = RefObject<() => T | undefined>;

/** Which colliders a body gets for the meshes in it: the smallest balls, boxes, convex hulls, triangles, convex pieces, or none. */
export type RigidBodyAutoCollider = 'ball' | 'cuboid' | 'hull' | 'trimesh' | 'pieces' | false;
/** How a body moves. */
export type RigidBodyTypeString = 'fixed' | 'dynamic' | 'kinematicPosition' | 'kinematicVelocity';

/** Names of shapes: the methods of `ColliderDesc` that describe them. */
export type ColliderShape =
  | Exclude<
      keyof typeof ColliderDesc,
      'prototype' | 'compound' | 'segment' | 'triangle' | 'roundTriangle' | 'voxels'
    >
  | 'halfSpace';

/** Three numbers. */
export type Vector3Tuple = [x: number, y: number, z: number];
/** Four numbers, as those of a quaternion. */
export type Vector4Tuple = [x: number, y: number, z: number, w: number];
/** One for each axis. */
export type Boolean3Tuple = [x: boolean, y: boolean, z: boolean];
/** Three numbers by the names of their axes. */
export type Vector3Object = Vector;

/** Props that fiber gives an object of three.js. */
type Object3DProps = ThreeElements['object3D'];

/** Props of three.js that place something. */
export interface TransformProps {
  /** Position of a body in the scene, or of a collider relative to its body. Default: the origin. */
  position?: Object3DProps['position'];
  /** Radians about x, y and z. Default: not turned. */
  rotation?: Object3DProps['rotation'];
  /** Instead of `rotation`. Default: not turned. */
  quaternion?: Object3DProps['quaternion'];
  /** Factors of the sizes of colliders. Default 1. */
  scale?: Object3DProps['scale'];
}

/** Settings of a collider. A change of one sends that one alone; one that goes away gets its default. */
export interface ColliderSettings {
  /** How bouncy it is, from 0. Default 0. */
  restitution?: number | undefined;
  /** How its restitution and that of another one become one. Default `Average`. */
  restitutionCombineRule?: CoefficientCombineRule | undefined;
  /** A coefficient, from 0. Default 0.5. */
  friction?: number | undefined;
  /** How its friction and that of another one become one. Default `Average`. */
  frictionCombineRule?: CoefficientCombineRule | undefined;
  /** 32 bits of {@link interactionGroups}. Default: all. */
  collisionGroups?: number | undefined;
  /** 32 bits of {@link interactionGroups}, for contact forces alone. Default: all. */
  solverGroups?: number | undefined;
  /** Between which types of bodies it finds collisions: 16 bits of `ActiveCollisionTypes`. Default 15. */
  activeCollisionTypes?: number | undefined;
  /** In kg/m³, from 0. One of `density`, `mass` and `massProperties`. Default 1. */
  density?: number | undefined;
  /** In kg, from 0. A body has none, as in `@react-three/rapier`: its colliders do. */
  mass?: number | undefined;
  /** In kg, and kg m² about the axes of the frame. */
  massProperties?:
    | {
        /** In kg, from 0. */
        mass: number;
        /** Relative to the collider. */
        centerOfMass: Vector;
        /** In kg m² about each axis of the frame. */
        principalAngularInertia: Vector;
        /** How the frame is turned, relative to the collider. */
        angularInertiaLocalFrame: Rotation;
      }
    | undefined;
  /** The distance that contacts keep, from 0. Default 0. */
  contactSkin?: number | undefined;
  /** Whether it notices others instead of holding them. Default false. */
  sensor?: boolean | undefined;
  /** Forces below are not reported, from 0. Default 0. */
  contactForceEventThreshold?: number | undefined;
  /**
   * From which side it holds things: `{}` is a platform to jump through from below. A body that comes from behind or from a side passes until
   * it is outside again. Default: from all sides.
   */
  oneWay?: OneWay | null | undefined;
}

/** Props of a collider. */
export interface ColliderOptions<ColliderArgs extends unknown[]>
  extends ColliderSettings, CollisionHandlers, TransformProps {
  /** Name of its object. Default: none. */
  name?: string | undefined;
  /** Shape of the collider: components of one shape have it by default. Another one makes another collider. */
  shape?: ColliderShape | undefined;
  /** Sizes of the shape, without a default. Others make another collider. */
  args?: ColliderArgs | undefined;
  /** Never read, as in `@react-three/rapier`, and best left out: see `massProperties`. */
  principalAngularInertia?: Vector3Tuple | undefined;
}

/** Props of a collider of any shape. */
export interface ColliderProps extends ColliderOptions<unknown[]> {
  /** Objects that move with its object. */
  children?: ReactNode;
  /** The collider. */
  ref?: Ref<RapierCollider> | undefined;
}

/** Props of a collider of one shape, which needs its sizes. */
export type ColliderOptionsRequiredArgs<T extends unknown[]> = Omit<ColliderOptions<T>, 'args'> & {
  args: T;
  children?: ReactNode;
};

/** Settings of a body. A change of one sends that one alone; one that goes away gets its default. */
export interface BodySettings {
  /** How it moves. Default `dynamic`. */
  type?: RigidBodyTypeString | undefined;
  /** In m/s. Default 0. */
  linearVelocity?: Vector3Tuple | undefined;
  /** Radians per second about each axis. Default 0. */
  angularVelocity?: Vector3Tuple | undefined;
  /**
   * How the surface of a fixed or kinematic body moves while it stays, in its own space, in m/s: a conveyor belt. Default [0, 0, 0].
   */
  surfaceVelocity?: Vector3Tuple | undefined;
  /** Like `surfaceVelocity`, for a drum: radians per second about each axis of its own space. Default [0, 0, 0]. */
  surfaceAngularVelocity?: Vector3Tuple | undefined;
  /** From 0. Default 0. */
  linearDamping?: number | undefined;
  /** From 0. Default 0. */
  angularDamping?: number | undefined;
  /** A factor of the world's gravity. Default 1. */
  gravityScale?: number | undefined;
  /** −127 to 127. Default 0. */
  dominanceGroup?: number | undefined;
  /** Whether it cannot pass through others however fast it is. Default false. */
  ccd?: boolean | undefined;
  /** How far ahead it looks for contacts, from 0. Default 0. */
  softCcdPrediction?: number | undefined;
  /** 0 to 1000 in addition to those of the world. Default 0. */
  additionalSolverIterations?: number | undefined;
  /** Whether it turns about no axis. Default false. */
  lockRotations?: boolean | undefined;
  /** Whether it moves along no axis. Default false. */
  lockTranslations?: boolean | undefined;
  /** About which axes it may turn. Default: all. */
  enabledRotations?: Boolean3Tuple | undefined;
  /** Along which axes it may move. Default: all. */
  enabledTranslations?: Boolean3Tuple | undefined;
}

/** Props of a body, which are also those of its colliders where they have none. */
export interface RigidBodyOptions extends BodySettings, Omit<ColliderProps, 'ref'> {
  /** Whether it may fall asleep. Default true. Another value makes another body. */
  canSleep?: boolean | undefined;
  /** Which colliders it gets for the meshes in it. Default: that of `<Physics>`. Another value makes other colliders. */
  colliders?: RigidBodyAutoCollider | undefined;
  /** Whether invisible meshes get colliders, too. Default false. */
  includeInvisible?: boolean | undefined;
  /** Called when it falls asleep. Default: nothing is called. */
  onSleep?: SleepHandler | undefined;
  /** Called when it wakes. Default: nothing is called. */
  onWake?: SleepHandler | undefined;
  /** Kept on the page: of the object and of the body. Default: none. */
  userData?: Object3DProps['userData'];
}

/** Settings that a body and its colliders have. */
export type UseBodyOptions = Omit<RigidBodyOptions, 'shape'>;

/** Anchors relative to the bodies. */
export type SphericalJointParams = [body1Anchor: Vector3, body2Anchor: Vector3];
/** Anchors and frames relative to the bodies. */
export type FixedJointParams = [
  body1Anchor: Vector3,
  body1LocalFrame: Quaternion,
  body2Anchor: Vector3,
  body2LocalFrame: Quaternion,
];
/** Anchors and axis relative to the bodies, and how far they may move along it. */
export type PrismaticJointParams = [
  body1Anchor: Vector3,
  body2Anchor: Vector3,
  axis: Vector3,
  limits?: [min: number, max: number],
];
/** Anchors and axis relative to the bodies, and how far they may turn about it, in radians. */
export type RevoluteJointParams = [
  body1Anchor: Vector3,
  body2Anchor: Vector3,
  axis: Vector3,
  limits?: [min: number, max: number],
];
/** Anchors relative to the bodies, and how far they may be from each other. */
export type RopeJointParams = [body1Anchor: Vector3, body2Anchor: Vector3, length: number];
/** Anchors relative to the bodies, and the spring between them. */
export type SpringJointParams = [
  body1Anchor: Vector3,
  body2Anchor: Vector3,
  restLength: number,
  stiffness: number,
  damping: number,
];

/** A ref of a body. */
export type BodyRef = RefObject<RapierRigidBody | null> | RefObject<RapierRigidBody>;

/** Further options of a hook that makes a joint. They may change from render to render. */
export interface JointOptions {
  /**
   * The force in newtons at which the joint breaks, or the force and the torque in newton metres, from 0: see `setBreakForce`
   * of the joint. A broken joint stays broken. Default: what its description has, or Infinity, which is never.
   */
  readonly breakForce?: number | readonly [force: number, torque: number] | undefined;
}

/** A hook that makes a joint. */
export interface UseImpulseJoint<JointParams, JointType extends ImpulseJoint> {
  /** @returns A ref of the joint; undefined while one of the bodies is not there. */
  (
    body1: BodyRef,
    body2: BodyRef,
    params: JointParams,
    options?: JointOptions,
  ): RefObject<JointType | undefined>;
}

/** Props of `<Physics>`: those of `@react-three/rapier`, with its defaults, and those from `worker` on. */
export interface PhysicsProps {
  /** Bodies, and what else is in the scene. */
  children: ReactNode;
  /** In m/s². Default [0, -9.81, 0]. */
  gravity?: Vector3Tuple | undefined;
  /** How much things may overlap, in length units, from 0. Default 0.001. */
  allowedLinearError?: number | undefined;
  /** How far ahead contacts are found, in length units, from 0. Default 0.002. */
  predictionDistance?: number | undefined;
  /** 1 to 1000: more make joints and stacks stiffer, and take longer. Default 4. */
  numSolverIterations?: number | undefined;
  /** 1 to 1000. Default 1. */
  numInternalPgsIterations?: number | undefined;
  /** Any number, which is not used: the engine has no such setting any more. */
  minIslandSize?: number | undefined;
  /** Most substeps of CCD, 0 to 1000. Default 1. */
  maxCcdSubsteps?: number | undefined;
  /** How stiff contacts are, in Hz, greater than 0. Default 30. */
  contactNaturalFrequency?: number | undefined;
  /** Length of a typical thing, in the simulation's own unit. Default 1. */
  lengthUnit?: number | undefined;
  /** Which colliders bodies get for the meshes in them. Default `cuboid`. */
  colliders?: RigidBodyAutoCollider | undefined;
  /** Seconds of a tick. Default 1/60. A simulation in a worker has a fixed one: `'vary'` is warned of, and is 1/60. */
  timeStep?: number | 'vary' | undefined;
  /** Whether the simulation is paused. Default false. */
  paused?: boolean | undefined;
  /** Whether bodies are drawn between two ticks. Default true. */
  interpolate?: boolean | undefined;
  /** Any number: the priority of the `useFrame` callback that draws the bodies. Default −1: before those of components. */
  updatePriority?: number | undefined;
  /** Not used: the worker keeps its own time, whatever the page does. */
  updateLoop?: 'follow' | 'independent' | undefined;
  /** Whether colliders and joints are shown as lines. Default false. */
  debug?: boolean | undefined;
  /**
   * Creates a worker whose script calls `runWorld`: for systems, and for bundlers that do not find the script of the
   * library. Only the first one is used. Default: a worker with the script of the library.
   */
  worker?: CreateWorker | undefined;
  /**
   * Whether the page asks the engine: `world.castRay`, `body.mass()`, character controllers. `<Physics>` suspends until the page's
   * own engine has loaded; with false, nothing more is loaded, and it shows at once. Only the first value is used. Default true.
   */
  queries?: boolean | undefined;
  /** Most bodies at a time that move, 1 to 1,048,576. Only the first value is used. Default 8192. */
  capacity?: number | undefined;
  /** When handlers of events are called: when the display shows the tick, or as soon as the page has it. Default `shown`. */
  events?: 'shown' | 'now' | undefined;
  /**
   * A body that is set at most this far away is drawn as if it moved there, and one farther away jumps. From 0, in m or
   * the simulation's own unit. Only the first value is used. Default 0.5.
   */
  snapOver?: number | undefined;
  /** How states travel: only the first value is used. Default `auto`. `local` runs the engine on the page. */
  transport?: ConnectOptions['transport'] | undefined;
  /** How to recover when the worker fails: only the first value is used. Default `restart`. */
  recovery?: ConnectOptions['recovery'] | undefined;
  /** Whether page and worker draw what they do in the performance panel: only the first value is used. Default false. */
  devtools?: boolean | undefined;
  /** Seed of the random numbers of systems, 32 bits: only the first value is used. Default: another one each time. */
  seed?: number | undefined;
  /** Called when the worker runs, with the world and its handle: `save`, `openReplay`, `stats` … */
  onReady?: ((world: World, simulation: WorldHandle) => void) | undefined;
  /**
   * Called when the worker does not start, or fails for good. Default: the error is thrown, so that the nearest error
   * boundary shows it.
   */
  onFailure?: ((error: Error) => void) | undefined;
  /**
   * Called when the display shows that everything has come to rest, and again after something has moved. Bodies rest when
   * they sleep, and those that never do, when they do not move.
   */
  onSettled?: (() => void) | undefined;
}
