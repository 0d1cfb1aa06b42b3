/**
 * The contents of a world of one kind, and the two lists that kinds are made of: objects of the engine by the page's handles, and
 * fields that the engine cannot tell. Handles, not the engine's numbers, are in commands and recordings: the page gives them
 * before the engine knows of anything.
 */
import type { Json } from '../../shared/util/json.js';
import { settingsIn, type SettingTable } from '../shared/setting-types.js';
import type { Change } from '../shared/world-batch.js';
import { changeFields, type Kind, type KindFields } from '../shared/setting-tables.js';

export interface KindContents<K extends Kind> {
  /** Removes what has this handle; nothing if it was removed before. */
  remove(handle: number): void;
  /** Forgets what the engine has removed together with something else. */
  forgetGone(): void;
  /**
   * Makes or changes something. Names of items that are gone are ignored: they were removed since, or with their body.
   *
   * @throws RangeError if the engine cannot make it.
   */
  apply(change: Change<K>): void;
  /**
   * The contents as changes that would make them again, as far as the engine can tell.
   *
   * @param known Handles that need no shape: the page has it.
   */
  describe(known: ReadonlySet<number>): Change<K>[];
  /** Changes with what the engine cannot tell, for a saved state. Default: what `describe` returns. */
  unreported?(): Change<K>[];
  /** The part of a saved state that is neither in these changes nor in the engine's world, such as the engine's number of each handle. */
  save(): Json;
  /**
   * The engine has the saved world already.
   *
   * @param changes What `unreported` returned.
   * @throws RangeError if it is not what `save` returned.
   */
  restore(changes: readonly Change<K>[], saved: Json): void;
}

interface EngineObject {
  /** The engine's number. */
  readonly handle: number;
  isValid(): boolean;
}

export class EngineObjects<T extends EngineObject> implements Iterable<[number, T]> {
  readonly #objects = new Map<number, T>();
  /** The page's handles by the engine's numbers. */
  readonly #handles = new Map<number, number>();
  /** Most states are saved of the same objects as the one before. */
  #saved: number[][] | undefined;

  /** Undefined also if the engine has removed it. */
  get(handle: number): T | undefined {
    const object = this.#objects.get(handle);
    return object?.isValid() === true ? object : undefined;
  }

  /** As {@link get}, within the engine's step, which may not be asked. */
  known(handle: number): T | undefined {
    return this.#objects.get(handle);
  }

  /** The page's handle. */
  handleOf(object: Pick<EngineObject, 'handle'>): number | undefined {
    return this.handleOfNumber(object.handle);
  }

  handleOfNumber(number: number | undefined): number | undefined {
    return number === undefined ? undefined : this.#handles.get(number);
  }

  set(handle: number, object: T): void {
    // The handle's object may have been another one.
    this.take(handle);
    this.#saved = undefined;
    this.#objects.set(handle, object);
    this.#handles.set(object.handle, handle);
  }

  /** Forgets it. @returns What the engine still has of it. */
  take(handle: number): T | undefined {
    const object = this.#objects.get(handle);
    if (object === undefined) return undefined;
    this.#saved = undefined;
    this.#objects.delete(handle);
    // Another object may have the number since.
    if (this.#handles.get(object.handle) === handle) this.#handles.delete(object.handle);
    return object.isValid() ? object : undefined;
  }

  forgetGone(): void {
    for (const [handle, object] of this.#objects) if (!object.isValid()) this.take(handle);
  }

  /** A list of [the page's handle, both halves of the engine's number], which must not be changed. */
  save(): number[][] {
    this.#saved ??= Array.from(this.#objects, ([handle, object]) => [
      handle,
      ...wordsOfNumber(object.handle),
    ]);
    return this.#saved;
  }

  /** @throws RangeError if it is not what `save` returned. */
  restore(saved: Json | undefined, objectOf: (engineNumber: number) => T | null): void {
    if (!isTriples(saved)) throw otherVersion();
    this.#saved = undefined;
    this.#objects.clear();
    this.#handles.clear();
    for (const [handle = 0, low = 0, high = 0] of saved) {
      const object = objectOf(numberOfWords(low, high));
      if (object !== null) this.set(handle, object);
    }
  }

  [Symbol.iterator](): Iterator<[number, T]> {
    return this.#objects[Symbol.iterator]();
  }
}

/** The error for saved contents that are not what `save` returned. */
export const otherVersion = (): RangeError =>
  new RangeError('the saved contents of a world are from another version of the library');

const isTriples = (list: Json | undefined): list is number[][] =>
  Array.isArray(list) &&
  list.every(
    (item) => Array.isArray(item) && item.length === 3 && item.every(Number.isSafeInteger),
  );

const number = new Float64Array(1);
const halves = new Uint32Array(number.buffer);

/** The engine's numbers are bits of a double that may be NaN, which JSON cannot hold. */
function wordsOfNumber(value: number): [number, number] {
  number[0] = value;
  return [halves[0] as number, halves[1] as number];
}

function numberOfWords(low: number, high: number): number {
  halves[0] = low;
  halves[1] = high;
  return number[0] as number;
}

/**
 * Fields that were set and that the engine cannot tell: a page that resyncs after a jump of the run needs them, also one
 * that has not set them.
 */
export class UnreportedFields<K extends Kind> {
  readonly #names: ReadonlySet<string>;
  readonly #fields = new Map<number, KindFields<K>>();

  /**
   * @param settings The settings of the kind: those that the engine cannot tell are kept.
   * @param further Other fields that are kept.
   */
  constructor(settings: SettingTable, ...further: string[]) {
    const unreported = settingsIn(settings).filter(({ get, set }) => !get && set);
    this.#names = new Set([...further, ...unreported.map(({ name }) => name)]);
  }

  note(handle: number, changed: KindFields<K>): void {
    const unreported = Object.entries(changed).filter(
      ([name, value]) => value !== undefined && this.#names.has(name),
    );
    if (unreported.length === 0) return;
    const fields = { ...this.#fields.get(handle) } as KindFields<K>;
    changeFields(fields, Object.fromEntries(unreported) as KindFields<K>);
    this.#fields.set(handle, fields);
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

  /** In the order of a saved state. */
  changes(): Change<K>[] {
    const all = Array.from(this.#fields, ([handle, fields]) => ({
      handle,
      parts: undefined,
      fields,
    }));
    return all.toSorted((a, b) => a.handle - b.handle);
  }

  restore(changes: readonly Change<K>[]): void {
    this.#fields.clear();
    for (const { handle, fields } of changes) this.#fields.set(handle, fields);
  }
}
