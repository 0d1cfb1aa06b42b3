/** Functions of the page that run within the ticks of a world in its own thread. */
import { expect, test, vi } from 'vitest';
import { BatchSender } from '../../../src/world/page/batch-sender.js';
import type { RunningTick } from '../../../src/world/worker/page-hooks.js';
import { replay } from '../../../src/sim-worker/index.js';
import * as page from '../../../src/world/page/index.js';
import type { Collider, RigidBody, World, WorldOptions } from '../../../src/world/page/index.js';
import type { SavedState } from '../../../src/shared/recording/recording.js';
import { eventually, until } from '../../fixtures/eventually.js';
import { createWorldSimulation } from '../../../src/world/worker/index.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  draw,
  expectReplay,
  warningsOfTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Classes = typeof page;
const { ActiveHooks, CharacterDesc, ColliderDesc, Ray, RigidBodyDesc, SolverFlags } = page;

const local = (options: WorldOptions = {}) =>
  createWorldForTest({ transport: 'local', ...options });

const stateOf = (body: RigidBody) =>
  [body.translation(), body.rotation(), body.linvel(), body.angvel()].flatMap((v) =>
    Object.values<number>({ ...v }).map(Math.fround),
  );

/** A ball that falls on the ground of either world, what is done with it around each step, and what is read then. */
function hooked(world: World, { ColliderDesc: Shape, Ray: Line, RigidBodyDesc: Desc }: Classes) {
  world.createCollider(Shape.cuboid(5, 0.5, 5));
  const body = world.createRigidBody(Desc.dynamic().setTranslation(0, 1.2, 0));
  const ball = world.createCollider(Shape.ball(0.5), body);
  const log: unknown[] = [];
  const ray = new Line({ x: 0.1, y: 4, z: 0 }, { x: 0, y: -1, z: 0 });
  const isOther = (collider: Collider): boolean => collider.handle !== ball.handle;
  return {
    body,
    log,
    beforeStep(): void {
      const { y } = body.translation();
      body.applyImpulse({ x: 0.1, y: 2 * (1 - y), z: 0 }, true);
      body.addForce({ x: 0, y: 3, z: body.linvel().x }, true);
      // An order that counts.
      body.applyImpulse({ x: 0, y: 0, z: 0.3 }, true);
      body.setLinvel({ ...body.linvel(), z: 0.5 * body.linvel().z }, true);
      const none = undefined;
      const below = world.castRay(ray, 10, true, none, none, none, none, isOther);
      log.push(world.castRay(ray, 10, true)?.timeOfImpact, below?.timeOfImpact);
      log.push(stateOf(body), body.userForce(), body.mass());
    },
    afterStep(): void {
      body.resetForces(true);
      log.push(stateOf(body), body.isSleeping());
      world.contactPairsWith(ball, (other) =>
        world.contactPair(ball, other, (manifold) => log.push(manifold.contactImpulse(0))),
      );
      if (body.translation().x > 0.2) body.setLinvel({ x: -1, y: body.linvel().y, z: 0 }, true);
    },
  };
}

test('hooks run around each step, read and ask about its state and write into it, as in a loop around the engine', async () => {
  const { rapier, engine } = await createEngineForTest();
  const their = hooked(engine as never, rapier as never);
  for (let tick = 0; tick < 60; tick++) {
    their.beforeStep();
    engine.step();
    their.afterStep();
  }
  // No engine of the page's is needed.
  const world = local();
  const { beforeStep, afterStep, ...own } = hooked(world, page);
  world.addStepHooks({ beforeStep, afterStep });
  await advance(world, 60);
  expect(own.log).toEqual(their.log);
  expect(own.log.length).toBeGreaterThan(60 * 7 + 10);
  // Outside of hooks, too.
  expect(own.body.translation()).toEqual(their.body.translation());
  own.body.setTranslation({ x: 7, y: 0, z: 0 }, true);
  expect(own.body.translation().x).toBe(7);
});

