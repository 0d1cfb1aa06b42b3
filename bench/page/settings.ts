/** The settings of a measurement: from the page's form, and at first from its address. */
import { choice, decimal, integer, type Parameter } from '../../site/parameters.js';
import type { AddressReader } from '../../site/settings-address.js';
import type { BenchOptions } from '../engine/index.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { QUICK } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { SCRIPTED_ENGINE, isScripted } from '../worker/bench-setup.js';
import { thisRuntime } from './this-device.js';

const SCENE: Parameter<string> = {
  rule: 'a scene',
  parse: (text) =>
    isScripted(text) || SCENE_NAMES.some((name) => name === text) ? text : undefined,
  format: String,
};

/** The initial values of the form's fields: `?scene=rain&engine=jolt&rate=30`. */
export const fieldsFrom = (address: AddressReader) => ({
  scene: address.read('scene', SCENE, 'heap'),
  engine: address.read('engine', choice<string>(ENGINE_NAMES), 'rapier-simd'),
  rate: String(address.read('rate', integer([1, 1000]), 60)),
});

/** A search, as of a quick run; for tests and quick looks `?seconds=0.3&warmUp=0.1`. */
export function optionsOf(
  { scene, engine, rate }: ReturnType<typeof fieldsFrom>,
  address: AddressReader,
): BenchOptions {
  return {
    ...QUICK,
    scenes: [scene],
    engines: [isScripted(scene) ? SCRIPTED_ENGINE : engine],
    runtimes: [thisRuntime()],
    ...(isScripted(scene) ? { settleTicks: 0 } : {}),
    bodies: [],
    tickRatesHz: [Number(rate)],
    seconds: address.read('seconds', decimal([0.1, 60]), QUICK.seconds),
    warmUpSeconds: address.read('warmUp', decimal([0, 60]), QUICK.warmUpSeconds),
  };
}
