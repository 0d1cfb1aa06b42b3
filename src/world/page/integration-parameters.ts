/** How the engine computes a step, as the page has set it. */
import { WORLD, type WorldFields } from '../shared/setting-tables.js';
import { settingsIn, type ReadSettings } from '../shared/setting-types.js';
import { settingValue } from './checked-values.js';
import type { WorldLink } from './world-link.js';

type Name = ReadSettings<typeof WORLD>;

/** The damping ratio of contacts in Rapier. */
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

export class OwnIntegrationParameters {
  /** As they were set last. */
  #fields: WorldFields = {};
  readonly #link: Pick<WorldLink, 'change' | 'hasValue'>;
  readonly #tickRateHz: () => number;

  static {
    for (const { name, row, get: property = '' } of settingsIn(WORLD)) {
      const field = name as Name;
      Object.defineProperty(this.prototype, property, {
        configurable: true,
        get(this: OwnIntegrationParameters) {
          return this.#fields[field] ?? row.default;
        },
        set(this: OwnIntegrationParameters, value: number) {
          const checked = settingValue(row, property, [value]) as number;
          if (this.#link.hasValue(this.#fields[field] ?? row.default, checked)) return;
          this.#fields[field] = checked;
          this.#link.change().world[field] = checked;
        },
      });
    }
  }

  constructor(link: Pick<WorldLink, 'change' | 'hasValue'>, tickRateHz: () => number) {
    this.#link = link;
    this.#tickRateHz = tickRateHz;
  }

  /** Takes the parameters of the state that a jump has led to. */
  resync(fields: WorldFields): void {
    this.#fields = { ...fields };
  }

  get dt(): number {
    // As the engine has it: code that sums it up comes to the same number of ticks.
    return Math.fround(1 / this.#tickRateHz());
  }

  set dt(_: number) {
    throw new Error('the step follows the tick rate: call setTickRate of what world.ready gives');
  }

  get contact_erp(): number {
    const turn = this.dt * 2 * Math.PI * this.contact_natural_frequency;
    return turn / (turn + 2 * DAMPING_RATIO);
  }
}

export interface OwnIntegrationParameters extends Omit<
  IntegrationParameters,
  'dt' | 'contact_erp'
> {}
