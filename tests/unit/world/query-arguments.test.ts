/**
 * Each argument of each query, left out, `undefined`, `null` or of a neighbouring type, against the engine itself. Where its
 * answer is arbitrary, the table says what a world answers.
 */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import type { World } from '../../../src/world/page/index.js';
import {
  NO_GRAVITY,
  advance,
  createEngineForTest,
  createWorldForTest,
  warningsOfTest,
} from '../../fixtures/worlds.js';

type Classes = typeof page;
type Values = Readonly<Record<string, unknown>>;

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const UPRIGHT = { ...at(0), w: 1 };
const NONE = Number.NaN;
/** A vector, or a rotation, of values that may be no numbers. */
const raw = (x: unknown, y: unknown, z: unknown, w?: unknown) => ({ x, y, z, w });

/** A world, or one of the engine: a box about the origin, and a ball below it. */
function contents(world: World, classes: Classes, foreign: unknown) {
  const { Ball, ColliderDesc, Cuboid, Ray, RigidBodyDesc } = classes;
  const body = world.createRigidBody(RigidBodyDesc.fixed());
  const box = world.createCollider(ColliderDesc.cuboid(1, 1, 1), body);
  const below = ColliderDesc.ball(1).setTranslation(0.3, -4, 0).setCollisionGroups(0x0001_0001);
  const other = world.createCollider(below);
  const given: Values = {
    ray: new Ray(at(0.2, 5), at(0, -1)),
    shape: new Ball(0.5),
    foreign,
    other,
    body,
    box,
  };
  return { world, box, other, shape: new Cuboid(1, 1, 1), given };
}
type Contents = ReturnType<typeof contents>;

const FOUND = Symbol('what a callback is given');
const FILTER: Values = {
  flags: undefined,
  groups: undefined,
  collider: undefined,
  body: undefined,
  predicate: undefined,
};
const PLACE: Values = { shapePos: at(0), shapeRot: UPRIGHT };
const RAY: Values = { ray: 'ray', maxToi: 20, solid: true };
const CAST: Values = { targetDistance: 0, maxToi: 20, stopAtPenetration: true };
const ABOVE: Values = { pos: at(0, 5), rot: UPRIGHT };
const WITHIN: Values = { pos: at(0, 1), rot: UPRIGHT, shape: 'shape' };
const NEAR: Values = { shape: 'shape', pos: at(0, 1.4), rot: UPRIGHT };

/** Arguments with which each query finds something. */
const QUERIES: Readonly<Record<string, Values>> = {
  'world.castRay': { ...RAY, ...FILTER },
  'world.castRayAndGetNormal': { ...RAY, ...FILTER },
  'world.intersectionsWithRay': { ...RAY, callback: FOUND, ...FILTER },
  'world.castShape': { ...ABOVE, vel: at(0, -1), shape: 'shape', ...CAST, ...FILTER },
  'world.intersectionWithShape': { ...WITHIN, ...FILTER },
  'world.intersectionsWithShape': { ...WITHIN, callback: FOUND, ...FILTER },
  'world.intersectionsWithPoint': { point: at(0, 0.5), callback: FOUND, ...FILTER },
  'world.projectPoint': { point: at(0, 0.5), solid: true, ...FILTER },
  'world.projectPointAndGetFeature': { point: at(0, 0.5), ...FILTER },
  'world.collidersWithAabbIntersectingAabb': {
    center: at(0, 0.5),
    half: at(0.1, 0.1, 0.1),
    callback: FOUND,
  },
  'box.castRay': RAY,
  'box.intersectsRay': { ray: 'ray', maxToi: 20 },
  'box.castRayAndGetNormal': RAY,
  'box.containsPoint': { point: at(0, 0.5) },
  'box.projectPoint': { point: at(0, 0.5), solid: true },
  'box.castShape': { vel1: at(0, 1), shape: 'shape', ...ABOVE, vel2: at(0, -1), ...CAST },
  'box.castCollider': { vel1: at(0, -1), collider2: 'other', vel2: at(0, 1), ...CAST },
  'box.intersectsShape': NEAR,
  'box.contactShape': { ...NEAR, prediction: 0.5 },
  'box.contactCollider': { collider2: 'other', prediction: 9 },
  'shape.castShape': { ...PLACE, vel1: at(0), shape: 'shape', ...ABOVE, vel2: at(0, -1), ...CAST },
  'shape.intersectsShape': { ...PLACE, ...NEAR },
  'shape.contactShape': { ...PLACE, ...NEAR, prediction: 0.5 },
  'shape.containsPoint': { ...PLACE, point: at(0, 0.5) },
  'shape.projectPoint': { ...PLACE, point: at(0, 0.5), solid: true },
  'shape.intersectsRay': { ray: 'ray', ...PLACE, maxToi: 20 },
  'shape.castRay': { ray: 'ray', ...PLACE, maxToi: 20, solid: true },
  'shape.castRayAndGetNormal': { ray: 'ray', ...PLACE, maxToi: 20, solid: true },
};