test('what a hook writes does not overtake a batch that no tick has taken yet', async () => {
  const sent = vi.fn<() => Promise<never>>(() => new Promise(() => {}));
  const applied = vi.fn<RunningTick['apply']>(() => ({ ids: [], problems: [] }));
  const batches = new BatchSender(() => {});
  batches.start({ applyBatch: sent, on() {} } as never, undefined as never);
  const change = (): void => void (batches.change().world.snapOver = 1);
  const write = (lastBatch: number): void => {
    change();
    batches.applyWithin(
      { tick: 5, lastBatch, apply: applied } as Partial<RunningTick> as RunningTick,
      'before',
    );
    batches.endWithin();
  };
  write(0);
  expect([sent, applied].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  change();
  batches.flush();
  write(1);
  expect([sent, applied].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  write(3);
  expect([sent, applied].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});

test('what hooks write is recorded, and they are not called in a replay or a seek', async () => {
  const world = local(RECORDED);
  const handle = await world.ready;
  const body = addBody(world, [0, 2, 0]);
  const ticks: number[] = [];
  let made: RigidBody | undefined;
  const remove = world.addStepHooks({
    beforeStep() {
      ticks.push(ticks.length);
      // Nothing that a replay could compute again.
      body.applyImpulse({ x: Math.random(), y: 0, z: 0 }, true);
    },
    afterStep() {
      if (ticks.length === 5) made = addBody(world, [5, 5, 5]);
      if (ticks.length === 15 && made !== undefined) world.removeRigidBody(made);
      else if (ticks.length > 5 && ticks.length < 15) {
        made?.setTranslation({ x: 5, y: Math.random(), z: 5 }, true);
      }
    },
  });
  await advance(world, 20);
  expect(ticks).toHaveLength(20);
  const { x } = body.translation();
  await expectReplay(world, 20);
  await handle.seek(10);
  expect(ticks).toHaveLength(20);
  draw(world);
  expect(body.translation().x).toBeLessThan(x);
  await eventually(() => expect(made?.isValid()).toBe(true));
  // The run continues from there, and hooks are called again.
  await advance(world, 5);
  expect(ticks).toHaveLength(25);
  await expectReplay(world, 15);
  remove();
  await advance(world, 1);
  expect(ticks).toHaveLength(25);
  // Without any hooks.
  const report = await replay(createWorldSimulation(), handle.recording());
  expect(report).toMatchObject({ tick: 16, hashes: 16, differsAt: undefined });
});

test('in a hook, a character has the numbers of the tick', async () => {
  const world = local();
  addBox(world, [5, 0.5, 5]);
  const capsule = addBody(
    world,
    [0, 1.6, 0],
    ColliderDesc.capsule(0.3, 0.2),
    RigidBodyDesc.kinematicPositionBased(),
  );
  const character = world.createCharacter(capsule.collider(0), new CharacterDesc());
  const found: number[] = [];
  world.addStepHooks({ beforeStep: () => void found.push(character.velocity.y) });
  await advance(world, 3);
  // As the tick before has left it, after one more pull of gravity.
  expect(found).toEqual([0, -9.81 / 60, (2 * -9.81) / 60].map((speed) => expect.closeTo(speed, 5)));
});

/** Balls above a floor, of which a filter lets one half through. */
async function filtered(options: WorldOptions = {}) {
  const world = local({ ...RECORDED, ...options });
  addBox(world, [5, 0.5, 5]);
  const shape = ColliderDesc.ball(0.5).setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS);
  const [falls, stays] = [addBody(world, [0, 1.2, 0], shape), addBody(world, [2, 1.2, 0], shape)];
  const asked: unknown[] = [];
  const remove = world.addStepHooks({
    filterContactPair(...handles) {
      asked.push(handles);
      const body = world.getRigidBody(handles[2] ?? handles[3] ?? 0);
      const { x } = body?.translation() ?? falls.translation();
      return x < 1 ? null : SolverFlags.COMPUTE_IMPULSE;
    },
  });
  return { world, falls, stays, asked, remove };
}

test('filters are asked within the step, also in a replay and a seek', async () => {
  const { world, falls, stays, asked, remove } = await filtered();
  await advance(world, 60);
  expect(falls.translation().y).toBeLessThan(-1);
  expect(stays.translation().y).toBeCloseTo(1, 1);
  // The floor has no body.
  expect(asked[0]).toEqual(expect.arrayContaining([undefined]));
  asked.length = 0;
  await expectReplay(world, 60);
  expect(asked).not.toHaveLength(0);
  const handle = await world.ready;
  await handle.seek(30);
  await advance(world, 30);
  expect(stays.translation().y).toBeCloseTo(1, 1);
  remove();
  await advance(world, 60);
  // The body rests there as any other one, as the engine has it without filters.
  expect(stays.translation().y).toBeCloseTo(1, 1);
});

test('a recording that was made with filters, or begins with such a state, refuses to run without them', async () => {
  const { world, remove } = await filtered();
  const handle = await world.ready;
  await advance(world, 10);
  const whole = handle.recording();
  await handle.restore(await handle.save());
  await advance(world, 10);
  await expectReplay(world, 20, 10);
  const restored = handle.recording();
  remove();
  await advance(world, 1);
  const missing = /recorded with filters of the page/;
  await expect(handle.seek(15)).rejects.toThrow(missing);
  await expect(replay(createWorldSimulation(), whole)).rejects.toThrow(missing);
  const other = await local().ready;
  await expect(other.openReplay(whole)).rejects.toThrow(missing);
  const opened = handle.openReplay(restored).then((shown) => shown.seek(15));
  await expect(opened).rejects.toThrow(missing);
  // The run itself continues from there, unfiltered, and is recorded as that.
  await handle.restore(restored.start as SavedState);
  await advance(world, 5);
  await expectReplay(world, 15, 5);
});

/** @returns Why the simulation fails in its next tick. */
async function failureOf(world: WorldForTest): Promise<string> {
  warningsOfTest();
  const handle = await world.ready;
  return new Promise((resolve) => {
    handle.on('status', (status) => {
      if (status.kind === 'failed') resolve(status.error.message);
    });
    handle.step(1).catch(() => {});
  });
}

test.each(['beforeStep', 'afterStep', 'filterContactPair', 'filterIntersectionPair'] as const)(
  'an error in %s fails the simulation as one of a system does',
  async (name) => {
    const world = local();
    const hooks = ActiveHooks.FILTER_CONTACT_PAIRS | ActiveHooks.FILTER_INTERSECTION_PAIRS;
    addBody(world, [0, 0, 0], ColliderDesc.ball(1).setActiveHooks(hooks));
    addBox(world, [1, 1, 1]);
    world.createCollider(ColliderDesc.ball(1).setSensor(true));
    world.addStepHooks({
      [name]() {
        throw new Error('too late');
      },
    });
    const message = await failureOf(world);
    expect(message).toContain(`a hook of the page failed in ${name}: too late`);
  },
);

test('a tick in which a hook throws once runs again, with what its hooks write once', async () => {
  warningsOfTest();
  const world = local({ ...RECORDED, recovery: 'restart' });
  const body = addBody(world);
  let ticks = 0;
  world.addStepHooks({
    beforeStep: () => body.applyImpulse({ x: 1, y: 0, z: 0 }, true),
    afterStep() {
      ticks += 1;
      if (ticks === 5) throw new Error('once');
    },
  });
  const handle = await world.ready;
  await advance(world, 4);
  const once = body.linvel().x / 4;
  await handle.step(1).catch(() => {});
  await until('it runs again', () => handle.state === 'paused' || handle.stats().tick >= 5);
  await advance(world, 10 - handle.stats().tick);
  expect(body.linvel().x).toBeCloseTo(10 * once, 4);
  await expectReplay(world, 10);
});

const ALONG_X = new Ray({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 });

test.each([
  ['changes something', (body: RigidBody) => body.applyImpulse({ x: 1, y: 0, z: 0 }, true)],
  ['removes something', (body: RigidBody, world: WorldForTest) => world.removeRigidBody(body)],
  ['asks for more than a pose', (body: RigidBody) => body.linvel()],
  ['casts a ray', (_: RigidBody, world: WorldForTest) => world.castRay(ALONG_X, 1, true)],
])('a filter that %s fails, with what to do instead', async (_, ask) => {
  const { world, stays } = await filtered();
  world.addStepHooks({
    filterContactPair() {
      ask(stays, world);
      return null;
    },
  });
  // The first filter answers for its pairs.
  addBody(world, [0, 1, 3], ColliderDesc.ball(1).setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS));
  expect(await failureOf(world)).toMatch(/runs within the step of the engine.*Let beforeStep/);
});

test('hooks that are added and removed in a hook count at once, and what one makes the next one finds', async () => {
  const world = local();
  await world.ready;
  const calls: string[] = [];
  const late = {
    beforeStep: () => void calls.push('late'),
    afterStep: () => void calls.push('after'),
  };
  const remove = world.addStepHooks({
    beforeStep() {
      calls.push('first');
      remove();
      world.addStepHooks(late);
      removeSecond();
    },
  });
  const removeSecond = world.addStepHooks({ beforeStep: () => void calls.push('second') });
  await advance(world, 2);
  expect(calls).toEqual(['first', 'late', 'after', 'late', 'after']);
  const body = addBody(world, [0, 5, 0]);
  const heights: number[] = [];
  world.addStepHooks({ beforeStep: () => void heights.push(body.linvel().y) });
  await advance(world, 3);
  expect(heights).toEqual([0, 1, 2].map((ticks) => expect.closeTo((ticks * -9.81) / 60, 5)));
});

test('a step that a hook asks for comes after those that were asked for before', async () => {
  const world = local();
  const handle = await world.ready;
  const steps: Promise<number>[] = [];
  world.addStepHooks({
    afterStep() {
      if (steps.length < 2) steps.push(handle.step(2));
    },
  });
  expect(await handle.step(2)).toBe(2);
  expect(await Promise.all(steps)).toEqual([4, 6]);
});

test('only a world in the thread of the page has step hooks', () => {
  const world = createWorldForTest({ transport: 'auto' });
  expect(() => world.addStepHooks({ beforeStep() {} })).toThrow(
    /define a system.*transport: 'local'/,
  );
  world.ready.catch(() => {});
  expect(() => local().addStepHooks({ before() {} } as never)).toThrow('before');
  expect(() => local().addStepHooks({ beforeStep: 5 } as never)).toThrow('beforeStep');
});
