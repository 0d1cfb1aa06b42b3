/** The characters of a world. They move in the order of their handles. */
import type { Json } from '../../shared/util/json.js';
import { CHARACTER_VALUE_COUNT, CHARACTER_VALUES as VALUE } from '../shared/published.js';
import { NO_HANDLE, type Change } from '../shared/world-batch.js';
import type { CharacterFields } from '../shared/world-fields.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import { Character, type CharacterTick } from './character.js';
import type { KindContents } from './kind-contents.js';
import type { OwnedValues, ValueOwners } from './value-owners.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldColliders } from './world-colliders.js';

interface Entry {
  readonly collider: number;
  readonly character: Character;
  readonly values: OwnedValues | undefined;
}

type SavedCharacter = {
  readonly handle: number;
  readonly state: Json;
  readonly ground: number;
};

export class WorldCharacters implements KindContents<'character'> {
  readonly #tools: RapierTools;
  readonly #bodies: WorldBodies;
  readonly #colliders: WorldColliders;
  readonly #owners: ValueOwners;
  readonly #entries = new Map<number, Entry>();

  constructor(
    tools: RapierTools,
    bodies: WorldBodies,
    colliders: WorldColliders,
    owners: ValueOwners,
  ) {
    this.#tools = tools;
    this.#bodies = bodies;
    this.#colliders = colliders;
    this.#owners = owners;
  }

  remove(handle: number): void {
    this.#entries.get(handle)?.character.remove(this.#tools.physics.world);
    if (this.#entries.delete(handle)) this.#owners.release(handle);
  }

  forgetGone(): void {
    for (const [handle, { collider }] of this.#entries) {
      if (this.#colliders.get(collider) === undefined) this.remove(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'character'>): void {
    if (parts !== undefined) this.#create(handle, parts[0] ?? NO_HANDLE, fields);
    this.#entries.get(handle)?.character.set(fields);
  }

  describe(): Change<'character'>[] {
    return Array.from(this.#entries, ([handle, { collider, character }]) => ({
      handle,
      parts: [collider],
      fields: character.fields,
    }));
  }

  beforeStep(dt: number): void {
    const { rapier, physics, input } = this.#tools;
    const { oneWays } = this.#colliders;
    const passes: CharacterTick['passes'] = oneWays.isEmpty
      ? undefined
      : (one, other) => oneWays.passes(one.handle, other.handle);
    const tick = { rapier, world: physics.world, input, dt, passes };
    for (const { collider: handle, character } of this.#entries.values()) {
      const collider = this.#colliders.get(handle);
      const body = collider?.parent();
      if (collider === undefined || !body?.isKinematic()) continue;
      character.step(collider, body, tick);
    }
  }

  /** Publishes what the page reads. */
  publish(): void {
    for (const { character, values } of this.#entries.values()) {
      const { isGrounded, velocity } = character.state;
      values?.set(VALUE.isGrounded, Number(isGrounded));
      values?.setHandle(VALUE.ground, this.#groundOf(character));
      values?.set(VALUE.x, velocity.x);
      values?.set(VALUE.y, velocity.y);
      values?.set(VALUE.z, velocity.z);
    }
  }

  save(): Json {
    return Array.from(this.#entries, ([handle, { character }]): SavedCharacter => ({
      handle,
      state: character.save(),
      ground: this.#groundOf(character),
    }));
  }

  restore(changes: readonly Change<'character'>[], saved: Json): void {
    for (const handle of this.#entries.keys()) this.#owners.release(handle);
    this.#entries.clear();
    for (const change of changes) this.apply(change);
    for (const { handle, state, ground } of (saved ?? []) as readonly SavedCharacter[]) {
      const character = this.#entries.get(handle)?.character;
      character?.restore(state);
      if (character !== undefined) character.ground = this.#bodies.get(ground);
    }
    this.publish();
  }

  /** The page's handle of its ground. */
  #groundOf({ ground }: Character): number {
    return (ground?.isValid() === true && this.#bodies.handleOf(ground)) || NO_HANDLE;
  }

  #create(handle: number, collider: number, fields: CharacterFields): void {
    // It was removed since.
    if (this.#colliders.get(collider) === undefined) return;
    const character = new Character(this.#tools.physics.world, fields);
    const values = this.#owners.claim(handle, CHARACTER_VALUE_COUNT);
    this.#entries.set(handle, { collider, character, values });
  }
}
