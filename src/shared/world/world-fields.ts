/** What can be set of a world and of what is in it, named as in Rapier. The order is part of the format of recordings. */
import type { FieldsOf } from './fields.js';

export const WORLD_FIELDS = {
  gravity: 'vector',
  lengthUnit: 'float',
  numSolverIterations: 'unsigned',
  numInternalPgsIterations: 'unsigned',
  minIslandSize: 'unsigned',
  maxCcdSubsteps: 'unsigned',
  normalizedAllowedLinearError: 'float',
  normalizedPredictionDistance: 'float',
  contactNaturalFrequency: 'float',
} as const;
export type WorldFields = FieldsOf<typeof WORLD_FIELDS>;

/** Applied in this order: what is set comes before what is added to it. */
export const BODY_FIELDS = {
  bodyType: 'unsigned',
  enabled: 'flag',
  translation: 'vector',
  rotation: 'rotation',
  linvel: 'vector',
  angvel: 'vector',
  gravityScale: 'float',
  linearDamping: 'float',
  angularDamping: 'float',
  canSleep: 'flag',
  ccdEnabled: 'flag',
  softCcdPrediction: 'float',
  dominanceGroup: 'signed',
  additionalSolverIterations: 'unsigned',
  enabledTranslations: 'flags',
  enabledRotations: 'flags',
  additionalMass: 'float',
  additionalMassProperties: 'mass',
  resetForces: 'flag',
  resetTorques: 'flag',
  force: 'vector',
  torque: 'vector',
  /** Force and point, six numbers each. */
  forcesAtPoints: 'floats',
  impulse: 'vector',
  torqueImpulse: 'vector',
  /** Impulse and point, six numbers each. */
  impulsesAtPoints: 'floats',
  nextTranslation: 'vector',
  nextRotation: 'rotation',
  /** Put to sleep, or woken. */
  sleeping: 'flag',
  /** Whether the other changes wake it. */
  wakeUp: 'flag',
} as const;
export type BodyFields = FieldsOf<typeof BODY_FIELDS>;

export const COLLIDER_FIELDS = {
  shape: 'shape',
  enabled: 'flag',
  /** Relative to its body, if it has one. */
  translation: 'vector',
  rotation: 'rotation',
  density: 'float',
  mass: 'float',
  massProperties: 'mass',
  friction: 'float',
  restitution: 'float',
  frictionCombineRule: 'unsigned',
  restitutionCombineRule: 'unsigned',
  sensor: 'flag',
  collisionGroups: 'unsigned',
  solverGroups: 'unsigned',
  activeEvents: 'unsigned',
  activeHooks: 'unsigned',
  activeCollisionTypes: 'unsigned',
  contactForceEventThreshold: 'float',
  contactSkin: 'float',
} as const;
export type ColliderFields = FieldsOf<typeof COLLIDER_FIELDS>;
