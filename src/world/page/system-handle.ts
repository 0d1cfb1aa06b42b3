/** Systems of a world, as the page has them, and which names of systems the worker script has. */
import type { EventMap } from '../../shared/events/simulation-event.js';
import { copyOfJson, type Json } from '../../shared/util/json.js';
import { isBuiltIn } from '../shared/built-in-systems.js';
import type { Kind } from '../shared/setting-tables.js';
import { isSame } from './checked-values.js';
import { ItemHandle } from './item-handle.js';

/**
 * A handle of a system, made by `World.system`: the application's own code, which runs with every tick in the worker.
 *
 * @typeParam P Its props.
 */
export interface SystemHandle<P = Json> {
  /** The system's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** The system's name in the worker script. */
  readonly name: string;
  /** False after it was removed. */
  isValid(): boolean;
  /** The props that it was given last. */
  props(): P;
  /**
   * Gives it other props, from the next tick on. Props that are equal to the last ones are not sent. On a system that was
   * removed it does nothing, and says so once in the console.
   *
   * @throws TypeError if JSON cannot hold them; the message names the place in them.
   */
  set(props: P): void;
}

/** The systems that a worker script's simulation has, with their props. */
export type SystemsIn<S> = S extends { readonly systems?: infer P extends Record<string, Json> }
  ? P
  : Record<never, never>;

/** The events that the systems of a worker script emit. */
export type SystemEvents<S> = S extends { readonly events?: infer E extends EventMap }
  ? E
  : Record<never, never>;

/** The arguments of `World.system` after the name. */
export type PropsArgument<P> = [P] extends [null] ? [] : [props: P];

/** A copy, as the worker gets it. */
export const copyOfProps = (props: Json): Json => copyOfJson('props', props);

/** A system, until it is removed and after. */
export class OwnSystem extends ItemHandle<'system'> implements SystemHandle {
  static override readonly kind: Kind = 'system';

  get name(): string {
    return this.fields.name ?? '';
  }

  props(): Json {
    return this.fields.props ?? null;
  }

  set(props: Json): void {
    const copy = copyOfProps(props);
    if (this.isValid() && isSame(this.props(), copy)) return;
    const open = this.link.changeItem('system', this);
    if (open === undefined) return;
    this.fields.props = copy;
    open.props = copy;
  }
}

/** The systems of the worker script: known once the worker runs. */
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
          ? ': createWorld needs createWorker, or <Physics worker>, for your own script, which calls runWorld({ … })'
          : `; it calls runWorld with: ${known}`),
    );
  }
}
