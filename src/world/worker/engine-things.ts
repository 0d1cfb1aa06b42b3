/**
 * Things of the engine by the page's handles. Handles, not the engine's numbers, are in commands and recordings, because the
 * page gives them before the engine knows of them.
 */
import type { Json } from '../../shared/util/json.js';

interface EngineThing {
  /** The engine's number. */
  readonly handle: number;
  isValid(): boolean;
}

export class EngineThings<T extends EngineThing> implements Iterable<[number, T]> {
  readonly #things = new Map<number, T>();
  /** By the engine's number. */
  readonly #handles = new Map<number, number>();
  /** Most states are saved of the same things as the one before. */
  #saved: number[][] | undefined;

  /** Undefined also if the engine has removed it. */
  get(handle: number): T | undefined {
    const thing = this.#things.get(handle);
    return thing?.isValid() === true ? thing : undefined;
  }

  /** The page's handle of the engine's thing. */
  handleOf(thing: Pick<EngineThing, 'handle'>): number | undefined {
    return this.handleOfNumber(thing.handle);
  }

  handleOfNumber(number: number | undefined): number | undefined {
    return number === undefined ? undefined : this.#handles.get(number);
  }

  set(handle: number, thing: T): void {
    // It may have been another one.
    this.take(handle);
    this.#saved = undefined;
    this.#things.set(handle, thing);
    this.#handles.set(thing.handle, handle);
  }

  /** Forgets it. @returns What the engine still has of it. */
  take(handle: number): T | undefined {
    const thing = this.#things.get(handle);
    if (thing === undefined) return undefined;
    this.#saved = undefined;
    this.#things.delete(handle);
    // Another thing may have the number since.
    if (this.#handles.get(thing.handle) === handle) this.#handles.delete(thing.handle);
    return thing.isValid() ? thing : undefined;
  }

  forgetGone(): void {
    for (const [handle, thing] of this.#things) if (!thing.isValid()) this.take(handle);
  }

  /** Of each: the page's handle, and both halves of the engine's number. Not to be changed. */
  save(): number[][] {
    this.#saved ??= Array.from(this.#things, ([handle, thing]) => [
      handle,
      ...wordsOfNumber(thing.handle),
    ]);
    return this.#saved;
  }

  /** @throws RangeError if it is not what `save` returned. */
  restore(saved: Json | undefined, thingOf: (engineNumber: number) => T | null): void {
    if (!isTriples(saved)) {
      throw new RangeError('the saved contents of a world are from another version of the library');
    }
    this.#saved = undefined;
    this.#things.clear();
    this.#handles.clear();
    for (const [handle = 0, low = 0, high = 0] of saved) {
      const thing = thingOf(numberOfWords(low, high));
      if (thing !== null) this.set(handle, thing);
    }
  }

  [Symbol.iterator](): Iterator<[number, T]> {
    return this.#things[Symbol.iterator]();
  }
}

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
