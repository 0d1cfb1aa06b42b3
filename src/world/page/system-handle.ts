/** Systems of a world, as the page has them. */
import type { EventMap } from '../../shared/events/simulation-event.js';
import { copyOfJson, type Json } from '../../shared/util/json.js';
import type { Kind, SystemFields } from '../shared/world-fields.js';
import { isSame } from './checked-values.js';
import type { Maker } from './make-handle.js';
import type { WorldLink } from './world-link.js';

/**
 * A handle of a system, made by `World.system`: the application's own code, which runs with every tick in the worker.
 *
 * @typeParam P Its props.
 */
export interface SystemHandle<P = Json> {
  /** Its number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** Its name in the worker script. */
  readonly name: string;
  /** False after it was removed. */
  isValid(): boolean;
  /** Those that were given last. */
  props(): P;
  /**
   * Gives it other props, from the next tick on. Those that are equal to the last ones are not sent. On a system that was
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

/** What `World.system` takes after the name. */
export type PropsArgument<P> = [P] extends [null] ? [] : [props: P];

/** A copy, as the worker gets it. */
export const copyOfProps = (props: Json): Json => copyOfJson('props', props);

/** A system, until it is removed and after. */
export class OwnSystem implements SystemHandle {
  static readonly kind: Kind = 'system';
  readonly handle: number;
  readonly name: string;
  readonly #link: WorldLink;
  #props: Json;

  constructor(link: WorldLink, handle: number, { name = '', props = null }: SystemFields) {
    this.#link = link;
    this.handle = handle;
    this.name = name;
    this.#props = props;
  }

  adopt({ props = null }: SystemFields): void {
    this.#props = props;
  }

  isValid(): boolean {
    return this.#link.has('system', this);
  }

  props(): Json {
    return this.#props;
  }

  set(props: Json): void {
    const copy = copyOfProps(props);
    if (this.isValid() && isSame(this.#props, copy)) return;
    const open = this.#link.change('system', this);
    if (open === undefined) return;
    this.#props = copy;
    open.props = copy;
  }
}

export const makeSystem: Maker<'system'> = (link, handle, _, fields) =>
  new OwnSystem(link, handle, fields);
