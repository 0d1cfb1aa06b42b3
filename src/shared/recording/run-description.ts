/** Checks the description of a run, wherever it comes from: a file, a saved state, an application. */
import { copyOfJson } from '../util/json.js';
import { MAX_CAPACITY, MAX_VALUES } from '../memory/layout.js';
import * as LIMITS from '../util/limits.js';
import { INVALID_POSE_POLICIES, type RunDescription } from './recording.js';
import { requireChoice, requireInteger, requireObject, requireText } from '../util/validate.js';

/**
 * Returns the description without other properties, whose names in messages begin with `path`. The limits are those of `connect`: an impossible run is refused
 * before memory is allocated for it.
 *
 * @throws TypeError, RangeError naming the property that does not match its type.
 */
export function requireRunDescription(value: unknown, path = ''): RunDescription {
  const run = requireObject<RunDescription>('the description of a run', value);
  if (run.setup === undefined) throw new TypeError(`${path}setup must be there, but is undefined`);
  return {
    seed: requireInteger(`${path}seed`, run.seed, ...LIMITS.seed),
    setup: copyOfJson(`${path}setup`, run.setup),
    capacity: requireInteger(`${path}capacity`, run.capacity, 1, MAX_CAPACITY),
    engine: requireText(`${path}engine`, run.engine),
    invalidPoses: requireChoice(`${path}invalidPoses`, run.invalidPoses, INVALID_POSE_POLICIES),
    generation: requireInteger(`${path}generation`, run.generation, ...LIMITS.generation),
    ...(run.values !== undefined && {
      values: requireInteger(`${path}values`, run.values, 0, MAX_VALUES),
    }),
  };
}

/** @throws TypeError, RangeError if it is not a step: a finite number of seconds above 0. */
export function requireStep(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a step must be a number of seconds');
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`a step must be a finite number of seconds above 0, but is ${value}`);
}
