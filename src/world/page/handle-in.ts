/** The numbers of handles that an application passes to a world, if they are of that world. */
import type { Kind } from '../shared/world-fields.js';
import type { Thing } from './page-contents.js';
import type { WorldLink } from './world-link.js';

interface ThingOfWorld extends Thing {
  isValid(): boolean;
}

/** @returns Undefined: there is none, or it was removed. @throws TypeError unless it is a thing of this world. */
export function handleIn(
  link: Pick<WorldLink, 'has'>,
  name: string,
  kind: Kind,
  thing: ThingOfWorld | null | undefined,
): number | undefined {
  if (thing === undefined || thing === null) return undefined;
  if (link.has(kind, thing)) return thing.handle;
  if (typeof thing.isValid === 'function' && !thing.isValid()) return undefined;
  throw new TypeError(`${name} must be a ${kind} of this world`);
}
