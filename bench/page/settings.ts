/** What the page is asked to measure: from its form, and at first from its address. */
import type { BenchOptions, Runtime } from '../engine/index.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { QUICK, USUAL } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { MAX_BODIES, SCRIPTED_ENGINE, isScripted } from '../worker/bench-setup.js';

/** The form's fields as they are typed. */
export interface PageFields {
  readonly scene: string;
  readonly engines: readonly string[];
  readonly bodies: string;
  readonly rates: string;
  readonly length: string;
}

/** Lengths that only an address asks for. */
export type Lengths = Partial<
  Pick<BenchOptions, 'seconds' | 'warmUpSeconds' | 'repeats' | 'searchesHeadroom'>
>;

export function fieldsFrom(address: URLSearchParams): PageFields {
  const engines = (address.get('engines') ?? '').split(',').filter((name) => isEngine(name));
  const scene = address.get('scene') ?? '';
  return {
    scene: isScripted(scene) || SCENE_NAMES.some((name) => name === scene) ? scene : 'heap',
    engines: engines.length > 0 ? engines : USUAL.engines,
    bodies: address.get('bodies') ?? USUAL.bodies.join(', '),
    rates: address.get('rates') ?? String(QUICK.tickRatesHz.join(', ')),
    length: address.get('length') === 'usual' ? 'usual' : 'quick',
  };
}

/** For tests and impatient people: `?seconds=0.3&warmUp=0.1&repeats=2&headroom=0`. */
export function lengthsFrom(address: URLSearchParams): Lengths {
  const number = (name: string, low: number, high: number): number | undefined => {
    const value = Number(address.get(name) ?? Number.NaN);
    return value >= low && value <= high ? value : undefined;
  };
  const [seconds, warmUpSeconds] = [number('seconds', 0.1, 60), number('warmUp', 0, 60)];
  const repeats = number('repeats', 1, 100);
  return {
    ...(seconds === undefined ? {} : { seconds }),
    ...(warmUpSeconds === undefined ? {} : { warmUpSeconds }),
    ...(repeats === undefined ? {} : { repeats: Math.round(repeats) }),
    ...(address.get('headroom') === '0' ? { searchesHeadroom: false } : {}),
  };
}

/**
 * @param runtime What this page runs in.
 * @throws RangeError with a sentence that says what is wrong.
 */
export function optionsOf(fields: PageFields, lengths: Lengths, runtime: Runtime): BenchOptions {
  const { scene, engines, bodies, rates, length } = fields;
  if (engines.length === 0 && !isScripted(scene))
    throw new RangeError('Choose an engine at least.');
  return {
    ...(length === 'quick' ? QUICK : USUAL),
    scenes: [scene],
    engines: isScripted(scene) ? [SCRIPTED_ENGINE] : engines,
    runtimes: [runtime],
    ...(isScripted(scene) ? { settleTicks: 0 } : {}),
    bodies: wholeNumbers('Bodies', bodies, MAX_BODIES),
    tickRatesHz: wholeNumbers('Ticks a second', rates, 1000),
    ...lengths,
  };
}

function wholeNumbers(name: string, text: string, most: number): number[] {
  const numbers = text
    .split(/[,;\s]+/)
    .filter((item) => item !== '')
    .map(Number);
  const isRight = numbers.every((value) => Number.isInteger(value) && value >= 1 && value <= most);
  if (numbers.length > 0 && isRight) return [...new Set(numbers)];
  throw new RangeError(
    `${name}: whole numbers from 1 to ${most.toLocaleString('en')}, with commas between them.`,
  );
}

const isEngine = (name: string): boolean => ENGINE_NAMES.some((known) => known === name);
