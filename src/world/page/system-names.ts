/** Which systems the worker script has: known once the worker runs. */
import { isBuiltIn } from '../shared/built-in-systems.js';

export class SystemNames {
  #names: ReadonlySet<string> | undefined;

  /** @param names Undefined: not known yet. */
  constructor(names: readonly string[] | undefined) {
    this.#names = names && new Set(names);
  }

  get isKnown(): boolean {
    return this.#names !== undefined;
  }

  learn(names: readonly string[]): void {
    this.#names = new Set(names);
  }

  /** @throws RangeError if it is known that there is none of this name. */
  require(name: string): void {
    if (this.#names === undefined || this.#names.has(name) || isBuiltIn(name)) return;
    const known = [...this.#names].join(', ');
    throw new RangeError(
      `the worker script has no system "${name}"` +
        (known === ''
          ? ': createWorld needs createWorker, or <Physics worker>, for a script of yours that calls runWorld({ … })'
          : `; it calls runWorld with: ${known}`),
    );
  }
}