/** The engine's answers to these are arbitrary: nothing is found. */
const NO_VECTOR = [{}, [0, 1, 0], 5, true, 'x', { x: 0, y: 1 }, at(NONE), at(Infinity), at(1e39)];
const NO_ROTATION = [
  {},
  at(0),
  5,
  true,
  raw(NONE, 0, 0, 1),
  raw(0, 0, 0, Infinity),
  raw(0, 0, 0, 0),
];
const NO_NUMBER = [NONE, 'x', {}, [1, 2]];
const BOOLEANS = [undefined, null, 0, 1, 2, 0.5, -1, NONE, true, false, 'x', '1', '', {}];

/** Values by the kinds of arguments: those that the engine and a world answer alike, or both refuse. */
const SAME: Readonly<Record<string, readonly unknown[]>> = {
  vector: [undefined, null, raw('0', '1', ''), raw(0, 1, null), raw(0, true, [])],
  rotation: [undefined, null, raw('0', '0', '0', '1'), raw(0, 0, 1, 5), raw(null, 0, 0, true)],
  ray: [
    undefined,
    null,
    {},
    5,
    'x',
    { origin: at(0) },
    { dir: at(0) },
    { origin: null, dir: null },
    { origin: at(0.2, 5), dir: at(0, -1) },
    { origin: at(0.2, 5), dir: at(0) },
    { origin: raw('0.2', '5', null), dir: raw('', '-1', false) },
  ],
  sizes: [undefined, null, raw('0', '1', ''), at(Infinity, 1, 1), at(1, 1e39, 1)],
  shape: [undefined, null, {}, 5, 'x', 'foreign'],
  maxToi: [null, '9', '', 3, 0, -1, true, [9], Infinity, 1e39],
  distance: [null, '9', '', true, 0, -1, [9], Infinity],
  flag: BOOLEANS,
  flags: [...BOOLEANS, 4, '4', 2 ** 32 + 1],
  groups: [...BOOLEANS, 0x0001_0001, '65537', 2 ** 32],
  excluded: BOOLEANS,
  predicate: BOOLEANS,
  callback: [undefined, null, {}, 5, 'x'],
  collider2: [undefined, null],
};
/** By kinds: what those that are missing are. */
const MISSING: Values = { maxToi: Infinity, distance: 0 };
/** By kinds: those to which a world answers that nothing is there. */
const NOTHING: Readonly<Record<string, readonly unknown[]>> = {
  vector: NO_VECTOR,
  rotation: NO_ROTATION,
  sizes: [{}, [0, 1, 0], 5, true, 'x', { x: 0, y: 1 }, at(NONE)],
  maxToi: NO_NUMBER,
  ray: [
    { origin: at(NONE), dir: at(0, -1) },
    { origin: at(0), dir: at(NONE) },
    { origin: [0, 5, 0], dir: [0, -1, 0] },
  ],
};
const KINDS: Readonly<Record<string, string>> = {
  half: 'sizes',
  targetDistance: 'distance',
  prediction: 'distance',
  solid: 'flag',
  stopAtPenetration: 'flag',
  collider: 'excluded',
  body: 'excluded',
};
const kindOf = (name: string): string =>
  KINDS[name] ?? (name in SAME ? name : /rot/i.test(name) ? 'rotation' : 'vector');
