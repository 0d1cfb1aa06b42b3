/** What the page should measure: from its form, and at first from its address. */
import {
  choice,
  decimal,
  flag,
  integer,
  optional,
  type Parameter,
} from '../../site/common/parameters.js';
import type { AddressReader } from '../../site/common/settings-address.js';
import type { BenchOptions, Runtime } from '../engine/index.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { QUICK, DEFAULTS } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { MAX_BODIES, SCRIPTED_ENGINE, isScripted } from '../worker/bench-setup.js';

/** The texts of the form's fields. */
export interface PageFields {
  readonly scene: string;
  readonly engines: readonly string[];
  readonly bodies: string;
  readonly rates: string;
  readonly length: string;
}

/** Durations that only an address can set. */
export type Lengths = Partial<
  Pick<BenchOptions, 'seconds' | 'warmUpSeconds' | 'repeats' | 'searchesHeadroom'>
>;

const SCENE: Parameter<string> = {
  rule: 'a scene',
  parse: (text) =>
    isScripted(text) || SCENE_NAMES.some((name) => name === text) ? text : undefined,
  format: String,
};

/** Only the existing ones: an address may be from another version. */
const ENGINES: Parameter<readonly string[]> = {
  rule: 'a comma-separated list of engines',
  parse: (text) => {
    const known = text.split(',').filter((name) => isEngine(name));
    return known.length > 0 ? known : undefined;
  },
  format: (names) => names.join(','),
};

/** As it is typed: the form's check reports what is wrong with it. */
const TYPED: Parameter<string> = { rule: 'a text', parse: String, format: String };

export function fieldsFrom(address: AddressReader): PageFields {
  return {
    scene: address.read('scene', SCENE, 'heap'),
    engines: address.read('engines', ENGINES, DEFAULTS.engines),
    bodies: address.read('bodies', TYPED, DEFAULTS.bodies.join(', ')),
    rates: address.read('rates', TYPED, QUICK.tickRatesHz.join(', ')),
    length: address.read('length', choice(['quick', 'usual']), 'quick'),
  };
}

/** For tests and quick looks: `?seconds=0.3&warmUp=0.1&repeats=2&headroom=0`. */
export function lengthsFrom(address: AddressReader): Lengths {
  const given = <T>(name: string, parameter: Parameter<T>): T | undefined =>
    address.read<T | undefined>(name, optional(parameter), undefined);
  const seconds = given('seconds', decimal([0.1, 60]));
  const warmUpSeconds = given('warmUp', decimal([0, 60]));
  const repeats = given('repeats', integer([1, 100]));
  return {
    ...(seconds === undefined ? {} : { seconds }),
    ...(warmUpSeconds === undefined ? {} : { warmUpSeconds }),
    ...(repeats === undefined ? {} : { repeats }),
    ...(given('headroom', flag) === false ? { searchesHeadroom: false } : {}),
  };
}

/**
 * @param runtime This page's runtime.
 * @throws RangeError with a sentence that says what is wrong.
 */
export function optionsOf(fields: PageFields, lengths: Lengths, runtime: Runtime): BenchOptions {
  const { scene, engines, bodies, rates, length } = fields;
  if (engines.length === 0 && !isScripted(scene))
    throw new RangeError('Choose at least one engine.');
  return {
    ...(length === 'quick' ? QUICK : DEFAULTS),
    scenes: [scene],
    engines: isScripted(scene) ? [SCRIPTED_ENGINE] : engines,
    runtimes: [runtime],
    ...(isScripted(scene) ? { settleTicks: 0 } : {}),
    bodies: wholeNumbers('Bodies', bodies, MAX_BODIES),
    tickRatesHz: wholeNumbers('Ticks per second', rates, 1000),
    ...lengths,
  };
}

function wholeNumbers(name: string, text: string, max: number): number[] {
  const numbers = text
    .split(/[,;\s]+/)
    .filter((item) => item !== '')
    .map(Number);
  const isRight = numbers.every((value) => Number.isInteger(value) && value >= 1 && value <= max);
  if (numbers.length > 0 && isRight) return [...new Set(numbers)];
  throw new RangeError(
    `${name}: whole numbers from 1 to ${max.toLocaleString('en')}, separated by commas.`,
  );
}

const isEngine = (name: string): boolean => ENGINE_NAMES.some((known) => known === name);
