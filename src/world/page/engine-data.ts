/**
 * Descriptions and shapes of Rapier's own classes, as far as they are read: applications that have imported Rapier keep
 * that import. Theirs may be another copy or version than ours, so that they are known by what they have.
 */
import type { Rotation, Vector } from '../../shared/util/vectors.js';

/** A `RigidBodyDesc` of Rapier, which has its settings under their names. */
export type EngineBodyDesc = Readonly<Record<'status' | 'mass', number>> &
  Readonly<
    Record<
      | 'massOnly'
      | 'translationsEnabledX'
      | 'translationsEnabledY'
      | 'translationsEnabledZ'
      | 'rotationsEnabledX'
      | 'rotationsEnabledY'
      | 'rotationsEnabledZ',
      boolean
    >
  > &
  Readonly<
    Record<
      'translation' | 'linvel' | 'angvel' | 'centerOfMass' | 'principalAngularInertia',
      Readonly<Vector>
    >
  > &
  Readonly<Record<'rotation' | 'angularInertiaLocalFrame', Readonly<Rotation>>> &
  Readonly<Partial<Record<'userData', unknown>>>;

/** A `ColliderDesc` of Rapier. Its mode of mass says what counts: 0 the density, 1 the mass, 2 the mass and its properties. */
export type EngineColliderDesc = Readonly<Record<'shape', EngineShape>> &
  Readonly<Record<'translation' | 'centerOfMass' | 'principalAngularInertia', Readonly<Vector>>> &
  Readonly<Record<'rotation' | 'angularInertiaLocalFrame', Readonly<Rotation>>> &
  Readonly<Record<'massPropsMode' | 'density' | 'mass', number>>;

/** A `JointData` of Rapier. The rest of it depends on the type. */
export type EngineJointData = Readonly<Record<'jointType', number>> &
  Readonly<Record<'anchor1' | 'anchor2', Readonly<Vector>>> &
  Readonly<Record<'limitsEnabled', boolean>> &
  Readonly<Record<'limits', readonly number[]>>;

/** A shape of Rapier, such as a `Ball`. The rest of it depends on the type. */
export type EngineShape = Readonly<Record<'type', number>> &
  Readonly<Record<'intoRaw', () => unknown>>;

/** Whether an object has a number with a name. */
export const hasNumber = <Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, number>> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Record<string, unknown>)[name] === 'number';
