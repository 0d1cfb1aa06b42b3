/** Characters of a world, as applications have them: what can be set of them, their descriptions and their handles. */
import { group, optional } from '../../shared/util/options.js';
import type { Vector } from '../../shared/util/vectors.js';
import type { CharacterInputs } from '../shared/control-inputs.js';
import {
  CHARACTER_VALUE_COUNT,
  CHARACTER_VALUES as VALUE,
  readHandle,
} from '../shared/value-records.js';
import { CHARACTER, type CharacterFields, type Kind } from '../shared/setting-tables.js';
import {
  CONTROL_INPUTS,
  amount,
  direction,
  finite,
  flag,
  inputsAsJson,
  notNegative,
  positive,
  requireDesc,
  vector,
} from './checked-values.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { ItemHandle } from './item-handle.js';
import { defineMethods, defineSettings } from './setting-methods.js';

/**
 * The settings of a character. The methods have the names of Rapier's `KinematicCharacterController`, and its defaults unless they say
 * otherwise.
 * All throw TypeError or RangeError, naming the field, for a value of another type or out of its range.
 */
export interface CharacterSettings {
  /**
   * Lets it step up. Default: it does not.
   *
   * @param maxHeight The highest step, greater than 0, in m or the simulation's own unit.
   * @param minWidth How much room it needs on a step, from 0, in the same unit.
   * @param includeDynamicBodies Whether it steps onto dynamic bodies.
   */
  enableAutostep(maxHeight: number, minWidth: number, includeDynamicBodies: boolean): this;
  /** Stops it from stepping up. */
  disableAutostep(): this;
  /**
   * Keeps it on the ground where that goes down. Default 0.2, unlike Rapier, which does not.
   *
   * @param distance At most so far, greater than 0, in m or the simulation's own unit.
   */
  enableSnapToGround(distance: number): this;
  /** Lets it fall where the ground goes down. */
  disableSnapToGround(): this;
  /** @param mass With which it pushes, in kg, from 0; null: that of its body. Default null. */
  setCharacterMass(mass: number | null): this;
  /** @param gravity Its own, against up, in m/s²; null: that of the world. Default null. */
  setGravity(gravity: number | null): this;
  /**
   * Lets the player move it, in addition to `move`: each tick takes its own inputs of keys and gamepads, from the sources of
   * `betwixt/inputs` that feed `(await world.ready).inputs`. So a late page delays nothing, and recordings have it.
   *
   * @param inputs Its speed, and which keys and gamepads; null: none. Default null.
   */
  setInputs(inputs: CharacterInputs | null): this;
  /**
   * Says where the player's forward is, for {@link setInputs}.
   *
   * @param forward A direction, such as that of the camera; what of it is along up does not matter. Default −z.
   */
  setForward(forward: Readonly<Vector>): this;
  /** @param up Where up is: a direction. Default y. */
  setUp(up: Readonly<Vector>): this;
  /** @param offset The distance that it keeps from everything, greater than 0, in m or the simulation's own unit. */
  setOffset(offset: number): this;
  /** @param factor How strongly it is pushed away from what it slides along, from 0. Default 0.0001. */
  setNormalNudgeFactor(factor: number): this;
  /** Whether it slides along what it walks into. Default true. */
  setSlideEnabled(enabled: boolean): this;
  /**
   * The steepest slope that it walks up.
   *
   * @param angle In radians, 0 to π/2. Default π/4.
   * @throws TypeError, RangeError for any other angle.
   */
  setMaxSlopeClimbAngle(angle: number): this;
  /**
   * The flattest slope that it slides down.
   *
   * @param angle In radians, 0 to π/2. Default π/4.
   * @throws TypeError, RangeError for any other angle.
   */
  setMinSlopeSlideAngle(angle: number): this;
  /** Whether it pushes dynamic bodies. Default false. */
  setApplyImpulsesToDynamicBodies(enabled: boolean): this;
}

/**
 * A handle of a character, made by `World.createCharacter`. It walks in the worker, with every tick; what is set
 * here takes effect on a later one. On a character that was removed, methods do nothing, and say so once in the console.
 */
export interface Character extends CharacterSettings {
  /** The character's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** Whether it was on the ground after the newest tick that the page knows. */
  readonly isGrounded: boolean;
  /** The body that it was on then; undefined in the air, and on a collider without a body. */
  readonly ground: RigidBody | undefined;
  /** How it moved in that tick, in m/s. */
  readonly velocity: Vector;
  /** False after it was removed, or its collider was. */
  isValid(): boolean;
  /** The collider that it moves. */
  collider(): Collider;
  /**
   * Makes it walk from now on, until the next call: a late page does not stop it.
   *
   * @param velocity In m/s; gravity and jumps are added to it.
   * @throws TypeError, RangeError naming the invalid value.
   */
  move(velocity: Readonly<Vector>): void;
  /**
   * Makes it jump if it is on the ground, or lands there within a tenth of a second.
   *
   * @param speed Upwards, in m/s.
   * @throws TypeError, RangeError naming the invalid value.
   */
  jump(speed: number): void;
}

