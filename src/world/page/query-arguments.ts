/**
 * The arguments of queries. Each is taken by its name as the engine's JavaScript takes it, whatever is asked, so that a query is
 * a row: the name of the engine's method, and those of its arguments. The engine's answer is arbitrary without a `maxToi`, which
 * is no limit here, and for what is not a number, with which a query finds nothing.
 */
import { warnOnce } from '../../shared/util/development.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireObject } from '../../shared/util/validate.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from '../shared/shape-data.js';
import { flag } from './checked-values.js';
import { shapeData } from './checked-shapes.js';
import type { RayData } from './query-types.js';
import type { AskedEngine, EngineCollider, RapierShape } from './asked-engine.js';
import type { AnyItem, WorldLink } from './world-link.js';

/** The engine's methods by their names: the compiler says which of them a class of the engine lacks. */
export type EngineQueries<Names extends string> = Readonly<
  Record<Names, (...args: never[]) => unknown>
>;

/** Makes the engine's arguments of the page's; for a shape alone, without colliders. */
export type Answering = Pick<AskedEngine, 'shapeOf'> &
  Partial<Pick<AskedEngine, 'callback' | 'pageOf' | 'colliderOf'>>;

/** An argument with which nothing can be found: what is not a number, or a collider that was removed. */
const NOTHING = Symbol('nothing');

/** @throws TypeError, as the engine does. */
type Take = (name: string, value: never, link: WorldLink | undefined) => unknown;

function point(name: string, value: Readonly<Vector>): Vector | typeof NOTHING {
  if (value === null || value === undefined) requireObject(name, value, ' { x, y, z }');
  const [x, y, z] = [Number(value.x), Number(value.y), Number(value.z)];
  // A number that is infinite in 32 bits makes the sum infinite or NaN.
  if (Number.isFinite(Math.fround(x) + Math.fround(y) + Math.fround(z))) return { x, y, z };
  return nothingOf(name, '{ x, y, z } of finite numbers');
}

function rotation(name: string, value: Readonly<Rotation>): Rotation | typeof NOTHING {
  const turned = point(name, value);
  const w = Number(value.w);
  if (turned === NOTHING) return NOTHING;
  const { x, y, z } = turned;
  const length = Math.hypot(x, y, z, w);
  if (length > 0 && Number.isFinite(Math.fround(w))) return { x, y, z, w };
  return nothingOf(name, 'a quaternion { x, y, z, w } of finite numbers');
}

function ray(name: string, value: RayData): RayData | typeof NOTHING {
  requireObject(name, value, ' { origin, dir }');
  const origin = point('ray.origin', value.origin);
  const dir = point('ray.dir', value.dir);
  return origin === NOTHING || dir === NOTHING ? NOTHING : { origin, dir };
}

/** How far something goes: without a limit if it is missing, and with Infinity, as far as 32 bits can say. */
function reach(name: string, value: unknown): number | typeof NOTHING {
  const number = value === undefined ? LIMITS.float32 : Number(value);
  if (!Number.isNaN(number)) return Math.min(number, LIMITS.float32);
  return nothingOf(name, 'a number');
}

/** 0 if it is missing or not a number. */
const distance = (value: unknown): number => Math.min(Number(value) || 0, LIMITS.float32);

const within = (size: number): number => Math.min(Number(size), LIMITS.float32);

const halfSizes = (name: string, value: Readonly<Vector>): Vector | typeof NOTHING => {
  const { x, y, z } = value ?? {};
  return point(name, value && { x: within(x), y: within(y), z: within(z) });
};

function nothingOf(name: string, expected: string): typeof NOTHING {
  warnOnce(
    `the argument ${name} of a query`,
    `a query found nothing, because its argument ${name} is not ${expected}`,
  );
  return NOTHING;
}

function collider(name: string, item: AnyItem, link: WorldLink | undefined): unknown {
  const handle = link?.handleIn(name, 'collider', item);
  if (handle !== undefined) return handle;
  if (item === null || item === undefined) {
    throw new TypeError(`${name} must be a collider of this world, but is ${item}`);
  }
  link?.warnOfRemoved('collider', item);
  return NOTHING;
}

const truth: Take = (_, value) => flag(value);
const amount: Take = (_, value) => distance(value);
const asGiven: Take = (_, value) => value;

/** All others are points and velocities. */
const TAKEN: Readonly<Record<string, Take>> = {
  ray,
  maxToi: reach,
  targetDistance: amount,
  prediction: amount,
  solid: truth,
  stopAtPenetration: truth,
  shapeRot: rotation,
  shapeRot1: rotation,
  shapeRot2: rotation,
  shape2Rot: rotation,
  aabbHalfExtents: halfSizes,
  shape: shapeData,
  shape2: shapeData,
  collider2: collider,
  callback: asGiven,
  target: asGiven,
};

type Convert = (engine: Answering, value: never) => unknown;
const shapeOf = (engine: Answering, data: ShapeData): RapierShape => engine.shapeOf(data);

/** The engine has its own shapes and colliders. */
const CONVERSIONS: Readonly<Record<string, Convert>> = {
  shape: shapeOf,
  shape2: shapeOf,
  collider2: (engine, handle: number) => engine.colliderOf?.(handle) ?? NOTHING,
  callback: (engine, callback: unknown) =>
    engine.callback?.((found: object) =>
      typeof callback === 'function' ? callback(pageAnswer(engine, found)) : undefined,
    ),
};

/** Gives the arguments for the engine. Undefined: nothing can be found. */
type EngineArguments = (engine: Answering) => readonly never[] | undefined;
const findsNothing: EngineArguments = () => undefined;

/**
 * Prepares a query once.
 *
 * @returns Takes what it is given.
 */
export function queryArguments(
  names: readonly string[],
): (given: readonly unknown[], link?: WorldLink) => EngineArguments {
  const takes = names.map((name) => TAKEN[name] ?? point);
  const conversions = names.flatMap((name, index) => {
    const convert = CONVERSIONS[name];
    return convert === undefined ? [] : [[index, convert] as const];
  });
  return (given, link) => {
    const args = takes.map((take, index) => take(names[index] ?? '', given[index] as never, link));
    if (args.includes(NOTHING)) return findsNothing;
    return (engine) => {
      for (const [index, convert] of conversions) {
        args[index] = convert(engine, args[index] as never);
        if (args[index] === NOTHING) return undefined;
      }
      return args as never[];
    };
  };
}

/** An answer of the engine with the page's collider in it, or that collider itself. */
export function pageAnswer(engine: Answering, found: unknown): unknown {
  if (typeof found !== 'object' || found === null) return found;
  return 'collider' in found
    ? withPageCollider(engine, found)
    : engine.pageOf?.(found as EngineCollider);
}

/** An answer of the engine with the page's collider in it, if it has one. */
export function withPageCollider(engine: Answering, found: unknown): unknown {
  if (typeof found === 'object' && found !== null && 'collider' in found) {
    found.collider = engine.pageOf?.(found.collider as EngineCollider);
  }
  return found;
}
