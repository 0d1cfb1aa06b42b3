/** The tables of what can be set of a world and of each kind in it, named as in Rapier. The order is part of the format of recordings. */
import { type FieldsOf, kindsOf, settingsIn, type SettingTable } from './setting-types.js';

/** Without a translation. */
export const ORIGIN = { x: 0, y: 0, z: 0 } as const;
/** Without a rotation. */
export const UPRIGHT = { ...ORIGIN, w: 1 } as const;

/** Settings are properties of `integrationParameters`. */
export const WORLD = {
  gravity: 'vector',
  lengthUnit: { kind: 'float', default: 1, check: 'positive' },
  numSolverIterations: { kind: 'unsigned', default: 4, range: [1, 1000] },
  numInternalPgsIterations: { kind: 'unsigned', default: 1, range: [1, 1000] },
  maxCcdSubsteps: { kind: 'unsigned', default: 1, range: [0, 1000] },
  normalizedAllowedLinearError: { kind: 'float', default: 0.005, check: 'notNegative' },
  normalizedPredictionDistance: { kind: 'float', default: 0.02, check: 'notNegative' },
  contactNaturalFrequency: {
    kind: 'float',
    default: 30,
    check: 'positive',
    get: 'contact_natural_frequency',
  },
  /** A pose that is set farther away is drawn as a jump. */
  snapOver: 'float',
  /** Number of the batch, from 1: states have that of the last one that was applied. */
  batch: 'unsigned',
  /** Whether the page filters pairs, in its own thread. */
  pageFilters: 'flag',
} as const satisfies SettingTable;
export const WORLD_FIELDS = kindsOf(WORLD);
export type WorldFields = FieldsOf<typeof WORLD_FIELDS>;

/** In m or the simulation's own unit. */
export const DEFAULT_SNAP_OVER = 0.5;

/** Applied in this order: what is set comes before what is added to it. */
export const BODY = {
  bodyType: {
    kind: 'unsigned',
    default: 0,
    range: [0, 3],
    argument: 'type',
    describe: null,
    wakes: true,
  },
  enabled: { kind: 'flag', default: true, get: 'isEnabled' },
  translation: 'vector',
  rotation: 'rotation',
  linvel: 'vector',
  angvel: 'vector',
  gravityScale: { kind: 'float', default: 1, argument: 'factor', wakes: true },
  linearDamping: { kind: 'float', default: 0, argument: 'factor' },
  angularDamping: { kind: 'float', default: 0, argument: 'factor' },
  canSleep: { kind: 'flag', set: null },
  ccdEnabled: {
    kind: 'flag',
    default: false,
    get: 'isCcdEnabled',
    set: 'enableCcd',
    describe: 'setCcdEnabled',
  },
  softCcdPrediction: { kind: 'float', default: 0, check: 'notNegative', argument: 'distance' },
  dominanceGroup: { kind: 'signed', default: 0, range: [-127, 127], argument: 'group' },
  additionalSolverIterations: {
    kind: 'unsigned',
    default: 0,
    range: [0, 1000],
    argument: 'iterations',
  },
  enabledTranslations: { kind: 'flags', describe: 'enabledTranslations', wakes: true },
  enabledRotations: { kind: 'flags', describe: 'enabledRotations', wakes: true },
  additionalMass: {
    kind: 'float',
    check: 'notNegative',
    argument: 'mass',
    isMass: true,
    wakes: true,
  },
  additionalMassProperties: { kind: 'mass', isMass: true, wakes: true },
  recomputeMass: 'flag',
  /** Bits: 1 for forces, 2 for torques. */
  resets: 'unsigned',
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
  sleeping: { kind: 'flag', set: null },
  /** Whether the other changes wake it. */
  wakeUp: 'flag',
  surfaceVelocity: { kind: 'vector', default: ORIGIN },
  surfaceAngularVelocity: { kind: 'vector', default: ORIGIN },
} as const satisfies SettingTable;
export const BODY_FIELDS = kindsOf(BODY);
export type BodyFields = FieldsOf<typeof BODY_FIELDS>;

