/**
 * What was set of things and the engine cannot tell: a page that follows a jump of the run has to know it, also one that
 * has not made these things.
 */
import { settingsIn, type SettingTable } from '../shared/settings.js';
import type { Change } from '../shared/world-batch.js';
import type { Kind, KindFields } from '../shared/world-fields.js';

export class SetFields<K extends Kind> {
  readonly #names: readonly string[];
  /** The last one that was set counts. */
  readonly #oneOf: readonly string[];
  readonly #fields = new Map<number, KindFields<K>>();

  /**
   * @param settings Of things of this kind: those that the engine cannot tell are kept.
   * @param further Fields that are kept, too.
   */
  constructor(settings: SettingTable, ...further: string[]) {
    const untold = settingsIn(settings).filter(({ get, set }) => !get && set);
    const [single, masses] = [false, true].map((isMass) =>
      untold.filter(({ row }) => (row.isMass ?? false) === isMass).map(({ name }) => name),
    ) as [string[], string[]];
    this.#names = [...further, ...single];
    this.#oneOf = masses;
  }

  note(handle: number, changed: KindFields<K>): void {
    const values = changed as Readonly<Record<string, unknown>>;
    const last = this.#oneOf.findLast((name) => values[name] !== undefined);
    const names = this.#names.filter((name) => values[name] !== undefined);
    if (last !== undefined) names.push(last);
    if (names.length === 0) return;
    const fields: Record<string, unknown> = { ...this.#fields.get(handle) };
    if (last !== undefined) for (const name of this.#oneOf) delete fields[name];
    for (const name of names) fields[name] = values[name];
    this.#fields.set(handle, fields as KindFields<K>);
  }

  of(handle: number): KindFields<K> {
    return this.#fields.get(handle) ?? ({} as KindFields<K>);
  }

  delete(handle: number): void {
    this.#fields.delete(handle);
  }

  keepOnly(isThere: (handle: number) => boolean): void {
    for (const handle of this.#fields.keys()) if (!isThere(handle)) this.delete(handle);
  }

  changes(): Change<K>[] {
    return Array.from(this.#fields, ([handle, fields]) => ({ handle, parts: undefined, fields }));
  }

  restore(changes: readonly Change<K>[]): void {
    this.#fields.clear();
    for (const { handle, fields } of changes) this.#fields.set(handle, fields);
  }
}
