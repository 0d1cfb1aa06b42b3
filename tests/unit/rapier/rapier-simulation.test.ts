/** Simulations of which only the scene is written. */
import type { EventQueue, World } from '@dimforge/rapier3d-simd-compat';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ofBuild } from '../../../bench/engines/load-rapier.js';
import { keyCode, type BodyId } from '../../../src/shared/index.js';
import {
  rapierSimulation,
  type RapierSimulationOptions,
  type RapierTools,
} from '../../../src/rapier/rapier.js';
import type { Simulation } from '../../../src/sim-worker/index.js';
import { runTicks } from '../../../src/sim-worker/testing/index.js';
import { present } from '../../fixtures/present.js';
import { commandOf, createToyRun, inputOf } from '../../fixtures/run-toy.js';

/** Adds a ball to the world. */
function addBall({ physics, rapier }: RapierTools, y: number, x = 0): BodyId {
  const desc = rapier.RigidBodyDesc.dynamic().setTranslation(x, y, 0);
  const ball = physics.world.createRigidBody(desc);
  physics.world.createCollider(rapier.ColliderDesc.ball(0.5).setRestitution(0.5), ball);
  return physics.add(ball);
}

const OPTIONS = { capacity: 16, dt: 1 / 60 };

/** Failures of the scene from then on. */
interface Wishes {
  failsToBuild?: boolean;
  failsToRestore?: boolean;
}

const fail = (): never => {
  throw new Error('it was made to fail');
};

/**
 * A ball falls on the ground, and others are dropped next to it by a command and by the space bar.
 * Each has a random velocity, and their count is the scene's own state.
 */
function createDrops(wishes: Wishes = {}, create = rapierSimulation) {
  const disposed = vi.fn<() => void>();
  /** Every world and queue that the engine ever created for it. */
  const made = new Set<World | EventQueue>();
  const simulation = create((tools) => {
    const { context, rapier, physics, events, input } = tools;
    made.add(physics.world).add(present(physics.eventQueue) as EventQueue);
    physics.world.createCollider(rapier.ColliderDesc.cuboid(9, 1, 9).setTranslation(0, -1, 0));
    const first = addBall(tools, 3);
    events.watchContacts(present(physics.rigidBodyOf(first)));
    if (wishes.failsToBuild === true) fail();
    let dropped = 0;
    let lift = -0;
    const drop = (): BodyId => {
      dropped += 1;
      const id = addBall(tools, 2 + dropped, context.random.between(-4, 4));
      physics.rigidBodyOf(id)?.applyImpulse({ x: context.random.next(), y: lift, z: 0 }, true);
      return id;
    };
    return {
      events: {} as { dropped: { count: number } },
      step(dt) {
        if (input.wasPressed('Space')) drop();
        if (input.isDown('KeyL')) lift += dt;
        physics.step(dt);
        made.add(physics.world);
        if (dropped > 0) context.events.emit('dropped', { count: dropped });
      },
      commands: { drop },
      queries: { first: () => first, own: () => ({ dropped, lift }) },
      save: () => ({ dropped, lift }),
      restore: (saved: { readonly dropped: number; readonly lift: number }) => {
        made.add(physics.world);
        if (wishes.failsToRestore === true) fail();
        ({ dropped, lift } = saved);
      },
      hash: (hash) => hash.addNumber(lift),
      dispose: disposed,
    };
  });
  return { simulation, disposed, made, wishes };
}

const withKey = (kind: 'keydown' | 'keyup', code: number) => ({
  inputs: [{ ...inputOf(code, 0), kind }],
  commands: [],
});

/** A run of it that is stepped manually. */
async function startDrops(seed = 5, create = rapierSimulation) {
  const drops = createDrops({}, create);
  const { run } = await createToyRun({ ...OPTIONS, seed }, drops.simulation as Simulation);
  let isDisposed = false;
  const dispose = (): void => {
    if (!isDisposed) run.dispose();
    isDisposed = true;
  };
  onTestFinished(dispose);
  const drop = { inputs: [], commands: [commandOf('drop', [])] };
  return {
    ...drops,
    run,
    dispose,
    /** @returns The hash after each tick. A ball is dropped every tenth tick. */
    play: (ticks: number): string[] =>
      Array.from({ length: ticks }, () => {
        if (run.tick % 10 === 5) run.runTick(1 / 60, drop);
        else run.runTick(1 / 60);
        return run.hash();
      }),
  };
}

