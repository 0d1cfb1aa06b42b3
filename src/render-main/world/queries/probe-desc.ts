/** Descriptions of probes. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type { ProbeFields } from '../../../shared/world/world-fields.js';
import { flag, notNegative, reach, rotation, vector } from '../checks/checked-values.js';
import { registerDesc } from '../handles/desc-parts.js';
import { filterFields, makeProbe } from './probe-handle.js';
import { filterKey, type QueryFilter } from './query-filter.js';
import { shapeData, type Shape } from '../shapes/shape-classes.js';

/**
 * What a probe is created with: each method sets one property and returns the description, which may be used for any number
 * of probes. Positions and sizes are in m or the simulation's own unit, and relative to the probe's body, if it has one.
 *
 * All methods throw TypeError or RangeError, naming the field, for a value of another type, a number that is not finite
 * in 32 bits, or one out of its range.
 */
export class ProbeDesc {
  readonly #fields: ProbeFields;
  #filter: QueryFilter = {};

  static {
    registerDesc('ProbeDesc', (desc) =>
      desc instanceof ProbeDesc
        ? {
            fields: { ...desc.#fields },
            filterFields: (link) => filterFields(link, desc.#filter),
            filterKey: () => filterKey(desc.#filter),
            make: makeProbe,
          }
        : undefined,
    );
  }

  private constructor(fields: ProbeFields) {
    this.#fields = fields;
  }

  /**
   * A ray.
   *
   * @param direction Of any length; of length 1, times of impact are distances.
   * @param maxToi How many times its direction the ray goes, from 0.
   */
  static ray(origin: Readonly<Vector>, direction: Readonly<Vector>, maxToi: number): ProbeDesc {
    return new ProbeDesc({
      translation: vector('origin', origin),
      direction: vector('direction', direction),
      maxToi: reach('maxToi', maxToi),
    });
  }

  /**
   * A moving shape.
   *
   * @param velocity Where it moves; of length 1, times of impact are distances.
   * @param maxToi How many times its velocity it moves, from 0. A small number finds what it overlaps.
   */
  static shape(
    shape: Shape,
    position: Readonly<Vector>,
    turned: Readonly<Rotation>,
    velocity: Readonly<Vector>,
    maxToi: number,
  ): ProbeDesc {
    return new ProbeDesc({
      shape: shapeData('shape', shape),
      translation: vector('position', position),
      rotation: rotation('turned', turned),
      direction: vector('velocity', velocity),
      maxToi: reach('maxToi', maxToi),
    });
  }

  /** Whether a ray that begins inside of a shape hits it at once. Default true. */
  setSolid(solid: boolean): this {
    this.#fields.solid = flag('solid', solid);
    return this;
  }

  /**
   * A distance at which a moving shape counts as a hit.
   *
   * @param distance From 0, in m or the simulation's own unit. Default 0.
   */
  setTargetDistance(distance: number): this {
    this.#fields.targetDistance = notNegative('distance', distance);
    return this;
  }

  /** Whether what a shape overlaps at the beginning is hit even if the shape moves out of it. Default true. */
  setStopAtPenetration(stops: boolean): this {
    this.#fields.stopAtPenetration = flag('stops', stops);
    return this;
  }

  /** Whether it finds the colliders of its own body, too. Default false. */
  setFindsBody(finds: boolean): this {
    this.#fields.findsBody = flag('finds', finds);
    return this;
  }

  /** What it passes over. Default: only the colliders of its own body. */
  setFilter(filter: QueryFilter): this {
    this.#filter = filter;
    return this;
  }

  /** Whether it is cast. Default true. */
  setEnabled(enabled: boolean): this {
    this.#fields.enabled = flag('enabled', enabled);
    return this;
  }
}