/** The answers that nothing is there, apart from null. */
const NO_ANSWER: Values = {
  'box.castRay': -1,
  'shape.castRay': -1,
  'box.intersectsRay': false,
  'box.containsPoint': false,
  'box.intersectsShape': false,
  'shape.intersectsShape': false,
  'shape.containsPoint': false,
  'shape.intersectsRay': false,
  'shape.projectPoint': { point: at(NONE, NONE, NONE), isInside: false },
};

/** Calls a query with arguments, of which names stand for what is given. */
function ask(
  { given, ...targets }: Contents,
  query: string,
  args: readonly unknown[],
  callback?: (each: unknown) => boolean,
): unknown {
  const [target, method] = query.split('.') as ['world' | 'box' | 'shape', string];
  const taken = args.map((value) =>
    value === FOUND
      ? callback
      : typeof value === 'string' && Object.hasOwn(given, value)
        ? given[value]
        : value,
  );
  const call = targets[target] as unknown as Record<string, (...all: unknown[]) => unknown>;
  return call[method]?.(...taken);
}

/** @returns The answer, with what callbacks were given, and names of colliders. An error that is thrown is its type. */
function answerOf(contained: Contents, query: string, args: readonly unknown[]): unknown {
  const found: unknown[] = [];
  const nameOf = (value: unknown): unknown => {
    const handle = (value as page.Collider | null)?.handle;
    if (value === contained.box || handle === contained.box.handle) return 'box';
    return handle === contained.other.handle ? 'other' : value;
  };
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && nameOf(value) === value
      ? { ...value, ...('collider' in value && { collider: nameOf(value.collider) }) }
      : nameOf(value);
  try {
    const answer = plain(ask(contained, query, args, (each) => found.push(plain(each)) > 0));
    return found.length > 0 ? found.toSorted() : (answer ?? null);
  } catch (error) {
    return (error as Error).name;
  }
}

/** Each query with each argument replaced, by a text that says so. */
function callsWith(values: Readonly<Record<string, readonly unknown[]>>) {
  return Object.entries(QUERIES).flatMap(([query, args]) =>
    Object.keys(args).flatMap((name, index) =>
      (values[kindOf(name)] ?? []).map((value) => ({
        query,
        text: `${query} with ${name} = ${inspect(value)}`,
        args: Object.values(args).with(index, value),
      })),
    ),
  );
}

test('queries take each argument as the engine does, or find nothing', async () => {
  const warnings = warningsOfTest();
  const { rapier, engine } = await createEngineForTest();
  const world = createWorldForTest({ ...NO_GRAVITY, queries: true });
  await world.ready;
  const own = contents(world, page, new rapier.Ball(0.5));
  const their = contents(engine as never, rapier as never, new rapier.Ball(0.5));
  engine.step();
  await advance(world, 1);
  const answers = (of: Contents, calls: ReturnType<typeof callsWith>) =>
    Object.fromEntries(calls.map(({ query, text, args }) => [text, answerOf(of, query, args)]));

  const complete = Object.entries(QUERIES).map(([query, args]) => ({
    query,
    text: query,
    args: Object.values(args),
  }));
  expect(answers(own, complete)).toEqual(answers(their, complete));
  for (const answer of Object.values(answers(own, complete))) {
    expect([null, false, -1]).not.toContain(answer);
  }
  expect(answers(own, callsWith(SAME))).toEqual(answers(their, callsWith(SAME)));
  const leftOut = complete.flatMap(({ query, args }) =>
    args.map((_, index) => ({ query, text: `${query} of ${index}`, args: args.slice(0, index) })),
  );
  // Without a limit, a ray and a shape have none, and without a distance, shapes have to touch.
  const filled = leftOut.map((call) => {
    const missing = Object.keys(QUERIES[call.query] ?? {}).slice(call.args.length);
    return { ...call, args: [...call.args, ...missing.map((name) => MISSING[kindOf(name)])] };
  });
  expect(answers(own, leftOut)).toEqual(answers(their, filled));
  const instead = { maxToi: [undefined], distance: [undefined, ...NO_NUMBER] };
  const taken = { maxToi: [Infinity], distance: instead.distance.map(() => 0) };
  expect(Object.values(answers(own, callsWith(instead)))).toEqual(
    callsWith(taken).map(({ query, args }) => answerOf(their, query, args)),
  );
  expect(answers(own, callsWith(NOTHING))).toEqual(
    Object.fromEntries(
      callsWith(NOTHING).map(({ query, text }) => [text, NO_ANSWER[query] ?? null]),
    ),
  );
  expect(warnings()).toContain(
    'betwixt: a query found nothing, because its argument ray.dir is not { x, y, z } of finite numbers',
  );
  expect(new Set(warnings()).size).toBe(warnings().length);
});

