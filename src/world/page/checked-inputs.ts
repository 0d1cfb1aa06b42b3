/** Checks of which inputs control something. */
import { keyCode } from '../../shared/input/key-codes.js';
import type { Json } from '../../shared/util/json.js';
import {
  requireKnownKeys,
  requireInteger,
  requireList,
  requireNumber,
} from '../../shared/util/validate.js';
import { DEFAULT_KEYS, type ControlInputs } from '../shared/control-inputs.js';

/**
 * A copy.
 *
 * @param numbers Names of its numbers from 0.
 * @param required Those of them that must be there.
 */
export function checkedInputs(
  inputs: ControlInputs,
  numbers: readonly string[],
  required: string,
): Json {
  requireKnownKeys('inputs', inputs, [...numbers, 'keys', 'gamepads']);
  const values = inputs as Readonly<Record<string, unknown>>;
  for (const name of numbers) {
    if (values[name] === undefined && name !== required) continue;
    requireNumber(`inputs.${name}`, values[name], 0, Number.MAX_VALUE);
  }
  const { keys = {}, gamepads = [] } = inputs;
  requireKnownKeys('inputs.keys', keys, Object.keys(DEFAULT_KEYS));
  for (const [control, names] of Object.entries(keys)) {
    for (const name of requireList(`inputs.keys.${control}`, names)) {
      if (keyCode(String(name)) >= 0) continue;
      throw new RangeError(
        `inputs.keys.${control} must have names of keys such as "KeyW", and has "${String(name)}"`,
      );
    }
  }
  for (const index of requireList('inputs.gamepads', gamepads)) {
    requireInteger('inputs.gamepads', index, 0, 255);
  }
  return JSON.parse(JSON.stringify(inputs)) as Json;
}
