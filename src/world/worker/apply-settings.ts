/** Settings of the engine's things, by the tables of `world-fields.ts`. */
import type { MassProperties } from '../shared/fields.js';
import {
  settingsIn,
  type Describers,
  type Getters,
  type Setting,
  type SettingTable,
  type Setters,
} from '../shared/settings.js';

/** The methods that a table names: the compiler says which of them a class of the engine lacks. */
type Methods<Names extends string> = { readonly [Name in Names]: (...args: never[]) => unknown };
type Fields = Readonly<Record<string, unknown>>;

/** Sets what a description is given. */
export function describeSettings<T extends SettingTable>(
  table: T,
  desc: Methods<Describers<T>>,
  fields: object,
): void {
  for (const { name, row, describe } of settingsIn(table)) {
    const value = (fields as Fields)[name];
    if (value === undefined || describe === undefined) continue;
    call(desc, describe, ...argumentsOf(row, value));
  }
}

/** Sets what has changed. @param wakeUp For methods that take whether they wake a body. */
export function applySettings<T extends SettingTable>(
  table: T,
  thing: Methods<Setters<T>>,
  fields: object,
  wakeUp: boolean,
): void {
  for (const { name, row, set } of settingsIn(table)) {
    const value = (fields as Fields)[name];
    if (value === undefined || set === undefined) continue;
    const args = argumentsOf(row, value);
    call(thing, set, ...(row.wakes ? [...args, wakeUp] : args));
  }
}

/** What the engine tells of a thing. */
export function readSettings<T extends SettingTable>(table: T, thing: Methods<Getters<T>>): object {
  const readable = settingsIn(table).filter(({ get }) => get !== undefined);
  return Object.fromEntries(readable.map(({ name, get = '' }) => [name, call(thing, get)]));
}

const call = (thing: object, method: string, ...args: unknown[]): unknown =>
  (thing as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);

function argumentsOf({ kind }: Setting['row'], value: unknown): readonly unknown[] {
  if (kind === 'flags') return value as readonly boolean[];
  if (kind !== 'mass') return [value];
  const { mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame } =
    value as MassProperties;
  return [mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame];
}