/** To the digits that 32 bits have on both sides. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(5)) + 0 : each,
    ),
  );

/** A target of any method. */
const empty = (): Record<string, object> =>
  Object.fromEntries(
    'point normal witness1 witness2 normal1 normal2 point1 point2'
      .split(' ')
      .map((name) => [name, {}]),
  );

/** Queries that fill a target, which is their last argument. */
const FILLING = ['projectPoint', 'castRayAndGetNormal', 'castShape', 'contactShape'].flatMap(
  (name) => [`box.${name}`, `shape.${name}`],
);

const BODY =
  `translation rotation nextTranslation nextRotation linvel angvel userForce userTorque effectiveInvMass localCom worldCom
  principalInertia invPrincipalInertia principalInertiaLocalFrame`.split(/\s+/) as 'linvel'[];
const COLLIDER = `translation rotation translationWrtParent rotationWrtParent halfExtents`.split(
  ' ',
) as 'translation'[];

/** @returns What all methods with a target fill it with. */
function fillAll(either: World, classes: Classes): unknown {
  const contained = contents(either, classes, undefined);
  const { box, other, given } = contained;
  const { ColliderDesc, RigidBodyDesc } = classes;
  const moving = RigidBodyDesc.dynamic()
    .setTranslation(1, 2, 3)
    .setLinvel(1, 2, 3)
    .setAngvel(at(2));
  const body = either.createRigidBody(
    moving.setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }),
  );
  either.createCollider(ColliderDesc.cuboid(1, 2, 3).setDensity(2).setTranslation(1, 0, 0), body);
  const grid = ColliderDesc.heightfield(1, 1, new Float32Array(4), at(2, 1, 3));
  const field = either.createCollider(grid.setTranslation(0, 0, 99));
  const data = classes.JointData.spherical(at(1), at(2));
  const joint = either.createImpulseJoint(data, body, given['body'] as page.RigidBody, true);
  const collider = body.collider(0);
  body.addForce(at(1), true);
  body.recomputeMassPropertiesFromColliders();
  const calls: ((target: never) => unknown)[] = [
    ...BODY.map((name) => (target: never) => body[name](target)),
    (target) => body.velocityAtPoint(at(1), target),
    ...COLLIDER.map((name) => (target: never) => collider[name](target)),
    (target) => field.heightfieldScale(target),
    (target) => joint.anchor1(target),
    (target) => joint.frameX2(target),
    (target) => box.contactCollider(other, 9, target),
    ...FILLING.map(
      (query) => (target: never) =>
        ask(contained, query, [...Object.values(QUERIES[query] ?? {}), target]),
    ),
  ];
  const hit = empty() as { collider?: page.Collider };
  box.castCollider(at(0, -1), other, at(0), 0, 9, true, hit as never);
  expect(hit.collider).toBe(other);
  return calls.map((call) => {
    const target = empty();
    expect(call(target as never)).toBe(target);
    return rounded(target);
  });
}

test('answers fill a target as those of the engine do', async () => {
  const { rapier, engine } = await createEngineForTest();
  const world = createWorldForTest({ ...NO_GRAVITY, queries: true });
  await world.ready;
  expect(fillAll(world, page)).toEqual(fillAll(engine as never, rapier as never));
});
