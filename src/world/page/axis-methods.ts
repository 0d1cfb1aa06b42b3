/** Limits and motors of joints by axis: what the methods of handles and of descriptions do. */
import { freeAxes, rowOf, withRow } from '../shared/axis-rows.js';
import {
  AXIS,
  AXIS_METHODS,
  type AxisSettings,
  type AxisMethod,
  type JointFields,
} from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import { integer, settingValue } from './checked-values.js';
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

/** With what the engine has where nothing was set. */
function axisOf({ axes }: JointFields, axis: JointAxis): AxisSettings {
  const numbers = rowOf(axes, axis);
  const all = settingsIn(AXIS).map(({ name, row }, at) => [name, numbers?.[at] ?? row.default]);
  return Object.fromEntries(all) as AxisSettings;
}

const GETTERS = {
  limitsEnabled: ({ max }: AxisSettings) => max < Infinity,
  limitsMin: ({ min }: AxisSettings) => min,
  limitsMax: ({ max }: AxisSettings) => max,
  // As the engine: there is none until it is given something to do.
  motor: ({ min: _min, max: _max, ...motor }: AxisSettings): JointMotor | undefined =>
    motor.damping < 0 ? undefined : (motor as JointMotor),
};

/** Names of the methods that set by axis. */
export type AxisSetters = keyof typeof AXIS_METHODS;
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

/** Whether any axis has a motor. */
export const hasMotor = (fields: JointFields): boolean =>
  freeAxes(fields).some((axis) => GETTERS.motor(axisOf(fields, axis as JointAxis)) !== undefined);

/** The rows of a joint after a method has set an axis. @throws TypeError, RangeError for wrong arguments. */
export function withAxis(
  fields: JointFields,
  axis: JointAxis,
  method: AxisSetters,
  args: readonly unknown[],
): readonly number[] {
  requireFree(fields, axis);
  const { takes, sets }: AxisMethod = AXIS_METHODS[method];
  const changed = { ...axisOf(fields, axis), ...sets };
  for (const [index, [argument, name]] of Object.entries(takes).entries()) {
    changed[name] = settingValue(AXIS[name], argument, [args[index]]) as number;
  }
  const { min, max } = changed;
  if (min > max) throw new RangeError(`min must be at most max, but they are ${min} and ${max}`);
  return withRow(fields.axes, [axis, ...Object.values(changed)]);
}

interface Target<T> {
  readonly fieldsOf: (of: T) => JointFields;
  /** Changes the rows of the object that is called. A method that sets returns its result. */
  readonly change: (of: T, axes: readonly number[]) => unknown;
  /** Whether the object has one axis, so that methods do not take it. Default: none has. */
  readonly hasOne?: (fields: JointFields) => boolean;
}

/** Defines the methods that set limits and motors. @param getters The methods that read them. */
export function defineAxisMethods<T extends object>(
  prototype: T,
  { fieldsOf, change, hasOne }: Target<T>,
  getters: Readonly<Record<string, (axis: AxisSettings) => unknown>> = GETTERS,
): void {
  for (const name of Object.keys({ ...AXIS_METHODS, ...getters })) {
    defineMethods(prototype, {
      [name](this: T, ...args: unknown[]): unknown {
        const fields = fieldsOf(this);
        const [given, ...rest] = hasOne?.(fields) ? [freeAxes(fields)[0], ...args] : args;
        const axis = integer('axis', given as number, 0, NAMES.length - 1) as JointAxis;
        return name in getters
          ? getters[name]?.(axisOf(fields, axis))
          : change(this, withAxis(fields, axis, name as AxisSetters, rest));
      },
    });
  }
}