test('only the scene has to be written: its world is stepped and its bodies are published', async () => {
  const simulation = rapierSimulation((tools) => {
    const id = addBall(tools, 5);
    return { queries: { id: () => id } };
  });
  expect(simulation.queries).toEqual({});
  const { poses } = await runTicks(simulation, { ticks: 60 });
  expect([...poses.values()][0]?.y).toBeCloseTo(5 - 9.81 / 2, 0);
});

test('gravity is an option, and the entry point chooses the build of the engine', async () => {
  const simulation = ofBuild.deterministic.rapierSimulation(
    (tools) => {
      addBall(tools, 5);
      return {};
    },
    { gravity: { x: 2, y: 0, z: 0 } },
  );
  const { poses, recording } = await runTicks(simulation, { ticks: 60 });
  expect([...poses.values()][0]).toMatchObject({ x: expect.closeTo(1, 1), y: 5 });
  expect(recording.run.engine).toMatch(/^rapier3d-deterministic /);
});

test('the scene is built after load has resolved', async () => {
  let height = Number.NaN;
  const simulation = rapierSimulation(
    (tools) => {
      addBall(tools, height);
      return {};
    },
    {
      load: async () => {
        await Promise.resolve();
        height = 7;
      },
    },
  );
  const { poses } = await runTicks(simulation, { ticks: 0 });
  expect([...poses.values()][0]?.y).toBe(7);
});

test('a scene has inputs and commands, emits events, and is disposed', async () => {
  const { simulation, disposed } = createDrops();
  const { poses, eventsOf } = await runTicks(simulation, {
    ticks: 60,
    inputs: [
      { tick: 10, kind: 'keydown', code: keyCode('Space') },
      { tick: 30, kind: 'keyup', code: keyCode('Space') },
    ],
    commands: [{ tick: 20, name: 'drop' }],
  });
  expect(poses.size).toBe(3);
  expect(eventsOf('dropped').map(({ value }) => value.count)).toEqual([
    ...Array.from({ length: 10 }, () => 1),
    ...Array.from({ length: 41 }, () => 2),
  ]);
  expect(eventsOf('contact').length).toBeGreaterThan(0);
  expect(disposed).toHaveBeenCalledOnce();
});

test.each([
  [true, ['sleep']],
  [false, []],
])('engine events are emitted if the scene requests them: %s', async (asks, reported) => {
  const simulation = rapierSimulation((tools) => {
    tools.physics.world.createCollider(tools.rapier.ColliderDesc.cuboid(9, 1, 9));
    addBall(tools, 1.6);
    if (asks) tools.events.drain();
    return {};
  });
  const { events } = await runTicks(simulation, { ticks: 600 });
  expect(events.map(({ name }) => name)).toEqual(reported);
});

test('a restored scene has the values and the inputs of its state, and is built from none', async () => {
  const held: boolean[] = [];
  const simulation = rapierSimulation(({ context, physics, input }) => {
    held.push(input.isDown(1));
    context.values[0] = -1;
    return {
      step(dt, tick) {
        physics.step(dt);
        context.values[0] = tick;
      },
    };
  });
  const { run } = await createToyRun({ ...OPTIONS, valueCount: 1 }, simulation as Simulation);
  onTestFinished(() => run.dispose());
  run.runTick(1 / 60, withKey('keydown', 1));
  const saved = run.save();
  run.runTick(1 / 60, withKey('keyup', 1));
  run.restore(saved);
  expect(run.values[0]).toBe(1);
  expect([run.input.isDown(1), ...held]).toEqual([true, false, false]);
  run.reset(run.description);
  expect(run.values[0]).toBe(-1);
});

test("a saved state continues identically however often it is restored, and in a run with another seed, with held inputs and the scene's own state", async () => {
  const [one, other] = [await startDrops(), await startDrops(6)];
  // The restored value has the sign of a zero.
  one.run.restore(one.run.save());
  expect(one.simulation.queries.own()).toEqual({ dropped: 0, lift: -0 });
  one.run.runTick(1 / 60, withKey('keydown', keyCode('KeyL')));
  one.play(33);
  const state = one.run.save();
  const expected = one.play(30);
  for (const { simulation, run, play } of [one, one, other]) {
    run.restore(state);
    expect(run.save()).toEqual(state);
    expect(run.description).toEqual(one.run.description);
    expect(play(30)).toEqual(expected);
    expect(simulation.queries.own()).toEqual({ dropped: 6, lift: expect.closeTo(64 / 60, 5) });
  }
});

