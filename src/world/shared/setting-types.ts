/**
 * Fields and settings. The settings of something are a record with optional fields: data, so that only differences are
 * sent, and both sides share one table per kind, in `setting-tables.ts`.
 *
 * A setting is a field that one method of Rapier sets: a row of the table. Handles, descriptions, what is sent, what the
 * worker applies and describes, and React's props follow from it.
 */
import type { Json } from '../../shared/util/json.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from './shape-data.js';

/** A mass with its distribution. */
export interface MassProperties {
  /** In kg. */
  readonly mass: number;
  readonly centerOfMass: Readonly<Vector>;
  /** In kg m², about the axes of the frame. */
  readonly principalAngularInertia: Readonly<Vector>;
  readonly angularInertiaLocalFrame: Readonly<Rotation>;
}

/** The type of a field of each kind. */
export interface FieldValues {
  float: number;
  unsigned: number;
  signed: number;
  flag: boolean;
  flags: readonly [boolean, boolean, boolean];
  vector: Readonly<Vector>;
  rotation: Readonly<Rotation>;
  floats: ArrayLike<number>;
  mass: MassProperties;
  shape: ShapeData;
  text: string;
  json: Json;
}

/** How a field is written. */
export type FieldKind = keyof FieldValues;
/** At most 32, because the mask has that many bits. */
export type FieldTable = Readonly<Record<string, FieldKind>>;

/** The fields of a table that have a value. */
export type FieldsOf<T extends FieldTable> = { -readonly [Name in keyof T]?: FieldValues[T[Name]] };

/** A row. Methods have Rapier's names: on the page as in the engine. */
export interface SettingRow {
  readonly kind: FieldKind;
  /** The value until it is set. Undefined: it is not read. */
  readonly default?: unknown;
  /** The condition on a number or a vector, apart from being finite. */
  readonly check?: 'notNegative' | 'positive' | 'direction';
  /** The least and the greatest number. Undefined: any. */
  readonly range?: readonly [number, number];
  /** The setting's name in errors of the method that sets it. Undefined: that of the field. */
  readonly argument?: string;
  /** The method that reads it. Undefined: the field's name. */
  readonly get?: string;
  /** The method that sets it. Undefined: `set` and the field's name. Null: only a description has one. */
  readonly set?: string | null;
  /** The method of a description. Undefined: `set` and the field's name. Null: a description has none. */
  readonly describe?: string | null;
  /** Whether the method also takes whether it wakes a body. */
  readonly wakes?: true;
  /** Whether it sets the mass: of all such settings, the last one counts. */
  readonly isMass?: true;
}

/** The fields of a kind of things, in the order of the format. A field that has only a kind is not a setting, and is handled separately. */
export type SettingTable = Readonly<Record<string, FieldKind | SettingRow>>;

/** A row with all that is left out in it. */
export interface Setting {
  readonly name: string;
  readonly row: SettingRow;
  readonly get: string | undefined;
  readonly set: string | undefined;
  readonly describe: string | undefined;
  /** Names of the fields that do not count when this one is set. */
  readonly replaces: readonly string[];
}

const known = new WeakMap<SettingTable, readonly Setting[]>();

export function settingsIn(table: SettingTable): readonly Setting[] {
  const settings = known.get(table) ?? readTable(table);
  known.set(table, settings);
  return settings;
}

function readTable(table: SettingTable): readonly Setting[] {
  const rows = Object.entries(table).filter(
    (entry): entry is [string, SettingRow] => typeof entry[1] === 'object',
  );
  const masses = rows.filter(([, { isMass }]) => isMass).map(([name]) => name);
  return rows.map(([name, row]) => {
    const usual = `set${name[0]?.toUpperCase()}${name.slice(1)}`;
    const { get = name, set = usual, describe = usual } = row;
    return {
      name,
      row,
      get: row.default === undefined ? undefined : get,
      set: set ?? undefined,
      describe: describe ?? undefined,
      replaces: row.isMass ? masses.filter((other) => other !== name) : [],
    };
  });
}

export const kindsOf = <const T extends SettingTable>(table: T): KindsOf<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, row]) => [name, typeof row === 'object' ? row.kind : row]),
  ) as KindsOf<T>;

export type KindsOf<T extends SettingTable> = {
  readonly [Name in keyof T]: T[Name] extends SettingRow ? T[Name]['kind'] : T[Name] & FieldKind;
};

type Own<Row, Column extends string, Usual> =
  Row extends Readonly<Record<Column, infer Name>> ? (Name extends string ? Name : never) : Usual;
type RowsOf<T extends SettingTable> = {
  [Name in keyof T as T[Name] extends SettingRow ? Name : never]: T[Name];
};
type NamesIn<Rows, Column extends string, Prefix extends 'set' | ''> = {
  [Name in keyof Rows & string]: Own<
    Rows[Name],
    Column,
    Prefix extends 'set' ? `set${Capitalize<Name>}` : Name
  >;
}[keyof Rows & string];

/** Names of the settings that are read. */
export type ReadSettings<T extends SettingTable> = {
  [Name in keyof T]: T[Name] extends Readonly<{ default: unknown }> ? Name : never;
}[keyof T] &
  string;
/** Names of the methods that read. */
export type Getters<T extends SettingTable> = NamesIn<Pick<T, ReadSettings<T>>, 'get', ''>;
/** Names of the methods that set. */
export type Setters<T extends SettingTable> = NamesIn<RowsOf<T>, 'set', 'set'>;
/** Names of the methods of descriptions. */
export type Describers<T extends SettingTable> = NamesIn<RowsOf<T>, 'describe', 'set'>;
