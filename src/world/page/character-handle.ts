/** Characters of a world, as the page has them. */
import type { Vector } from '../../shared/util/vectors.js';
import {
  CHARACTER_VALUE_COUNT,
  CHARACTER_VALUES as VALUE,
  readHandle,
} from '../shared/value-records.js';
import type { CharacterFields, Kind } from '../shared/world-fields.js';
import type { Character } from './character.js';
import { CharacterSettings } from './character-settings.js';
import { finite, isSameSetting, vector } from './checked-values.js';
import type { Collider } from './collider.js';
import type { Maker } from './make-handle.js';
import type { RigidBody } from './rigid-body.js';
import type { WorldLink } from './world-link.js';

/** A character, until it is removed and after. */
export class CharacterHandle extends CharacterSettings implements Character {
  static readonly kind: Kind = 'character';
  readonly handle: number;
  readonly valueCount = CHARACTER_VALUE_COUNT;
  readonly #link: WorldLink;
  readonly #collider: Collider;
  #fields: CharacterFields;

  constructor(link: WorldLink, handle: number, fields: CharacterFields, collider: Collider) {
    super();
    this.#link = link;
    this.handle = handle;
    this.#fields = fields;
    this.#collider = collider;
  }

  adopt(fields: CharacterFields): void {
    this.#fields = { ...fields };
  }

  /** Sets what a description says. */
  assign(fields: CharacterFields): void {
    for (const [name, value] of Object.entries(fields)) {
      this.set(name as keyof CharacterFields, value as NonNullable<typeof value>);
    }
  }

  isValid(): boolean {
    return this.#link.has('character', this);
  }

  collider(): Collider {
    return this.#collider;
  }

  move(velocity: Readonly<Vector>): void {
    this.set('velocity', vector('velocity', velocity));
  }

  jump(speed: number): void {
    const open = this.#link.change('character', this);
    if (open !== undefined) open.jump = finite('speed', speed);
  }

  get isGrounded(): boolean {
    return this.#published(VALUE.isGrounded) !== 0;
  }

  get ground(): RigidBody | undefined {
    const { values, at } = this.#link.valuesOf(this.handle);
    if (at < 0) return undefined;
    return this.#link.bodyOf(readHandle(values, at + VALUE.ground)) as RigidBody | undefined;
  }

  get velocity(): Vector {
    const [x, y, z] = [VALUE.x, VALUE.y, VALUE.z].map((index) => this.#published(index));
    return { x: x as number, y: y as number, z: z as number };
  }

  #published(index: number): number {
    const { values, at } = this.#link.valuesOf(this.handle);
    return at < 0 ? 0 : (values[at + index] ?? 0);
  }

  protected override set<Name extends keyof CharacterFields>(
    name: Name,
    value: NonNullable<CharacterFields[Name]>,
  ): void {
    if (this.isValid() && isSameSetting(this.#fields[name], value)) return;
    const open = this.#link.change('character', this);
    if (open === undefined) return;
    this.#fields[name] = value;
    open[name] = value;
  }
}

export const makeCharacter: Maker<'character'> = (link, handle, [collider], fields) =>
  new CharacterHandle(link, handle, fields, collider as Collider);
