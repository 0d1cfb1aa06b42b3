/** Limits and motors of joints by axis: what the methods of handles and of descriptions do. */
import {
  AXIS,
  AXIS_NAMES,
  type AxisName,
  type AxisSettings,
  type JointFields,
} from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import { integer, settingValue } from './checked-values.js';
import type { JointAxis, MotorModel } from './constants.js';
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

/** The setting that each argument of a method is. */
const SETTERS = {
  setLimits: ['min', 'max'],
  configureMotorModel: ['model'],
  configureMotor: ['position', 'velocity', 'stiffness', 'damping'],
  configureMotorPosition: ['position', 'stiffness', 'damping'],
  // Keeps the position, as the engine does.
  configureMotorVelocity: ['velocity', 'damping'],
  setMotorMaxForce: ['maxForce'],
} as const;

/** Settings that further methods reset. */
const RESETS: { readonly [Name in AxisSetters]?: Partial<AxisSettings> } = {
  configureMotorPosition: { velocity: 0 },
  configureMotorVelocity: { stiffness: 0 },
};

const GETTERS = {
  limitsEnabled: ({ max }: AxisSettings) => max < Infinity,
  limitsMin: ({ min }: AxisSettings) => min,
  limitsMax: ({ max }: AxisSettings) => max,
  // As the engine: there is none until it is given something to do.
  motor: ({ min: _min, max: _max, ...motor }: AxisSettings): JointMotor | undefined =>
    motor.damping < 0 ? undefined : (motor as JointMotor),
};

/** Names of the methods that set by axis. */
export type AxisSetters = keyof typeof SETTERS;
/** Names of all methods by axis. */
export type AxisMethods = AxisSetters | keyof typeof GETTERS;

type Row = ArrayLike<number> | undefined;

/** With what the engine has where nothing was set. */
const settingsOf = (row: Row): AxisSettings =>
  Object.fromEntries(
    settingsIn(AXIS).map((setting, at) => [setting.name, row?.[at] ?? setting.row.default]),
  ) as AxisSettings;

/** The settings of an axis after a method has been called. @throws TypeError, RangeError for wrong arguments. */
export function rowAfter(row: Row, method: AxisSetters, ...args: unknown[]): readonly number[] {
  const settings = { ...settingsOf(row), ...RESETS[method] };
  for (const [at, name] of SETTERS[method].entries()) {
    settings[name] = settingValue(AXIS[name], name, [args[at]]) as number;
  }
  const { min, max } = settings;
  if (min > max) throw new RangeError(`min must be at most max, but they are ${min} and ${max}`);
  return Object.values(settings);
}

interface Target<T> {
  readonly fieldsOf: (of: T) => JointFields;
  /** Changes an axis of the object that is called. A method that sets returns its result. */
  readonly change: (of: T, name: AxisName, row: readonly number[]) => unknown;
  /** The only axis of an object, whose methods do not take it. */
  readonly only?: (of: T) => JointAxis | undefined;
}

/** Defines the methods that set limits and motors, and those that read them. */
export function defineAxisMethods<T extends object>(
  prototype: T,
  { fieldsOf, change, only }: Target<T>,
): void {
  for (const method of Object.keys({ ...SETTERS, ...GETTERS })) {
    defineMethods(prototype, {
      [method](this: T, ...args: unknown[]): unknown {
        const axis = only?.(this);
        const [given, ...rest] = axis === undefined ? args : [axis, ...args];
        const at = integer('axis', given as number, 0, AXIS_NAMES.length - 1);
        const name = AXIS_NAMES[at] as AxisName;
        const row = fieldsOf(this)[name];
        return method in GETTERS
          ? GETTERS[method as keyof typeof GETTERS](settingsOf(row))
          : change(this, name, rowAfter(row, method as AxisSetters, ...rest));
      },
    });
  }
}
