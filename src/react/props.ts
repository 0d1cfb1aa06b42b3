/** Props of bodies and colliders: which set something and by which method, and which go to the object of three.js. */
import type { Vector } from '../shared/util/vectors.js';
import { flag, isSame, isSameSetting } from '../world/page/checked-values.js';
import { type ReadSettings, settingsIn, type SettingTable } from '../world/shared/setting-types.js';
import { BODY, COLLIDER, COLLIDER_MASSES } from '../world/shared/setting-tables.js';
import { type Collider, type RigidBody, RigidBodyType } from '../world/page/index.js';
import { requireList } from '../shared/util/validate.js';
import { named } from './errors.js';
import { isSameKey } from './leases.js';
import type {
  BodySettings,
  Boolean3Tuple,
  ColliderSettings,
  RigidBodyTypeString,
  Vector3Tuple,
} from './types.js';

/** A prop that sets something. */
interface PropSetting<T, V> {
  /** Without the prop. Null: another prop says it. Undefined: it is left as it is. */
  readonly default: V | null;
  /** @param props All of them. */
  readonly set: (
    target: T,
    value: Exclude<V, undefined>,
    props: BodySettings & MassSettings,
  ) => void;
}

type SettingsOf<T, Props> = {
  readonly [Name in keyof Props]-?: PropSetting<T, Props[Name]>;
};

export const BODY_TYPES: Readonly<Record<RigidBodyTypeString, RigidBodyType>> = {
  fixed: RigidBodyType.Fixed,
  dynamic: RigidBodyType.Dynamic,
  kinematicPosition: RigidBodyType.KinematicPositionBased,
  kinematicVelocity: RigidBodyType.KinematicVelocityBased,
};

/** Dynamic for another name, as in `@react-three/rapier`. */
export const bodyType = (type: RigidBodyTypeString = 'dynamic'): RigidBodyType =>
  (BODY_TYPES as Partial<typeof BODY_TYPES>)[type] ?? RigidBodyType.Dynamic;

const AT_REST: Vector3Tuple = [0, 0, 0];
const ALL_AXES: Boolean3Tuple = [true, true, true];
const NO_AXES: Boolean3Tuple = [false, false, false];

/**
 * The settings that have the same names in the world's table. A vector is a list of three numbers in a prop.
 *
 * @typeParam Props Each of them needs a type there.
 */
const tableOf =
  <Props>() =>
  /** @param without Settings without a prop, or with one of another name. */
  <T extends SettingTable, Without extends ReadSettings<T>>(
    table: Exclude<ReadSettings<T>, Without> extends keyof Props ? T : never,
    ...without: readonly Without[]
  ): SettingsOf<object, Pick<Props, Exclude<ReadSettings<T>, Without> & keyof Props>> => {
    const names: readonly string[] = without;
    const settings = settingsIn(table).filter(({ name, get }) => get && !names.includes(name));
    return Object.fromEntries(
      settings.map(({ name, row: { kind, default: fallback }, set = '' }) => {
        const isVector = kind === 'vector';
        return [
          name,
          {
            default: isVector ? AT_REST : fallback,
            set: (target: Readonly<Record<string, (...args: unknown[]) => void>>, value: unknown) =>
              target[set]?.(isVector ? tripleOf('it', value as Vector3Tuple) : value, true),
          },
        ];
      }),
    ) as never;
  };

export const BODY_SETTINGS: SettingsOf<RigidBody, BodySettings> = {
  // First, because only what is dynamic or moved by its velocity has one.
  type: { default: 'dynamic', set: (body, type) => body.setBodyType(bodyType(type), true) },
  // A velocity that goes away is no reason to stop.
  linearVelocity: {
    default: undefined,
    set: (body, velocity) => body.setLinvel(tripleOf('it', velocity), true),
  },
  angularVelocity: {
    default: undefined,
    set: (body, velocity) => body.setAngvel(tripleOf('it', velocity), true),
  },
  ...tableOf<BodySettings>()(BODY, 'bodyType', 'enabled', 'ccdEnabled'),
  gravityScale: {
    default: 1,
    set(body, factor) {
      // Set again after a jump, it wakes nothing.
      if (isSameSetting(body.gravityScale(), factor)) return;
      body.setGravityScale(factor, true);
      // The engine wakes it for a moment, in which it does not move.
      body.wakeUp();
    },
  },
  ccd: { default: false, set: (body, enabled) => body.enableCcd(enabled) },
  enabledRotations: { default: ALL_AXES, set: setRotations },
  enabledTranslations: { default: ALL_AXES, set: setTranslations },
  lockRotations: { default: false, set: setRotations },
  lockTranslations: { default: false, set: setTranslations },
};

/** The engine has one setting for both: what is unlocked has its enabled axes. */
function setRotations(body: RigidBody, _: unknown, props: BodySettings): void {
  body.setEnabledRotations(...axesOf(props.lockRotations, props.enabledRotations), true);
}

function setTranslations(body: RigidBody, _: unknown, props: BodySettings): void {
  body.setEnabledTranslations(...axesOf(props.lockTranslations, props.enabledTranslations), true);
}

function axesOf(locked = false, enabled = ALL_AXES): Boolean3Tuple {
  requireList('it', enabled);
  // Exactly three, whatever JavaScript gives.
  const [x, y, z] = flag(locked) ? NO_AXES : enabled;
  return [x, y, z];
}

/**
 * The applied props that a body still has. A body that is fixed or moved by its positions ignores a velocity: it is set
 * when the body can have one.
 */