const INPUTS = group('inputs', { speed: amount, jumpSpeed: optional(amount), ...CONTROL_INPUTS });

/** The methods that the table of settings does not give, and the field that each sets. */
const SETTERS = {
  enableAutostep: (maxHeight: number, minWidth: number, includeDynamicBodies: boolean) => ({
    autostep: [
      positive('maxHeight', maxHeight),
      notNegative('minWidth', minWidth),
      Number(flag(includeDynamicBodies)),
    ],
  }),
  disableAutostep: () => ({ autostep: [] }),
  enableSnapToGround: (distance: number) => ({ snapToGround: positive('distance', distance) }),
  disableSnapToGround: () => ({ snapToGround: -1 }),
  setCharacterMass: (mass: number | null) => ({
    characterMass: mass === null ? -1 : notNegative('mass', mass),
  }),
  setGravity: (gravity: number | null) => ({
    gravity: gravity === null ? [] : [finite('gravity', gravity)],
  }),
  setInputs: (inputs: CharacterInputs | null) => ({ inputs: inputsAsJson(inputs, INPUTS) }),
  setForward: (forward: Readonly<Vector>) => ({ forward: direction('forward', forward) }),
} satisfies Partial<Record<keyof CharacterSettings, (...args: never) => CharacterFields>>;

/** Defines the methods of {@link CharacterSettings}. */
function defineCharacterSettings<T extends CharacterSettings>(
  prototype: T,
  write: (target: T, fields: CharacterFields) => void,
): void {
  defineSettings(prototype, CHARACTER, (target, { name }, value) => {
    write(target, { [name]: value });
    return target;
  });
  for (const [name, fieldsOf] of Object.entries(SETTERS)) {
    defineMethods(prototype, {
      [name](this: T, ...args: never): T {
        write(this, (fieldsOf as (...given: never) => CharacterFields)(...args));
        return this;
      },
    });
  }
}

/** In m. */
const DEFAULT_SNAP = 0.2;

/** For the world that makes a character of a description: a copy of what was set. */
export let fieldsOfCharacter: (desc: CharacterDesc) => CharacterFields;

/**
 * The description of a character, which may be used for any number of characters. It has the methods of
 * {@link CharacterSettings}.
 */
export class CharacterDesc {
  readonly #fields: CharacterFields = {};

  static {
    fieldsOfCharacter = (desc) => {
      requireDesc('desc', 'CharacterDesc', desc, desc instanceof CharacterDesc);
      return { ...desc.#fields };
    };
    defineCharacterSettings(this.prototype, (desc, fields) => Object.assign(desc.#fields, fields));
  }

  /** @param offset As in `setOffset`: greater than 0, in m or the simulation's own unit. Default 0.01. */
  constructor(offset = 0.01) {
    this.setOffset(offset).enableSnapToGround(DEFAULT_SNAP);
  }
}

export interface CharacterDesc extends CharacterSettings {}

/** A character, until it is removed and after. */
export class CharacterHandle extends ItemHandle<'character'> implements Character {
  static override readonly kind: Kind = 'character';
  readonly valueCount = CHARACTER_VALUE_COUNT;

  static {
    defineCharacterSettings(this.prototype, (character, fields) => character.assign(fields));
  }

  /** Sets what a description says. */
  assign(fields: CharacterFields): void {
    for (const [name, value] of Object.entries(fields)) {
      this.setField(name as keyof CharacterFields, value as NonNullable<typeof value>);
    }
  }

  collider(): Collider {
    return this.parts[0] as Collider;
  }

  move(velocity: Readonly<Vector>): void {
    this.setField('velocity', vector('velocity', velocity));
  }

  jump(speed: number): void {
    const open = this.link.changeItem('character', this);
    if (open !== undefined) open.jump = finite('speed', speed);
  }

  get isGrounded(): boolean {
    return this.#published(VALUE.isGrounded) !== 0;
  }

  get ground(): RigidBody | undefined {
    const { values, at } = this.link.valuesOf(this.handle);
    if (at < 0) return undefined;
    return this.link.bodyOf(readHandle(values, at + VALUE.ground)) as RigidBody | undefined;
  }

  get velocity(): Vector {
    const [x, y, z] = [VALUE.x, VALUE.y, VALUE.z].map((index) => this.#published(index));
    return { x: x as number, y: y as number, z: z as number };
  }

  #published(index: number): number {
    const { values, at } = this.link.valuesOf(this.handle);
    return at < 0 ? 0 : (values[at + index] ?? 0);
  }
}

export interface CharacterHandle extends CharacterSettings {}
