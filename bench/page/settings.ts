/** The settings of a measurement: in the page's form, and in its address. */
import { choice, integer, type Parameter } from '../../site/common/parameters.js';
import type { AddressReader } from '../../site/common/settings-address.js';
import type { BenchOptions } from '../engine/index.js';
import { ENGINE_NAMES, type EngineName } from '../engines/bench-world.js';
import { DEFAULTS } from '../runner/settings.js';
import { SCENE_NAMES, type SceneName } from '../scenes/bench-scene.js';
import { SCRIPTED_ENGINE, isScripted } from '../worker/bench-setup.js';
import { thisRuntime } from './this-device.js';

/** Texts of the form's fields. */
export interface Fields {
  readonly scene: string;
  readonly engine: string;
  readonly rate: string;
}

export const DEFAULT_FIELDS: Fields = { scene: 'heap', engine: 'rapier-simd', rate: '60' };

export const SCENE_LABELS: Readonly<Record<SceneName, string>> = {
  heap: 'a pile of boxes that never rests',
  rain: 'falling boxes and balls',
  resting: 'boxes that rest',
  stack: 'towers of boxes',
};

export const ENGINE_LABELS: Readonly<Record<EngineName, string>> = {
  'rapier-simd': 'Rapier',
  rapier: 'Rapier without SIMD',
  'rapier-deterministic': 'Rapier, deterministic',
  cannon: 'cannon-es',
  jolt: 'Jolt Physics',
};

export const RATE_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  ['30', '60', '120', '240'].map((rate) => [rate, rate]),
);

/** A scripted scene has steps of known cost, for tests. */
const SCENE: Parameter<string> = {
  rule: `one of ${SCENE_NAMES.join(', ')}`,
  parse: (text) =>
    isScripted(text) || SCENE_NAMES.some((name) => name === text) ? text : undefined,
  format: String,
};

/** `?scene=rain&engine=jolt&rate=30`. */
export const fieldsFrom = (address: AddressReader): Fields => ({
  scene: address.read('scene', SCENE, DEFAULT_FIELDS.scene),
  engine: address.read('engine', choice<string>(ENGINE_NAMES), DEFAULT_FIELDS.engine),
  rate: String(address.read('rate', integer([1, 1000]), Number(DEFAULT_FIELDS.rate))),
});

export const optionsOf = ({ scene, engine, rate }: Fields): BenchOptions => ({
  ...DEFAULTS,
  scenes: [scene],
  engines: [isScripted(scene) ? SCRIPTED_ENGINE : engine],
  runtimes: [thisRuntime()],
  tickRatesHz: [Number(rate)],
});

/** The command that measures the same in a terminal. */
export function commandOf({ scene, engine, rate }: Fields): string {
  const flags = [
    scene === DEFAULT_FIELDS.scene ? '' : ` --scene ${scene}`,
    engine === DEFAULT_FIELDS.engine ? '' : ` --engine ${engine}`,
    rate === DEFAULT_FIELDS.rate ? '' : ` --tick-hz ${rate}`,
  ].join('');
  return `npm run bench${flags === '' ? '' : ` --${flags}`}`;
}
