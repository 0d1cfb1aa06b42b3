/** What makes the handle of a thing, and what a handle is of. */
import { KIND_NAMES, type Kind, type KindFields } from '../shared/world-fields.js';
import type { Thing } from './page-contents.js';
import type { WorldLink } from './world-link.js';

/** A handle that can be brought in line with the worker. */
export interface Followed<K extends Kind> extends Thing {
  /** Replaces what is known of it, apart from what was written since. What the engine cannot tell is left out. */
  adopt(fields: KindFields<K>): void;
}

/** Makes a handle from what the page or the worker says of a thing. */
export type Maker<K extends Kind> = (
  link: WorldLink,
  handle: number,
  parts: readonly Thing[],
  fields: KindFields<K>,
) => Followed<K>;

/** What a value is a handle of, as its class says; undefined: none of this library. */
export function kindOf(value: unknown): Kind | undefined {
  const { kind } = ((value as object | null | undefined)?.constructor ?? {}) as { kind?: unknown };
  return KIND_NAMES.find((name) => name === kind);
}
