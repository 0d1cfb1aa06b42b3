/**
 * What worlds make of the descriptions that few pages use. Each registers itself when it is loaded, with the handles that
 * are made of it, so that a page loads those of the kinds that it describes.
 */
import type { CharacterFields, Kind, VehicleFields } from '../shared/world-fields.js';
import type { Maker } from './make-handle.js';
import { requireDesc } from './required-desc.js';

/** A copy of what was set, and what makes a handle of it. */
interface Parts<K extends Kind, Fields> {
  readonly fields: Fields;
  readonly make: Maker<K>;
}

/** By the name of the class. */
export interface DescParts {
  readonly CharacterDesc: Parts<'character', CharacterFields>;
  readonly VehicleDesc: Parts<'vehicle', VehicleFields> & {
    /** Of each wheel. */
    readonly userData: readonly unknown[];
  };
}

/** Undefined for what is no such description. */
type Reader<Name extends keyof DescParts> = (desc: unknown) => DescParts[Name] | undefined;

const readers: { [Name in keyof DescParts]?: Reader<Name> } = {};

export function registerDesc<Name extends keyof DescParts>(name: Name, reader: Reader<Name>): void {
  Object.assign(readers, { [name]: reader });
}

/** @throws TypeError for what is no such description. */
export function partsOf<Name extends keyof DescParts>(name: Name, desc: unknown): DescParts[Name] {
  const parts = (readers[name] as Reader<Name> | undefined)?.(desc);
  requireDesc('desc', name, desc, parts !== undefined);
  return parts as DescParts[Name];
}
