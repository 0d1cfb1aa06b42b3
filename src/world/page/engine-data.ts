/**
 * Descriptions and shapes of Rapier's own classes, as far as they are read: applications that have imported Rapier keep
 * that import. Theirs may be another copy or version than ours, so that they are known by what they have.
 */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { settingsIn, type SettingTable } from '../shared/setting-types.js';
import { requireDesc, settingValue } from './checked-values.js';

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

/** A class of Rapier whose objects are taken as descriptions of this library. */
export interface EngineClass<Desc, Fields> {
  readonly className: string;
  /** A number that tells its objects. */
  readonly mark: string;
  /** Settings that it has under their names, or under those of the methods that read them. */
  readonly table: SettingTable;
  /** Checks of fields that are not settings. */
  readonly checks: {
    readonly [Name in keyof Fields]?: (name: string, value: never) => Fields[Name];
  };
  /** Fields that it has under other names. */
  readonly others: (desc: Desc) => Fields;
}

/**
 * @param name Of the description, for errors.
 * @throws TypeError if it is no object of the class, or RangeError for a value that is out of its range.
 */
export function fromEngine<Desc extends object, Fields extends object>(
  name: string,
  desc: Desc,
  { className, mark, table, checks, others }: EngineClass<Desc, Fields>,
): Fields {
  requireDesc(name, className, desc, hasNumber(desc, mark));
  const given = desc as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = {};
  for (const { name: field, row, get = field, describe } of settingsIn(table)) {
    const property = [field, get].find((key) => Object.hasOwn(desc, key));
    if (describe === undefined || property === undefined || row.isMass) continue;
    fields[field] = settingValue(row, field, [given[property]]);
  }
  for (const [field, check] of Object.entries(checks as Readonly<Record<string, Check>>)) {
    if (given[field] !== undefined) fields[field] = check(field, given[field] as never);
  }
  return Object.assign(fields as Fields, others(desc));
}

type Check = (name: string, value: never) => unknown;
