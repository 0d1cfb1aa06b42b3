/** Descriptions of characters. They load no engine. */
import type { CharacterFields } from '../shared/world-fields.js';
import { makeCharacter } from './character-handle.js';
import { CharacterSettings } from './character-settings.js';
import { registerDesc } from './desc-parts.js';

/** In m. */
const DEFAULT_SNAP = 0.2;

/** What a character is like: a description, which may be used for any number of characters. */
export class CharacterDesc extends CharacterSettings {
  readonly #fields: CharacterFields = {};

  static {
    registerDesc('CharacterDesc', (desc) =>
      desc instanceof CharacterDesc
        ? {
            fields: { ...desc.#fields },
            make: makeCharacter,
          }
        : undefined,
    );
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
