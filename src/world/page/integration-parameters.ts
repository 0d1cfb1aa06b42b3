/** How the engine computes a step, as the page has set it. */
import type { WorldFields } from '../shared/world-fields.js';
import { integer, notNegative, positive, isSameSetting } from './checked-values.js';

const DEFAULTS = {
  lengthUnit: 1,
  numSolverIterations: 4,
  numInternalPgsIterations: 1,
  maxCcdSubsteps: 1,
  normalizedAllowedLinearError: 0.005,
  normalizedPredictionDistance: 0.02,
  contactNaturalFrequency: 30,
};
type Name = keyof typeof DEFAULTS;
/** Of contacts, in Rapier. */
const DAMPING_RATIO = 10;

/**
 * The settings of a world's solver, with Rapier's names and defaults. Each takes effect on a later tick, and is read at once.
 * All that is set throws TypeError or RangeError, naming the field, for another type or a number out of its range.
 */
export interface IntegrationParameters {
  /** Simulated seconds of a tick: 1 / `tickRateHz`, which `sim.setTickRate` sets. */
  readonly dt: number;
  /** Length of a typical thing, in the simulation's own unit: what is small is small compared to it. Default 1. */
  lengthUnit: number;
  /** 1 to 1000: more make joints and stacks stiffer, and take longer. Default 4. */
  numSolverIterations: number;
  /** 1 to 1000; a world that has ropes is computed with at least 4. Default 1. */
  numInternalPgsIterations: number;
  /** Most substeps of CCD, 0 to 1000. Default 1. */
  maxCcdSubsteps: number;
  /** How much things may overlap, in length units, from 0. Default 0.005. */
  normalizedAllowedLinearError: number;
  /** How far ahead contacts are found, in length units, from 0. Default 0.02. */
  normalizedPredictionDistance: number;
  /** How stiff contacts are, in Hz, greater than 0. Default 30. */
  contact_natural_frequency: number;
  /** Share of an overlap that a step corrects, 0 to 1: follows from the frequency. */
  readonly contact_erp: number;
}

export class OwnIntegrationParameters implements IntegrationParameters {
  readonly #values = { ...DEFAULTS };
  readonly #change: () => WorldFields;
  readonly #tickRateHz: () => number;

  /** @param change Returns the world's part of the open batch. */
  constructor(change: () => WorldFields, tickRateHz: () => number) {
    this.#change = change;
    this.#tickRateHz = tickRateHz;
  }

  /** What the state has after a jump. */
  adopt(fields: WorldFields): void {
    for (const name of Object.keys(DEFAULTS) as Name[]) {
      const value = fields[name];
      if (value !== undefined) this.#values[name] = value;
    }
  }

  get dt(): number {
    // As the engine has it: code that sums it up comes to the same number of ticks.
    return Math.fround(1 / this.#tickRateHz());
  }

  set dt(_: number) {
    throw new Error('the step follows the tick rate: call setTickRate of what world.ready gives');
  }

  get lengthUnit(): number {
    return this.#values.lengthUnit;
  }

  set lengthUnit(value: number) {
    this.#set('lengthUnit', positive('lengthUnit', value));
  }

  get numSolverIterations(): number {
    return this.#values.numSolverIterations;
  }

  set numSolverIterations(value: number) {
    this.#set('numSolverIterations', integer('numSolverIterations', value, 1, 1000));
  }

  get numInternalPgsIterations(): number {
    return this.#values.numInternalPgsIterations;
  }

  set numInternalPgsIterations(value: number) {
    const checked = integer('numInternalPgsIterations', value, 1, 1000);
    this.#set('numInternalPgsIterations', checked);
  }

  get maxCcdSubsteps(): number {
    return this.#values.maxCcdSubsteps;
  }

  set maxCcdSubsteps(value: number) {
    this.#set('maxCcdSubsteps', integer('maxCcdSubsteps', value, 0, 1000));
  }

  get normalizedAllowedLinearError(): number {
    return this.#values.normalizedAllowedLinearError;
  }

  set normalizedAllowedLinearError(value: number) {
    const checked = notNegative('normalizedAllowedLinearError', value);
    this.#set('normalizedAllowedLinearError', checked);
  }

  get normalizedPredictionDistance(): number {
    return this.#values.normalizedPredictionDistance;
  }

  set normalizedPredictionDistance(value: number) {
    const checked = notNegative('normalizedPredictionDistance', value);
    this.#set('normalizedPredictionDistance', checked);
  }

  get contact_natural_frequency(): number {
    return this.#values.contactNaturalFrequency;
  }

  set contact_natural_frequency(value: number) {
    this.#set('contactNaturalFrequency', positive('contact_natural_frequency', value));
  }

  get contact_erp(): number {
    const turn = this.dt * 2 * Math.PI * this.contact_natural_frequency;
    return turn / (turn + 2 * DAMPING_RATIO);
  }

  #set(name: Name, value: number): void {
    if (isSameSetting(this.#values[name], value)) return;
    this.#values[name] = value;
    this.#change()[name] = value;
  }
}
