/** Two values for every prop of the components of `@react-three/rapier`. */
import type * as peer from '@react-three/rapier';
import { CoefficientCombineRule, interactionGroups } from '../../src/react/index.js';
import { ActiveCollisionTypes } from '../../src/world/page/index.js';

const { Max, Min } = CoefficientCombineRule;
const { DYNAMIC_DYNAMIC, DYNAMIC_FIXED } = ActiveCollisionTypes;

/** A value at mount, and another one. */
export type Values<T> = readonly [before: T, after: T];
/** The compiler says which one is missing. */
type ValuesOf<Props> = { readonly [Name in keyof Required<Props>]: Values<Props[Name]> };

/** Two arrays. */
const both = <T>(before: T, after: T): Values<T> => [before, after];
const massProperties = (mass: number): peer.RigidBodyProps['massProperties'] => ({
  mass,
  centerOfMass: { x: 0, y: -0.1, z: 0 },
  principalAngularInertia: { x: 1, y: 2, z: 3 },
  angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
});
/** A test has its own. */
const handler = [(): void => {}, (): void => {}] as const;

/** Groups of the ground, without 15. */
export const GROUND = interactionGroups([0, 1, 2, 3, 4]);

export const OF_COLLIDER: ValuesOf<Omit<peer.ColliderProps, 'ref' | 'children'>> = {
  name: ['one', 'two'],
  shape: ['ball', 'cuboid'],
  args: both([0.5, 0.25, 0.5], [0.6, 0.25, 0.5]),
  principalAngularInertia: both([1, 2, 3], [3, 2, 1]),
  restitution: [0.5, 0.25],
  restitutionCombineRule: [Max, Min] as never,
  friction: [0.1, 0.9],
  frictionCombineRule: [Max, Min] as never,
  position: both([0.1, 1, 0], [0.2, 1.5, 0]),
  rotation: both([0, 0.5, 0], [0, 1, 0]),
  quaternion: both([0, 0.6, 0, 0.8], [0, 0.8, 0, 0.6]),
  scale: [2, 1.5],
  onCollisionEnter: handler,
  onCollisionExit: handler,
  onIntersectionEnter: handler,
  onIntersectionExit: handler,
  onContactForce: handler,
  collisionGroups: [interactionGroups(1), interactionGroups(2, 15)],
  solverGroups: [interactionGroups(2, 15), interactionGroups(1)],
  activeCollisionTypes: [DYNAMIC_FIXED, DYNAMIC_DYNAMIC] as never,
  density: [3, 0.5],
  mass: [5, 7],
  massProperties: [massProperties(3), massProperties(1)],
  contactSkin: [0.1, 0.2],
  sensor: [true, false],
};

export const OF_BODY: ValuesOf<
  Omit<
    peer.RigidBodyProps & peer.InstancedRigidBodiesProps,
    'ref' | 'children' | 'instances' | 'colliderNodes'
  >
> = {
  ...OF_COLLIDER,
  type: ['kinematicPosition', 'dynamic'],
  canSleep: [false, true],
  linearDamping: [2, 0.5],
  angularDamping: [2, 0.5],
  linearVelocity: both([1, 0, 0], [0, 0, 2]),
  angularVelocity: both([0, 1, 0], [0, 2, 0]),
  gravityScale: [0.5, 0],
  dominanceGroup: [3, -4],
  ccd: [true, false],
  softCcdPrediction: [0.5, 0.25],
  colliders: ['ball', 'hull'],
  additionalSolverIterations: [3, 1],
  onSleep: handler,
  onWake: handler,
  lockRotations: [true, false],
  lockTranslations: [true, false],
  enabledRotations: both([false, true, false], [true, true, true]),
  enabledTranslations: both([true, true, false], [true, true, true]),
  userData: [{ more: 1 }, { more: 2 }],
  includeInvisible: [true, false],
  transformState: [(state) => state, (state) => state],
};

/** How a prop changes the world. Others have their own tests. */
export const OF_PHYSICS: ValuesOf<
  Omit<
    peer.PhysicsProps,
    'children' | 'debug' | 'interpolate' | 'paused' | 'updateLoop' | 'updatePriority'
  >
> = {
  gravity: both([0, -5, 0], [0, 3, 0]),
  allowedLinearError: [0.01, 0.002],
  numSolverIterations: [1, 8],
  numInternalPgsIterations: [3, 2],
  predictionDistance: [0.01, 0.1],
  minIslandSize: [1, 256],
  maxCcdSubsteps: [4, 2],
  contactNaturalFrequency: [10, 60],
  lengthUnit: [2, 0.5],
  colliders: ['ball', 'hull'],
  timeStep: [1 / 30, 1 / 120],
};