export function appliedTo(before: BodySettings, props: BodySettings): BodySettings {
  if (hasVelocity(before) || !hasVelocity(props)) return before;
  return { ...before, linearVelocity: undefined, angularVelocity: undefined };
}

/** Whether it moves by itself. */
export function hasVelocity(props: BodySettings): boolean {
  const type = bodyType(props.type);
  return type === RigidBodyType.Dynamic || type === RigidBodyType.KinematicVelocityBased;
}

type MassSettings = Pick<ColliderSettings, 'density' | 'mass' | 'massProperties'>;

export const COLLIDER_SETTINGS: SettingsOf<Collider, ColliderSettings> = {
  ...tableOf<ColliderSettings>()(COLLIDER, 'activeEvents', 'activeHooks'),
  oneWay: { default: null, set: (collider, oneWay) => collider.setOneWay(oneWay) },
  density: { default: 1, set: setMass },
  mass: { default: null, set: setMass },
  massProperties: { default: null, set: setMass },
};

/** @throws Error if there is more than one of them. */
function setMass(collider: Collider, _: unknown, props: MassSettings): void {
  const { density, mass, massProperties } = props;
  const given = [density, mass, massProperties].filter((value) => value !== undefined);
  if (given.length > 1) throw new Error('give it only one of density, mass and massProperties');
  if (mass !== undefined) collider.setMass(mass);
  else if (massProperties !== undefined) {
    collider.setMassProperties(
      massProperties.mass,
      massProperties.centerOfMass,
      massProperties.principalAngularInertia,
      massProperties.angularInertiaLocalFrame,
    );
  } else collider.setDensity(density ?? 1);
}

/**
 * The settings of a collider, and those of its body where it has none. Where it has one of the three for its mass, none of its body
 * counts, and `mass` of a body never does.
 */
export function settingsOfCollider(own: ColliderSettings, ofBody: ColliderSettings): Values {
  const masses: readonly string[] = COLLIDER_MASSES;
  const hasMass = masses.some((name) => (own as Values)[name] !== undefined);
  return Object.fromEntries(
    Object.keys(COLLIDER_SETTINGS).map((name) => {
      const isOwn = name === 'mass' || (hasMass && masses.includes(name));
      return [name, (own as Values)[name] ?? (isOwn ? undefined : (ofBody as Values)[name])];
    }),
  );
}

/** @throws TypeError unless it is a list of three: vectors of three.js are, too. */
export function tripleOf(name: string, value: Iterable<number>): Vector {
  if (!isList(value)) requireList(name, value);
  const [x, y, z] = value;
  return { x, y, z } as Vector;
}

type Values = Readonly<Record<string, unknown>>;

/** Names components for messages. */
export interface ComponentNames {
  /** @returns The component that has the prop, such as `<RigidBody>`. */
  componentOf(prop: string): string;
}

const UNKNOWN = Symbol('unknown');

/** The applied props after a jump of the run: whatever was ever given may differ in the new state. */
export const unknown = (given: object): object =>
  Object.fromEntries(Object.keys(given).map((name) => [name, UNKNOWN]));

/**
 * Sets what differs from what was set before.
 *
 * @param before The props that were applied last; none for something new.
 * @throws TypeError, RangeError naming the prop and what has it.
 */
export function applySettings<T>(
  settings: SettingsOf<T, object>,
  target: T,
  props: object,
  before: object,
  names: ComponentNames,
): void {
  for (const name in settings) {
    const { default: fallback, set } = (settings as Record<string, PropSetting<T, unknown>>)[
      name
    ] as PropSetting<T, unknown>;
    const value = (props as Values)[name] ?? fallback;
    const old = (before as Values)[name] ?? fallback;
    if (value === undefined || isSame(value, old)) continue;
    // Settings without a default are velocities, which belong to the state.
    if (fallback === undefined && old === UNKNOWN) continue;
    try {
      set(target, value, props);
    } catch (error) {
      throw named(error, `${name} of ${names.componentOf(name)}`, { [name]: value });
    }
  }
}

/** Whether two values of a prop are equal. Vectors of three.js are lists of numbers, too. */
function isEqual(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || (isList(a) && isList(b) && isSameKey([...a], [...b]));
}

const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Whether two objects have equal values under the same names: arrays by their items, others by identity. */
export function isSameProps(a: object, b: object): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        name in b &&
        isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
    )
  );
}

/** Handlers of collisions: of bodies and of colliders. */
export const HANDLER_NAMES = [
  'onCollisionEnter',
  'onCollisionExit',
  'onIntersectionEnter',
  'onIntersectionExit',
  'onContactForce',
] as const;

/** Props of a body and its colliders that do not go to the object. */
export const OWN_PROPS: ReadonlySet<string> = new Set<string>([
  ...Object.keys(BODY_SETTINGS),
  ...Object.keys(COLLIDER_SETTINGS),
  'principalAngularInertia',
  'canSleep',
  'colliders',
  'includeInvisible',
  'ignores',
  'shape',
  'args',
  ...HANDLER_NAMES,
  'onSleep',
  'onWake',
  'transformState',
  'children',
  'ref',
]);

/** Leaves out names without a value: fiber and options take undefined for a value. */
export const withoutUndefined = <T extends object>(
  props: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as never;

/** The props of the object itself. */
export function objectProps(props: object): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name in props) {
    const value = (props as Record<string, unknown>)[name];
    // Fiber leaves the last value for one that is undefined, and sets the default for one that is missing.
    if (!OWN_PROPS.has(name) && value !== undefined) rest[name] = value;
  }
  return rest;
}
