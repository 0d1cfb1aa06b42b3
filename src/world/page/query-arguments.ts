/**
 * The arguments of queries. Each is checked by its name, whatever is asked, so that a query is a row: the name of the engine's
 * method, and those of its arguments.
 */
import { finite, flag, ray, reach, rotation, vector } from './checked-values.js';
import type { AskedEngine, EngineCollider } from './asked-engine.js';
import { shapeData } from './checked-shapes.js';

/** The engine's methods by their names: the compiler says which of them a class of the engine lacks. */
export type EngineQueries<Names extends string> = Readonly<
  Record<Names, (...args: never[]) => unknown>
>;

type Check = (name: string, value: never) => unknown;

const truth: Check = (_, value) => flag(value);

/** All others are points and velocities. */
const CHECKS: Readonly<Record<string, Check>> = {
  ray: (_, value) => ray(value),
  maxToi: reach,
  targetDistance: finite,
  prediction: finite,
  solid: truth,
  stopAtPenetration: truth,
  shapeRot: rotation,
  shape2Rot: rotation,
  shapeRot2: rotation,
  shape: shapeData,
  shape2: shapeData,
  callback: (_, value) => value,
};

const shapeOf = (engine: AskedEngine, data: never) => engine.shapeOf(data);

/** The engine has its own shapes and colliders. */
const CONVERSIONS: Readonly<Record<string, (engine: AskedEngine, value: never) => unknown>> = {
  shape: shapeOf,
  shape2: shapeOf,
  callback: (engine, callback: (found: unknown) => unknown) =>
    engine.callback((found: object) => callback(pageAnswer(engine, found))),
};

/** Prepares a query once. @returns Checks what it is given, and returns what gives the arguments for the engine. */
export function queryArguments(
  names: readonly string[],
): (given: readonly unknown[]) => (engine: AskedEngine) => readonly never[] {
  const checks = names.map((name) => CHECKS[name] ?? vector);
  const conversions = names.flatMap((name, index) => {
    const convert = CONVERSIONS[name];
    return convert === undefined ? [] : [[index, convert] as const];
  });
  return (given) => {
    const args = names.map((name, index) => checks[index]?.(name, given[index] as never) as never);
    return (engine) => {
      for (const [index, convert] of conversions)
        args[index] = convert(engine, args[index] as never) as never;
      return args;
    };
  };
}

/** An answer of the engine with the page's collider in it, or that collider itself. */
export function pageAnswer(engine: AskedEngine, found: unknown): unknown {
  if (typeof found !== 'object' || found === null) return found;
  if (!('collider' in found)) return engine.pageOf(found as EngineCollider);
  found.collider = engine.pageOf(found.collider as EngineCollider);
  return found;
}
