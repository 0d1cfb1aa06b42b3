/**
 * What was set of things and the engine cannot tell: a page that follows a jump of the run has to know it, also one that
 * has not made these things.
 */
import type { Json } from '../../shared/util/json.js';
import type { FieldTable, FieldsOf } from '../../shared/world/fields.js';
import type { GeometryNames } from '../../shared/world/geometry-names.js';
import { settingsIn, type SettingTable } from '../../shared/world/settings.js';
import { decodeFields, encodeFields } from '../../shared/world/batch-codec.js';

export class SetFields<T extends FieldTable> {
  readonly #table: T;
  readonly #names: readonly (keyof T & string)[];
  /** The last one that was set counts. */
  readonly #oneOf: readonly (keyof T & string)[];
  readonly #fields = new Map<number, FieldsOf<T>>();
  /** Most states are saved of the same fields as the one before. */
  #saved: [handle: number, words: number[]][] | undefined;

  /**
   * @param settings Of things of this kind: those that the engine cannot tell are kept.
   * @param further Fields that are kept, too.
   */
  constructor(table: T, settings: SettingTable, ...further: (keyof T & string)[]) {
    this.#table = table;
    const untold = settingsIn(settings).filter(({ get, set }) => !get && set);
    const [single, masses] = [false, true].map((isMass) =>
      untold.filter(({ row }) => (row.isMass ?? false) === isMass).map(({ name }) => name),
    ) as [string[], string[]];
    this.#names = [...further, ...single];
    this.#oneOf = masses;
  }

  note(handle: number, changed: FieldsOf<T>): void {
    const last = this.#oneOf.findLast((name) => changed[name] !== undefined);
    const names = this.#names.filter((name) => changed[name] !== undefined);
    if (last !== undefined) names.push(last);
    if (names.length === 0) return;
    const fields: FieldsOf<T> = { ...this.#fields.get(handle) } as FieldsOf<T>;
    if (last !== undefined) for (const name of this.#oneOf) delete fields[name];
    for (const name of names) fields[name] = changed[name];
    this.#fields.set(handle, fields);
    this.#saved = undefined;
  }

  of(handle: number): FieldsOf<T> {
    return this.#fields.get(handle) ?? ({} as FieldsOf<T>);
  }

  delete(handle: number): void {
    if (this.#fields.delete(handle)) this.#saved = undefined;
  }

  keepOnly(isThere: (handle: number) => boolean): void {
    for (const handle of this.#fields.keys()) if (!isThere(handle)) this.delete(handle);
  }

  save(geometry?: GeometryNames): Json {
    return (this.#saved ??= Array.from(this.#fields, ([handle, fields]) => {
      const bytes = encodeFields(this.#table, fields, (numbers) => geometry?.nameOf(numbers));
      return [handle, [...bytes]];
    }));
  }

  restore(saved: Json | undefined, geometry?: GeometryNames): void {
    this.#fields.clear();
    this.#saved = undefined;
    for (const [handle, words] of (saved ?? []) as [number, number[]][]) {
      try {
        this.#fields.set(handle, decodeFields(Uint8Array.from(words), this.#table, geometry));
      } catch (error) {
        // A state does not bring its assets. The engine has the shape; only pages that have not made it lack it.
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }
}
