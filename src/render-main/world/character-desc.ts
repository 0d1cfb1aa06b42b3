/** Descriptions of characters. They load no engine. */
import type { CharacterFields } from '../../shared/world/world-fields.js';
import { CharacterSettings } from './character-settings.js';
import { requireDesc } from './required-desc.js';

/** For the world that makes a character of a description: a copy of what was set. */
export let fieldsOfCharacter: (desc: CharacterDesc) => CharacterFields;

/** In m. */
const DEFAULT_SNAP = 0.2;

/** What a character is like: a description, which may be used for any number of characters. */
export class CharacterDesc extends CharacterSettings {
  readonly #fields: CharacterFields = {};

  static {
    fieldsOfCharacter = (desc) => {
      requireDesc('desc', 'CharacterDesc', desc, desc instanceof CharacterDesc);
      return { ...desc.#fields };
    };
  }

  /** @param offset As in `setOffset`: greater than 0, in m or the simulation's own unit. Default 0.01. */
  constructor(offset = 0.01) {
    super();
    this.setOffset(offset).enableSnapToGround(DEFAULT_SNAP);
  }

  protected override set<Name extends keyof CharacterFields>(
    name: Name,
    value: NonNullable<CharacterFields[Name]>,
  ): void {
    this.#fields[name] = value;
  }
}
