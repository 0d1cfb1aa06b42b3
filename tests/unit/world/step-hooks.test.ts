/** Functions of the page that run within the ticks of a world in its own thread. */
import { expect, test, vi } from 'vitest';
import { BatchSender } from '../../../src/world/page/batch-sender.js';
import type { RunningTick } from '../../../src/world/worker/page-hooks.js';
import { replay } from '../../../src/sim-worker/index.js';
import {
  ActiveHooks,
  CharacterDesc,
  ColliderDesc,
  Ray,
  RigidBodyDesc,
  SolverFlags,
  type Collider,
  type RigidBody,
  type WorldOptions,
} from '../../../src/world/page/index.js';
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

const local = (options: WorldOptions = {}) =>
  createWorldForTest({ transport: 'local', ...options });

/** A body of a world or of the engine: its methods that a hook calls. */
type Pushed = Pick<
  RigidBody,
  | 'translation'
  | 'rotation'
  | 'linvel'
  | 'angvel'
  | 'mass'
  | 'applyImpulse'
  | 'addForce'
  | 'resetForces'
  | 'setLinvel'
  | 'isSleeping'
  | 'userForce'
>;

const stateOf = (body: Pushed) =>
  [body.translation(), body.rotation(), body.linvel(), body.angvel()].flatMap((v) =>
    Object.values(v).map((n: number) => Math.fround(n)),
  );

test('hooks run around each step, read its state and write into it, as in a loop around the engine', async () => {
  const before = (body: Pushed, log: unknown[]): void => {
    const { y } = body.translation();
    body.applyImpulse({ x: 0.1, y: 2 * (1 - y), z: 0 }, true);
    body.addForce({ x: 0, y: 3, z: body.linvel().x }, true);
    // An order that counts.
    body.applyImpulse({ x: 0, y: 0, z: 0.3 }, true);
    body.setLinvel({ ...body.linvel(), z: 0.5 * body.linvel().z }, true);
    log.push(stateOf(body), body.userForce(), body.mass());
  };
  const after = (body: Pushed, log: unknown[]): void => {
    body.resetForces(true);
    log.push(stateOf(body), body.isSleeping());
    if (body.translation().x > 0.2) body.setLinvel({ x: -1, y: body.linvel().y, z: 0 }, true);
  };
  const { rapier, engine } = await createEngineForTest();
  const theirs = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 2, 0));
  engine.createCollider(rapier.ColliderDesc.ball(0.5), theirs);
  const expected: unknown[] = [];
  for (let tick = 0; tick < 60; tick++) {
    before(theirs as unknown as Pushed, expected);
    engine.step();
    after(theirs as unknown as Pushed, expected);
  }
  const world = local();
  const ours = addBody(world, [0, 2, 0]);
  const found: unknown[] = [];
  world.addStepHooks({
    beforeStep: () => before(ours, found),
    afterStep: () => after(ours, found),
  });
  await advance(world, 60);
  expect(found).toEqual(expected);
  // Outside of hooks, too.
  expect(stateOf(ours)).toEqual(stateOf(theirs as unknown as Pushed));
  ours.setTranslation({ x: 7, y: 0, z: 0 }, true);
  expect(ours.translation().x).toBe(7);
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

test('in a hook, queries are about the state of the tick, with all that the hook has written', async () => {
  const { rapier, engine } = await createEngineForTest();
  engine.createCollider(rapier.ColliderDesc.cuboid(5, 0.5, 5));
  const theirs = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 1.2, 0));
  const theirBall = engine.createCollider(rapier.ColliderDesc.ball(0.5), theirs);
  const expected: unknown[] = [];
  const down = { x: 0, y: -1, z: 0 };
  for (let tick = 0; tick < 30; tick++) {
    const ray = new rapier.Ray({ x: 0.1, y: 4, z: 0 }, down);
    expected.push(engine.castRay(ray, 10, true)?.timeOfImpact);
    const isOther = (collider: { readonly handle: number }): boolean =>
      collider.handle !== theirBall.handle;
    expected.push(
      engine.castRay(ray, 10, true, undefined, undefined, undefined, undefined, isOther)
        ?.timeOfImpact,
    );
    engine.step();
    engine.contactPairsWith(theirBall, (other) =>
      engine.contactPair(theirBall, other, (manifold) => expected.push(manifold.contactImpulse(0))),
    );
  }
  // No engine of the page's is needed.
  const world = local();
  addBox(world, [5, 0.5, 5]);
  const ball = addBody(world, [0, 1.2, 0]).collider(0);
  const found: unknown[] = [];
  const isNotBall = (collider: Collider): boolean => collider !== ball;
  world.addStepHooks({
    beforeStep() {
      const ray = new Ray({ x: 0.1, y: 4, z: 0 }, down);
      found.push(world.castRay(ray, 10, true)?.timeOfImpact);
      found.push(
        world.castRay(ray, 10, true, undefined, undefined, undefined, undefined, isNotBall)
          ?.timeOfImpact,
      );
    },
    afterStep() {
      world.contactPairsWith(ball, (other) =>
        world.contactPair(ball, other, (manifold) => found.push(manifold.contactImpulse(0))),
      );
    },
  });
  await advance(world, 30);
  expect(found).toEqual(expected);
  expect(found.length).toBeGreaterThan(60);
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

test('a recording that was made with filters refuses to run without them', async () => {
  const { world, remove } = await filtered();
  await advance(world, 10);
  remove();
  const handle = await world.ready;
  await advance(world, 10);
  const missing = /recorded with filters of the page/;
  await expect(handle.seek(5)).rejects.toThrow(missing);
  const recording = handle.recording();
  await expect(replay(createWorldSimulation(), recording)).rejects.toThrow(missing);
  const other = await local().ready;
  await expect(other.openReplay(recording)).rejects.toThrow(missing);
});

test('a recording that begins with a state of filtered pairs refuses to run without filters', async () => {
  const { world, remove } = await filtered();
  await advance(world, 10);
  const handle = await world.ready;
  await handle.restore(await handle.save());
  await advance(world, 10);
  await expectReplay(world, 20, 10);
  const recording = handle.recording();
  remove();
  await advance(world, 1);
  const opened = handle.openReplay(recording).then((shown) => shown.seek(15));
  await expect(opened).rejects.toThrow(/recorded with filters of the page/);
  // The run itself continues from there, unfiltered, and is recorded as that.
  await handle.restore(recording.start as SavedState);
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

test.each([
  ['changes something', (body: RigidBody) => body.applyImpulse({ x: 1, y: 0, z: 0 }, true)],
  ['removes something', (body: RigidBody, world: WorldForTest) => world.removeRigidBody(body)],
  ['asks for more than a pose', (body: RigidBody) => body.linvel()],
  [
    'casts a ray',
    (_: RigidBody, world: WorldForTest) =>
      world.castRay(new Ray({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }), 1, true),
  ],
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
  const stop = world.addStepHooks({ beforeStep: () => void heights.push(body.linvel().y) });
  await advance(world, 3);
  expect(heights).toEqual(
    [0, 1, 2]
      .map((ticks) => Math.fround((ticks * -9.81) / 60))
      .map((speed) => expect.closeTo(speed, 5)),
  );
  stop();
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
