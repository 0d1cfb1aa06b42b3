/** Values by two numbers, in a deterministic order: two bodies that touch, a sensor and the body in it. */
export class PairMap<Value> {
  // Two 32-bit ids do not fit into one numeric key, and a string key would be garbage on each lookup.
  readonly #byFirst = new Map<number, Map<number, Value>>();

  get(first: number, second: number): Value | undefined {
    return this.#byFirst.get(first)?.get(second);
  }

  set(first: number, second: number, value: Value): void {
    const bySecond = this.#byFirst.get(first);
    if (bySecond === undefined) this.#byFirst.set(first, new Map([[second, value]]));
    else bySecond.set(second, value);
  }

  /** Returns false if there was none. */
  delete(first: number, second: number): boolean {
    const bySecond = this.#byFirst.get(first);
    if (bySecond?.delete(second) !== true) return false;
    if (bySecond.size === 0) this.#byFirst.delete(first);
    return true;
  }

  /** Values may be deleted during the iteration. */
  *values(): IterableIterator<Value> {
    for (const bySecond of this.#byFirst.values()) yield* bySecond.values();
  }

  clear(): void {
    this.#byFirst.clear();
  }
}
