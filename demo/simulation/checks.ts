/** Checks of the page's requests. Every message names the argument and the rule that it broke. */
import {
  FAULTS,
  SCENES,
  SCENE_NAMES,
  type Fault,
  type SceneName,
  type SceneRequest,
  type Vector,
} from '../contract/scene-contract.js';
import { lengthOf, times } from './vectors.js';

/** @throws TypeError if it is not a number. @throws RangeError if it is NaN or infinite. */
export function requireFinite(name: string, value: unknown): number {
  if (typeof value !== 'number')
    throw new TypeError(`${name} must be a number, but is ${what(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`${name} must be finite, but is ${value}`);
  return value;
}

/** Three finite numbers. */
export function requireVector(name: string, value: unknown): Vector {
  if (!Array.isArray(value) || value.length !== 3) {
    throw new TypeError(`${name} must be an array of three numbers, but is ${what(value)}`);
  }
  const [x, y, z] = value.map((number, index) => requireFinite(`${name}[${index}]`, number));
  return [x ?? 0, y ?? 0, z ?? 0];
}

/** A vector of length 1 in the direction given. */
export function requireDirection(name: string, value: unknown): Vector {
  const vector = requireVector(name, value);
  const length = lengthOf(vector);
  if (!(length > 1e-12)) throw new RangeError(`${name} must not have the length 0`);
  return times(vector, 1 / length);
}

/** The request with its number of bodies clamped to the scene's range. */
export function requireSceneRequest(value: unknown): SceneRequest {
  const request = requireObject('the scene request', value);
  const name = requireSceneName(request.name);
  const [min, , max] = SCENES[name].bodies;
  const bodies = Math.round(requireFinite('bodies', request.bodies));
  return {
    name,
    bodies: Math.min(max, Math.max(min, bodies)),
    seed: requireFinite('seed', request.seed),
  };
}

export function requireFault(value: unknown): Fault {
  const fault = FAULTS.find((known) => known === value);
  if (fault === undefined) {
    throw new RangeError(`unknown fault "${String(value)}"; known are ${FAULTS.join(', ')}`);
  }
  return fault;
}

function requireSceneName(value: unknown): SceneName {
  if (typeof value !== 'string')
    throw new TypeError(`name must be a string, but is ${what(value)}`);
  const name = SCENE_NAMES.find((known) => known === value);
  if (name === undefined) {
    throw new RangeError(`unknown scene "${value}"; known are ${SCENE_NAMES.join(', ')}`);
  }
  return name;
}

function requireObject(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${name} must be an object, but is ${what(value)}`);
  }
  return value as Record<string, unknown>;
}

function what(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `an array of ${value.length}` : `a value of type ${typeof value}`;
}
