/** Limits and motors of joints by axis: what the methods of handles and of descriptions do. */
import { freeAxes, LIMITS_ROW, MOTOR_ROW, rowOf, withRow } from '../shared/axis-rows.js';
import {
  MOTOR,
  MOTOR_METHODS,
  type JointFields,
  type Motor,
  type MotorMethod,
} from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import { integer, limits, settingValue } from './checked-values.js';
import { JointAxis, JointType, type MotorModel } from './constants.js';
import { defineMethods } from './setting-methods.js';

/** The motor of an axis of a joint, as it was configured. */
export interface JointMotor {
  /** The meaning of its stiffness and damping. */
  readonly model: MotorModel;
  /** Where it drives to, in m or radians. */
  readonly position: number;
  /** How fast it drives, in m or radians per second. */
  readonly velocity: number;
  /** How strongly it drives to its position, from 0. */
  readonly stiffness: number;
  /** How strongly it drives at its velocity, from 0. */
  readonly damping: number;
  /** The most that it uses, in newtons or newton metres. Infinity until it is set. */
  readonly maxForce: number;
}

type AxisSetter = (fields: JointFields, axis: JointAxis, args: readonly never[]) => JointFields;
type AxisGetter = (fields: JointFields, axis: JointAxis) => unknown;

const limitsOf = (fields: JointFields, axis: JointAxis) => rowOf(fields.limits, LIMITS_ROW, axis);

const GETTERS = {
  limitsEnabled: (fields, axis) => limitsOf(fields, axis) !== undefined,
  limitsMin: (fields, axis) => limitsOf(fields, axis)?.[0] ?? Number.NEGATIVE_INFINITY,
  limitsMax: (fields, axis) => limitsOf(fields, axis)?.[1] ?? Number.POSITIVE_INFINITY,
  motor: ({ motors }, axis) => motorOf(rowOf(motors, MOTOR_ROW, axis)),
} as const satisfies Readonly<Record<string, AxisGetter>>;

/** As the engine: there is none until it is given something to do. */
function motorOf(row: readonly number[] | undefined): JointMotor | undefined {
  const set = settingsIn(MOTOR).map(({ name }, index) => [name, row?.[index] ?? -1] as const);
  const motor = Object.fromEntries(set) as Record<keyof Motor, number>;
  if (motor.damping < 0) return undefined;
  const { model, maxForce } = motor;
  return {
    ...motor,
    model: Math.max(0, model) as MotorModel,
    maxForce: maxForce < 0 ? Number.POSITIVE_INFINITY : maxForce,
  };
}

const configure =
  ({ takes, sets }: MotorMethod): AxisSetter =>
  ({ motors }, axis, args) => {
    const changed: Motor = { ...sets };
    for (const [index, [argument, name]] of Object.entries(takes).entries()) {
      changed[name] = settingValue(MOTOR[name], argument, [args[index]]) as number;
    }
    const before = rowOf(motors, MOTOR_ROW, axis) ?? [];
    const row = settingsIn(MOTOR).map(
      ({ name, row: { standard } }, index) =>
        changed[name as keyof Motor] ?? before[index] ?? (standard as number),
    );
    return { motors: withRow(motors, [axis, ...row]) };
  };

/** Each gives the fields that it changes. */
const SETTERS: Readonly<Record<string, AxisSetter>> = {
  setLimits: (fields, axis, [min, max]) => ({
    limits: withRow(fields.limits, [axis, ...limits(min as never, max as never)]),
  }),
  ...Object.fromEntries(
    Object.entries<MotorMethod>(MOTOR_METHODS).map(([name, method]) => [name, configure(method)]),
  ),
};

/** Names of the methods that set by axis. */
export type AxisSetters = 'setLimits' | keyof typeof MOTOR_METHODS;
/** Names of all methods by axis. */
export type AxisMethods = AxisSetters | keyof typeof GETTERS;

const NAMES = Object.keys(JointAxis);
const axisOf = (axis: number): JointAxis => integer('axis', axis, 0, NAMES.length - 1) as JointAxis;

/** @throws RangeError for an axis that the joint holds: the engine ignores what is set there. */
function requireFree(fields: JointFields, axis: JointAxis): void {
  const free = freeAxes(fields);
  if (free.includes(axis)) return;
  const type = Object.keys(JointType)[fields.type ?? 0]?.toLowerCase();
  const others = free.map((one) => NAMES[one]).join(', ') || 'none';
  throw new RangeError(
    `axis must be one that the joint leaves free, but is ${NAMES[axis]}: for a ${type} joint of this kind, ` +
      `these are ${others}`,
  );
}

interface Target<T> {
  readonly fieldsOf: (of: T) => JointFields;
  /** Changes fields of the object that is called. A method that sets returns its result. */
  readonly change: (of: T, changed: JointFields) => unknown;
  /** Whether the object has one axis, so that methods do not take it. Default false. */
  readonly hasOne?: boolean;
}

/** Defines the methods that set limits and motors. */
export function defineAxisSetters<T extends object>(prototype: T, target: Target<T>): void {
  const { fieldsOf, change, hasOne = false } = target;
  for (const [name, set] of Object.entries(SETTERS)) {
    defineMethods(prototype, {
      [name](this: T, ...args: never[]): unknown {
        const fields = fieldsOf(this);
        const [axis, ...rest] = hasOne ? [freeAxes(fields)[0], ...args] : args;
        const checked = axisOf(axis as number);
        requireFree(fields, checked);
        return change(this, set(fields, checked, rest as never[]));
      },
    });
  }
}

/** Defines the methods that read and set limits and motors. */
export function defineAxisMethods<T extends object>(prototype: T, target: Target<T>): void {
  const { fieldsOf, hasOne = false } = target;
  defineAxisSetters(prototype, target);
  for (const [name, get] of Object.entries<AxisGetter>(GETTERS)) {
    defineMethods(prototype, {
      [name](this: T, axis: number): unknown {
        const fields = fieldsOf(this);
        return get(fields, axisOf(hasOne ? (freeAxes(fields)[0] as number) : axis));
      },
    });
  }
}
