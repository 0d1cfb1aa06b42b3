/** How the engine computes a step, as the page has set it. */
import { DEFAULT_CONTACT_NATURAL_FREQUENCY, type WorldFields } from '../shared/setting-tables.js';
import { integer, notNegative, positive, isSameSetting } from './checked-values.js';

interface Parameter {
  readonly standard: number;
  readonly check: (name: string, value: number) => number;
  /** Rapier's name of the property. Default: as the field. */
  readonly property?: string;
}

const count =
  (least: number): Parameter['check'] =>
  (name, value) =>
    integer(name, value, least, 1000);

/** The fields of a world that are parameters. */
const PARAMETERS = {
  lengthUnit: { standard: 1, check: positive },
  numSolverIterations: { standard: 4, check: count(1) },
  numInternalPgsIterations: { standard: 1, check: count(1) },
  maxCcdSubsteps: { standard: 1, check: count(0) },
  normalizedAllowedLinearError: { standard: 0.005, check: notNegative },
  normalizedPredictionDistance: { standard: 0.02, check: notNegative },
  contactNaturalFrequency: {
    standard: DEFAULT_CONTACT_NATURAL_FREQUENCY,
    check: positive,
    property: 'contact_natural_frequency',
  },
} satisfies Partial<Record<keyof WorldFields, Parameter>>;
type Name = keyof typeof PARAMETERS;
const ENTRIES = Object.entries(PARAMETERS) as readonly [Name, Parameter][];

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
  readonly #values = Object.fromEntries(
    ENTRIES.map(([name, { standard }]) => [name, standard]),
  ) as Record<Name, number>;
  readonly #change: () => WorldFields;
  readonly #tickRateHz: () => number;

  static {
    for (const [name, { check, property = name }] of ENTRIES) {
      Object.defineProperty(this.prototype, property, {
        configurable: true,
        get(this: OwnIntegrationParameters) {
          return this.#values[name];
        },
        set(this: OwnIntegrationParameters, value: number) {
          this.#set(name, check(property, value));
        },
      });
    }
  }

  /** @param change Returns the world's part of the open batch. */
  constructor(change: () => WorldFields, tickRateHz: () => number) {
    this.#change = change;
    this.#tickRateHz = tickRateHz;
  }

  /** Takes the parameters of the state that a jump has led to. */
  resync(fields: WorldFields): void {
    for (const [name] of ENTRIES) this.#values[name] = fields[name] ?? this.#values[name];
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

  #set(name: Name, value: number): void {
    if (isSameSetting(this.#values[name], value)) return;
    this.#values[name] = value;
    this.#change()[name] = value;
  }
}

export interface OwnIntegrationParameters extends Omit<
  IntegrationParameters,
  'dt' | 'contact_erp'
> {}
