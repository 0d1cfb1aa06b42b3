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

/** A method that reads or changes the fields of a joint. One that sets gives the fields that it changes. */
type AxisMethod = (fields: JointFields, axis: JointAxis, args: readonly never[]) => unknown;

const limitsOf = (fields: JointFields, axis: JointAxis) => rowOf(fields.limits, LIMITS_ROW, axis);

/** With what the engine has where nothing was set. */
function motorOf({ motors }: JointFields, axis: JointAxis): JointMotor {
  const numbers = rowOf(motors, MOTOR_ROW, axis);
  const all = settingsIn(MOTOR).map(({ name, row }, at) => [name, numbers?.[at] ?? row.default]);
  return Object.fromEntries(all) as JointMotor;
}

const GETTERS = {
  limitsEnabled: (fields, axis) => limitsOf(fields, axis) !== undefined,
  limitsMin: (fields, axis) => limitsOf(fields, axis)?.[0] ?? Number.NEGATIVE_INFINITY,
  limitsMax: (fields, axis) => limitsOf(fields, axis)?.[1] ?? Number.POSITIVE_INFINITY,
  // As the engine: there is none until it is given something to do.
  motor: (fields, axis) => {
    const motor = motorOf(fields, axis);
    return motor.damping < 0 ? undefined : motor;
  },
} as const satisfies Readonly<Record<string, AxisMethod>>;

const configure =
  ({ takes, sets }: MotorMethod): AxisMethod =>
  (fields, axis, args) => {
    const motor: Motor = { ...motorOf(fields, axis), ...sets };
    for (const [index, [argument, name]] of Object.entries(takes).entries()) {
      motor[name] = settingValue(MOTOR[name], argument, [args[index]]) as number;
    }
    return { motors: withRow(fields.motors, [axis, ...Object.values(motor)]) };
  };

const SETTERS: Readonly<Record<string, AxisMethod>> = {
  setLimits: (fields, axis, [min, max]) => ({
    limits: withRow(fields.limits, [axis, ...limits(min as never, max as never)]),
  }),
  ...Object.fromEntries(
    Object.entries(MOTOR_METHODS).map(([name, method]) => [name, configure(method)]),
  ),
};

/** Names of the methods that set by axis. */
export type AxisSetters = 'setLimits' | keyof typeof MOTOR_METHODS;
/** Names of all methods by axis. */
export type AxisMethods = AxisSetters | keyof typeof GETTERS;

const NAMES = Object.keys(JointAxis);

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
  /** Whether the object has one axis, so that methods do not take it. Default: none has. */
  readonly hasOne?: (fields: JointFields) => boolean;
}

/** Defines the methods that set limits and motors. @param getters The methods that read them. */
export function defineAxisMethods<T extends object>(
  prototype: T,
  { fieldsOf, change, hasOne }: Target<T>,
  getters: Readonly<Record<string, AxisMethod>> = GETTERS,
): void {
  for (const [name, method] of Object.entries({ ...SETTERS, ...getters })) {
    defineMethods(prototype, {
      [name](this: T, ...args: never[]): unknown {
        const fields = fieldsOf(this);
        const [given, ...rest] = hasOne?.(fields) ? [freeAxes(fields)[0] as never, ...args] : args;
        const axis = integer('axis', given as never, 0, NAMES.length - 1) as JointAxis;
        if (name in getters) return method(fields, axis, rest);
        requireFree(fields, axis);
        return change(this, method(fields, axis, rest) as JointFields);
      },
    });
  }
}
