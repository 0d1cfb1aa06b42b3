/** What can be set of a character, in its description and later. */
import type { Vector } from '../../shared/util/vectors.js';
import type { CharacterInputs } from '../shared/control-inputs.js';
import { CHARACTER, type CharacterFields } from '../shared/world-fields.js';
import { checkedInputs } from './checked-inputs.js';
import { direction, finite, flag, notNegative, positive } from './checked-values.js';
import { defineSettings } from './setting-methods.js';

/**
 * What can be set of a character. The methods have the names of Rapier's `KinematicCharacterController`, and its defaults unless they say
 * otherwise.
 * All throw TypeError or RangeError, naming the field, for a value of another type or out of its range.
 */
export abstract class CharacterSettings {
  /** Sets one field. */
  protected abstract set<Name extends keyof CharacterFields>(
    name: Name,
    value: NonNullable<CharacterFields[Name]>,
  ): void;

  static {
    defineSettings(this.prototype, CHARACTER, (settings, { name }, value) => {
      settings.set(name as keyof CharacterFields, value as never);
      return settings;
    });
  }

  /**
   * Lets it step up. Default: it does not.
   *
   * @param maxHeight The highest step, greater than 0, in m or the simulation's own unit.
   * @param minWidth How much room it needs on a step, from 0, in the same unit.
   * @param includeDynamicBodies Whether it steps onto dynamic bodies.
   */
  enableAutostep(maxHeight: number, minWidth: number, includeDynamicBodies: boolean): this {
    this.set('autostep', [
      positive('maxHeight', maxHeight),
      notNegative('minWidth', minWidth),
      Number(flag(includeDynamicBodies)),
    ]);
    return this;
  }

  /** It does not step up. */
  disableAutostep(): this {
    this.set('autostep', []);
    return this;
  }

  /**
   * Keeps it on the ground where that goes down. Default 0.2, unlike Rapier, which does not.
   *
   * @param distance At most so far, greater than 0, in m or the simulation's own unit.
   */
  enableSnapToGround(distance: number): this {
    this.set('snapToGround', positive('distance', distance));
    return this;
  }

  /** It falls where the ground goes down. */
  disableSnapToGround(): this {
    this.set('snapToGround', -1);
    return this;
  }

  /** @param mass With which it pushes, in kg, from 0; null: that of its body. Default null. */
  setCharacterMass(mass: number | null): this {
    this.set('characterMass', mass === null ? -1 : notNegative('mass', mass));
    return this;
  }

  /** @param gravity Its own, against up, in m/s²; null: that of the world. Default null. */
  setGravity(gravity: number | null): this {
    this.set('gravity', gravity === null ? [] : [finite('gravity', gravity)]);
    return this;
  }

  /**
   * Lets the player move it, in addition to `move`: each tick takes its own inputs of keys and gamepads, from the sources of
   * `betwixt/inputs` that feed `(await world.ready).inputs`. So a late page delays nothing, and recordings have it.
   *
   * @param inputs Its speed, and which keys and gamepads; null: none. Default null.
   */
  setInputs(inputs: CharacterInputs | null): this {
    const checked = inputs && checkedInputs(inputs, ['speed', 'jumpSpeed'], 'speed');
    this.set('inputs', checked as NonNullable<CharacterFields['inputs']>);
    return this;
  }

  /**
   * Says where the player's forward is, for {@link setInputs}.
   *
   * @param forward A direction, such as that of the camera; what of it is along up does not matter. Default −z.
   */
  setForward(forward: Readonly<Vector>): this {
    this.set('forward', direction('forward', forward));
    return this;
  }
}

export interface CharacterSettings {
  /** @param up Where up is: a direction. Default y. */
  setUp(up: Readonly<Vector>): this;
  /** @param offset The gap that it keeps from everything, greater than 0, in m or the simulation's own unit. */
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