export const COLLIDER = {
  shape: 'shape',
  /** Read by itself: the engine's answer is that of its body, too. */
  enabled: { kind: 'flag' },
  /** Relative to its body, if it has one. */
  translation: 'vector',
  rotation: 'rotation',
  density: { kind: 'float', check: 'notNegative', isMass: true },
  mass: { kind: 'float', check: 'notNegative', isMass: true },
  massProperties: { kind: 'mass', isMass: true },
  friction: { kind: 'float', default: 0.5 },
  restitution: { kind: 'float', default: 0, check: 'notNegative' },
  frictionCombineRule: { kind: 'unsigned', default: 0, range: [0, 3], argument: 'rule' },
  restitutionCombineRule: { kind: 'unsigned', default: 0, range: [0, 3], argument: 'rule' },
  sensor: { kind: 'flag', default: false, get: 'isSensor' },
  collisionGroups: { kind: 'unsigned', default: 0xffff_ffff, argument: 'groups' },
  solverGroups: { kind: 'unsigned', default: 0xffff_ffff, argument: 'groups' },
  activeEvents: { kind: 'unsigned', default: 0, argument: 'events' },
  activeHooks: { kind: 'unsigned', default: 0, argument: 'hooks' },
  activeCollisionTypes: { kind: 'unsigned', default: 15, argument: 'types' },
  contactForceEventThreshold: { kind: 'float', default: 0, argument: 'threshold' },
  contactSkin: { kind: 'float', default: 0, check: 'notNegative', argument: 'thickness' },
  /** Axis and margin of a one-way collider; null: it holds from all sides. */
  oneWay: 'json',
} as const satisfies SettingTable;
export const COLLIDER_FIELDS = kindsOf(COLLIDER);
export type ColliderFields = FieldsOf<typeof COLLIDER_FIELDS>;
/** The fields that set its mass. */
export const COLLIDER_MASSES = settingsIn(COLLIDER).flatMap(({ name, row }) =>
  row.isMass === true ? [name as keyof ColliderFields] : [],
);

/** Limits and motor of each axis of a joint, by `JointAxis`: the settings of `AXIS`, in their order. */
const AXES = {
  linX: 'floats',
  linY: 'floats',
  linZ: 'floats',
  angX: 'floats',
  angY: 'floats',
  angZ: 'floats',
} as const;
export type AxisName = keyof typeof AXES;
export const AXIS_NAMES = Object.keys(AXES) as readonly AxisName[];

/** Descriptions of joints have no methods of these settings: they are made with all that they have. */
export const JOINT = {
  type: 'unsigned',
  anchor1: { kind: 'vector', default: ORIGIN },
  anchor2: { kind: 'vector', default: ORIGIN },
  frame1: { kind: 'rotation', default: UPRIGHT, get: 'frameX1', set: 'setFrameX1' },
  frame2: { kind: 'rotation', default: UPRIGHT, get: 'frameX2', set: 'setFrameX2' },
  /** The axis of both bodies, or of each. */
  axis: { kind: 'vector', check: 'direction', set: null },
  axis1: { kind: 'vector', check: 'direction', set: null },
  axis2: { kind: 'vector', check: 'direction', set: null },
  /** Bits of the axes that a generic joint holds. */
  axesMask: { kind: 'unsigned', range: [0, 63], set: null },
  /** Length of a rope, or of a spring at rest. */
  length: { kind: 'float', check: 'notNegative', set: null },
  stiffness: { kind: 'float', check: 'notNegative', set: null },
  damping: { kind: 'float', check: 'notNegative', set: null },
  ...AXES,
  contactsEnabled: { kind: 'flag', default: true },
  /** Whether it wakes its bodies when it is created. */
  wakeUp: 'flag',
  /** The force and the torque at which it breaks. */
  breakForce: 'floats',
} as const satisfies SettingTable;
export const JOINT_FIELDS = kindsOf(JOINT);
export type JointFields = FieldsOf<typeof JOINT_FIELDS>;

/** The settings of an axis of a joint: its limits, and its motor. A damping of −1 stands for a motor that has nothing to do. */
export const AXIS = {
  min: { kind: 'float', default: -Infinity },
  max: { kind: 'float', default: Infinity },
  model: { kind: 'unsigned', default: 0, range: [0, 1] },
  position: { kind: 'float', default: 0 },
  velocity: { kind: 'float', default: 0 },
  stiffness: { kind: 'float', default: 0, check: 'notNegative' },
  damping: { kind: 'float', default: -1, check: 'notNegative' },
  maxForce: { kind: 'float', default: Infinity, check: 'notNegative' },
} as const satisfies SettingTable;
export type AxisSettings = Record<keyof typeof AXIS, number>;