/** Two runs of 30 ticks: what fails in the first leaves it as the second. */
async function startTwo() {
  const [tried, control] = [await startDrops(), await startDrops()];
  tried.play(10);
  control.play(10);
  const state = tried.run.save();
  tried.play(20);
  control.play(20);
  const expectUnchanged = () => expect(tried.play(30)).toEqual(control.play(30));
  return { ...tried, state, expectUnchanged };
}

const BEGINNING = { seed: 5, setup: null, generation: 0 };

test('a restart is identical to the first start, with the same ids', async () => {
  const { simulation, disposed, run, play } = await startDrops();
  const id = simulation.queries.first();
  const expected = play(40);
  run.reset(BEGINNING);
  expect(disposed).toHaveBeenCalledOnce();
  expect(simulation.queries.first()).toBe(id);
  expect(play(40)).toEqual(expected);
});

test.each([
  ['a restore', 'failsToBuild', 0],
  ['a restore', 'failsToRestore', 1],
  ['a restart', 'failsToBuild', 0],
] as const)(
  '%s leaves the simulation unchanged if its scene %s, and disposes of %i',
  async (what, wish, disposals) => {
    const { run, state, wishes, disposed, expectUnchanged } = await startTwo();
    wishes[wish] = true;
    const attempt = () => (what === 'a restore' ? run.restore(state) : run.reset(BEGINNING));
    expect(attempt).toThrow('it was made to fail');
    expect(disposed).toHaveBeenCalledTimes(disposals);
    expectUnchanged();
  },
);

test('every world and queue that was created is freed when it is no longer used', async () => {
  const { made, run, play, wishes, dispose } = await startDrops();
  const inUse = (): number =>
    [...made].filter((one) => ('raw' in one ? one.raw : one.bodies) !== undefined).length;
  play(10);
  const state = run.save();
  run.restore(state);
  expect([made.size, inUse()]).toEqual([5, 2]);
  run.reset(BEGINNING);
  expect([made.size, inUse()]).toEqual([7, 2]);
  wishes.failsToRestore = true;
  expect(() => run.restore(state)).toThrow('it was made to fail');
  expect([made.size, inUse()]).toEqual([10, 2]);
  wishes.failsToBuild = true;
  expect(() => run.restore(state)).toThrow('it was made to fail');
  expect([made.size, inUse()]).toEqual([12, 2]);
  dispose();
  expect(inUse()).toBe(0);
});

test.each([
  ['freeze', 2],
  ['remove', 1],
] as const)(
  'with the policy %s for invalid poses, the other body continues',
  async (invalidPosePolicy, left) => {
    const simulation = rapierSimulation((tools) => {
      const bad = addBall(tools, 50);
      addBall(tools, 50, 5);
      return {
        step(dt, tick) {
          const nan = { x: Number.NaN, y: 0, z: 0 };
          if (tick === 5) tools.physics.rigidBodyOf(bad)?.setTranslation(nan, true);
          tools.physics.step(dt);
        },
      };
    });
    const { poses } = await runTicks(simulation, { ticks: 60, invalidPosePolicy });
    expect(poses.size).toBe(left);
    expect([...poses.values()].at(-1)?.y).toBeLessThan(46);
  },
);

test.each([
  [{ gravity: { x: 0, y: Number.NaN, z: 0 } }, 'gravity.y must be a number'],
  [{ gravity: -9.81 }, 'gravity.x must be a number'],
  [{ build: 'simd' }, 'unknown option "build" of rapierSimulation: it has gravity, load'],
])('the options %j are refused when the simulation is initialized', async (options, message) => {
  const simulation = rapierSimulation(() => ({}), options as RapierSimulationOptions);
  await expect(runTicks(simulation, { ticks: 1 })).rejects.toThrow(message);
});

const DROP = { drop() {} };

test.each<[string, () => unknown, string]>([
  ['has a command and a query of one name', () => ({ commands: DROP, queries: DROP }), '"drop"'],
  ['is nothing', () => undefined, 'build must return an object'],
  ['is a promise', async () => ({}), 'build returned a promise'],
  ['has an asynchronous step', () => ({ step: async () => {} }), 'step returned a promise'],
])('a scene that %s is refused', async (_, build, message) => {
  const simulation = rapierSimulation(build as () => object);
  await expect(runTicks(simulation, { ticks: 1 })).rejects.toThrow(message);
});

test('a simulation without a function that builds it is refused at the call', () => {
  expect(() => rapierSimulation(undefined as never)).toThrow('build must be a function');
});
