/**
 * Limits and motors of impulse joints by axis, for joints of any type: the engine's raw set of joints has them, and its
 * classes have them for some types. No other file calls that set, which Rapier does not document: `joint-memory.ts` takes its
 * address alone.
 */
import { engineNameOf } from './rapier-builds.js';

/** The methods of the raw set that are used. */
const METHODS = [
  'jointLimitsEnabled',
  'jointLimitsMin',
  'jointLimitsMax',
  'jointSetLimits',
  'jointConfigureMotorModel',
  'jointConfigureMotor',
  'jointSetMotorMaxForce',
] as const;

/** Each takes the engine's number of a joint, an axis from 0 to 5, and the arguments of Rapier's method. */
export type JointAxes = Readonly<
  Record<Exclude<(typeof METHODS)[number], 'jointLimitsEnabled'>, AxisMethod<number>> &
    Record<'jointLimitsEnabled', AxisMethod<boolean>>
>;
type AxisMethod<T> = (joint: number, axis: number, ...numbers: number[]) => T;

/** @throws Error if the engine has not all of the methods, with the names of the engine and of the method. */
export function jointAxesOf(world: { readonly impulseJoints: object }): JointAxes {
  const { raw } = world.impulseJoints as { readonly raw?: Partial<JointAxes> };
  const missing = METHODS.find((name) => typeof raw?.[name] !== 'function');
  if (missing === undefined) return raw as JointAxes;
  throw new Error(
    `the engine ${engineNameOf(world)} has no ${missing}, which sets or reads limits and motors of joints: install ` +
      'a version of Rapier that this library was tested with, 0.20 or 0.21',
  );
}
