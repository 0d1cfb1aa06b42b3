/** The methods that follow from a table of settings: those of handles, and those of descriptions. */
import {
  settingsIn,
  type Describers,
  type Getters,
  type Setters,
  type Setting,
  type SettingTable,
} from '../shared/setting-types.js';
import { settingValue } from './checked-values.js';

/** The methods that {@link defineSettings} gives a class of handles: members of its interface. */
export type SettingMethods<
  Handle extends Record<Getters<T> | Setters<T>, unknown>,
  T extends SettingTable,
> = Pick<Handle, Getters<T> | Setters<T>>;

/**
 * Defines the methods of a class of handles that set and read. What they read are the handle's fields.
 *
 * @param write Sets a value that was checked. The method returns its result.
 */
export function defineSettings<
  T extends SettingTable,
  Handle extends Record<Getters<T> | Setters<T>, unknown>,
>(
  prototype: Handle,
  table: T,
  write: (handle: Handle, setting: Setting, value: unknown, wakeUp: boolean) => unknown,
): void {
  for (const setting of settingsIn(table)) {
    const { name, row, get, set } = setting;
    const { default: fallback, kind, argument = name } = row;
    const wakeUpAt = ARGUMENTS[kind] ?? 1;
    if (get !== undefined) {
      defineMethods(prototype, {
        [get](
          this: { readonly fields: Readonly<Record<string, unknown>> },
          target?: object,
        ): unknown {
          return copyOf(this.fields[name] ?? fallback, target);
        },
      });
    }
    if (set !== undefined) {
      defineMethods(prototype, {
        [set](this: Handle, ...args: unknown[]): unknown {
          return write(this, setting, settingValue(row, argument, args), args[wakeUpAt] as boolean);
        },
      });
    }
  }
}

/** Defines the methods of a class of descriptions. @param fieldsOf Gives what a description has, to be changed. */
export function defineDescription<
  T extends SettingTable,
  Desc extends Record<Describers<T>, unknown>,
>(prototype: Desc, table: T, fieldsOf: (desc: Desc) => object): void {
  for (const { name, row, describe, replaces } of settingsIn(table)) {
    if (describe === undefined) continue;
    defineMethods(prototype, {
      [describe](this: Desc, ...args: unknown[]): Desc {
        const fields = fieldsOf(this) as Record<string, unknown>;
        fields[name] = settingValue(row, name, args);
        for (const other of replaces) delete fields[other];
        return this;
      },
    });
  }
}

/** How many arguments a value of a kind is made of. */
const ARGUMENTS: Readonly<Partial<Record<string, number>>> = { flags: 3, mass: 4 };

const copyOf = (value: unknown, target: object | undefined): unknown =>
  typeof value === 'object' && value !== null ? Object.assign(target ?? {}, value) : value;

/** Defines methods as a class does: loops over an object do not see them. */
export function defineMethods(prototype: object, methods: object): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