export const SYSTEM_FIELDS = { name: 'text', props: 'json' } as const;
export type SystemFields = FieldsOf<typeof SYSTEM_FIELDS>;

/** Angles that a slope can have, in radians. */
const SLOPE = [0, Math.PI / 2] as const;

export const CHARACTER = {
  up: { kind: 'vector', check: 'direction' },
  offset: { kind: 'float', check: 'positive' },
  normalNudgeFactor: { kind: 'float', check: 'notNegative', argument: 'factor' },
  slideEnabled: { kind: 'flag' },
  /** Greatest height, least width, whether onto dynamic bodies; none: it does not step up. */
  autostep: 'floats',
  /** Negative: it does not. */
  snapToGround: 'float',
  maxSlopeClimbAngle: { kind: 'float', range: SLOPE, argument: 'angle' },
  minSlopeSlideAngle: { kind: 'float', range: SLOPE, argument: 'angle' },
  applyImpulsesToDynamicBodies: { kind: 'flag' },
  /** Negative: none. */
  characterMass: 'float',
  /** One number, against up; none: that of the world. */
  gravity: 'floats',
  /** Holds until the next one. */
  velocity: 'vector',
  /** Once. */
  jump: 'float',
  /** The direction that is forward for the player's inputs. */
  forward: 'vector',
  /** Speed, speed of a jump, and which inputs; null: none. */
  inputs: 'json',
} as const satisfies SettingTable;
export const CHARACTER_FIELDS = kindsOf(CHARACTER);
export type CharacterFields = FieldsOf<typeof CHARACTER_FIELDS>;

export const VEHICLE_FIELDS = {
  indexUpAxis: 'unsigned',
  indexForwardAxis: 'unsigned',
  /** The numbers of all wheels: see `vehicle-wheels.ts`. */
  wheels: 'floats',
  /** Engine force, steering and brake of each wheel, which hold until the next ones. */
  controls: 'floats',
  /** The player's inputs, and what they do; null: none. */
  inputs: 'json',
  /** Rays of a vehicle that the page updates, as Rapier's controller: see {@link WheelRays}. Null: it is not updated. */
  rays: 'json',
} as const;
export type VehicleFields = FieldsOf<typeof VEHICLE_FIELDS>;

/** A filter for the rays of wheels, with Rapier's arguments. A type and not an interface, so that it counts as plain data. */
export type WheelRays = {
  /** 32 bits. Undefined: none. */
  readonly flags?: number;
  /** 32 bits. Undefined: all. */
  readonly groups?: number;
};

/** The kinds of things in a world, in the order in which what is new is made: each may name those before it. */
export const KINDS = {
  body: BODY_FIELDS,
  collider: COLLIDER_FIELDS,
  joint: JOINT_FIELDS,
  multibodyJoint: JOINT_FIELDS,
  system: SYSTEM_FIELDS,
  character: CHARACTER_FIELDS,
  vehicle: VEHICLE_FIELDS,
} as const;
export type Kind = keyof typeof KINDS;
export type KindFields<K extends Kind> = FieldsOf<(typeof KINDS)[K]>;
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** By names of fields: those that do not count when one is set. */
const REPLACED = new Map(
  [BODY, COLLIDER].flatMap((table) =>
    settingsIn(table).map(({ name, replaces }) => [name, replaces]),
  ),
);

/** Changes a field as the engine does: of those that set the mass, the last one counts. */
export function changeField<F extends object, Name extends keyof F & string>(
  fields: F,
  name: Name,
  value: F[Name],
): void {
  for (const other of REPLACED.get(name) ?? []) delete fields[other as keyof F];
  fields[name] = value;
}

export function changeFields<F extends object>(fields: F, change: F): void {
  for (const name in change) changeField(fields, name, change[name]);
}

/** The field `oneWay` of a collider that holds things from one side only: plain data. */
export type OneWayFields = {
  /** In the collider's own space, of any length but 0. */
  readonly axis: { readonly x: number; readonly y: number; readonly z: number };
  readonly margin: number;
};
