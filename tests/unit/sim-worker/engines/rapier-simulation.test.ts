import type { EventQueue, World } from '@dimforge/rapier3d-simd-compat';
import { describe, expect, test, vi } from 'vitest';
import {
  rapierSimulation,
  type RapierBuild,
  type RapierSimulationOptions,
  type RapierTools,
} from '../../../../src/sim-worker/engines/rapier.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { keyCode, type BodyId, type Json } from '../../../../src/shared/index.js';
import { RecordingFormatError } from '../../../../src/shared/util/recording-format-error.js';
import { bytesOfJson, jsonOfBytes } from '../../../../src/sim-worker/bodies/saved-json.js';
import { packParts, unpackParts } from '../../../../src/sim-worker/bodies/saved-parts.js';
import type { Simulation } from '../../../../src/sim-worker/index.js';
import { hashRun } from '../../../../src/sim-worker/run/run-hash.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';
import { runTicks } from '../../../../src/sim-worker/testing/index.js';
import {
  decodeRunState,
  encodeRunState,
  resetRun,
  restoreRun,
  saveRun,
} from '../../../../src/sim-worker/run/saved-run.js';
import { present } from '../../../fixtures/present.js';

/** Adds a ball to the world. */
function addBall({ physics, rapier }: RapierTools, y: number, x = 0): BodyId {
  const desc = rapier.RigidBodyDesc.dynamic().setTranslation(x, y, 0);
  const ball = physics.world.createRigidBody(desc);
  physics.world.createCollider(rapier.ColliderDesc.ball(0.5).setRestitution(0.5), ball);
  return physics.add(ball);
}

/** What the scene must do wrong from then on. */
interface Wishes {
  failsToBuild?: boolean;
  failsToRestore?: boolean;
}

/**
 * A ball falls on the ground, and others are dropped next to it by a command and by the space bar.
 * Each has a random velocity, and their count is the scene's own state.
 */
function createDrops(wishes: Wishes = {}, options: RapierSimulationOptions = {}) {
  const disposed = vi.fn<() => void>();
  /** Every world and queue that the engine ever created for it. */
  const made = new Set<World | EventQueue>();
  const simulation = rapierSimulation((tools) => {
    const { context, rapier, physics, events, input } = tools;
    made.add(physics.world).add(present(physics.eventQueue) as EventQueue);
    physics.world.createCollider(rapier.ColliderDesc.cuboid(9, 1, 9).setTranslation(0, -1, 0));
    const first = addBall(tools, 3);
    events.watchContacts(present(physics.rigidBodyOf(first)));
    if (wishes.failsToBuild === true) throw new Error('it was made to fail');
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
        if (wishes.failsToRestore === true) throw new Error('it was made to fail');
        ({ dropped, lift } = saved);
      },
      hash: (hash) => hash.addNumber(lift),
      dispose: disposed,
    };
  }, options);
  return { simulation, disposed, made };
}

/** A run that is stepped manually. */
async function start(simulation: Simulation, seed = 5) {
  const run = new SimulationRun({
    simulation,
    options: {
      seed,
      setup: null,
      capacity: 16,
      dt: 1 / 60,
      invalidPosePolicy: 'freeze',
    },
    events: new EventReporter(undefined),
    hashRun,
  });
  await run.initialize();
  const drop = { inputs: [], commands: [{ name: 'drop', args: '[]', call: 0 }] };
  return {
    run,
    /** @returns The hash after each tick. A ball is dropped every tenth tick. */
    play: (ticks: number): string[] =>
      Array.from({ length: ticks }, () => {
        if (run.tick % 10 === 5) run.runTick(1 / 60, drop);
        else run.runTick(1 / 60);
        return run.hash();
      }),
  };
}

const startDrops = (wishes?: Wishes) => start(createDrops(wishes).simulation as Simulation);

test('only the scene has to be written: its world is stepped and its bodies are published', async () => {
  const simulation = rapierSimulation((tools) => {
    const id = addBall(tools, 5);
    return { queries: { id: () => id } };
  });
  expect(simulation.queries).toEqual({});
  const { poses } = await runTicks(simulation, { ticks: 60 });
  const [pose] = poses.values();
  expect(pose?.y).toBeCloseTo(5 - 9.81 / 2, 0);
});

test('gravity and the build of the engine are chosen', async () => {
  const gravity = { x: 2, y: 0, z: 0 };
  const simulation = rapierSimulation(
    (tools) => {
      addBall(tools, 5);
      return {};
    },
    { gravity, build: 'deterministic' as RapierBuild },
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

test('inputs are tracked, commands drop balls, and watched bodies emit events', async () => {
  const { simulation, disposed } = createDrops();
  const { poses, eventsOf } = await runTicks(simulation, {
    ticks: 120,
    inputs: [
      { tick: 10, kind: 'keydown', code: keyCode('Space') },
      { tick: 30, kind: 'keyup', code: keyCode('Space') },
    ],
    commands: [{ tick: 20, name: 'drop' }],
  });
  expect(poses.size).toBe(3);
  expect(eventsOf('dropped').map(({ value }) => value.count)).toEqual([
    ...Array.from({ length: 10 }, () => 1),
    ...Array.from({ length: 101 }, () => 2),
  ]);
  expect(eventsOf('contact').length).toBeGreaterThan(1);
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

describe('a saved state', () => {
  test("continues identically in another simulation: world, random numbers, held inputs, and the scene's own state", async () => {
    const inputs = [{ tick: 5, kind: 'keydown', code: keyCode('KeyL') }] as const;
    const commands = [20, 35, 70].map((tick) => ({ tick, name: 'drop' }) as const);
    const options = { seed: 4, capacity: 8 };
    const whole = await runTicks(createDrops().simulation, {
      ...options,
      ticks: 120,
      inputs,
      commands,
      saveEveryTicks: 60,
    });
    const start60 = present(whole.recording.states[0]);
    const later = commands.filter(({ tick }) => tick > 60);
    const rest = await runTicks(createDrops().simulation, {
      start: start60,
      ticks: 60,
      commands: later,
    });
    expect(rest.hash).toBe(whole.hash);
    expect(rest.poses).toEqual(whole.poses);
    // It depends on the saved state.
    const without = await runTicks(createDrops().simulation, { start: start60, ticks: 60 });
    expect(without.poses.size).toBe(whole.poses.size - 1);
  });

  test('can be restored any number of times, and is identical when saved again', async () => {
    const { run, play } = await startDrops();
    play(33);
    const state = saveRun(run);
    const expected = play(30);
    restoreRun(run, state);
    expect(saveRun(run)).toEqual(state);
    expect(play(30)).toEqual(expected);
    restoreRun(run, state);
    expect(play(30)).toEqual(expected);
    run.dispose();
  });

  test('of a run with another seed restores what that one was built from', async () => {
    const [one, other] = [
      await startDrops(),
      await start(createDrops().simulation as Simulation, 6),
    ];
    one.play(20);
    other.play(25);
    restoreRun(other.run, saveRun(one.run));
    expect(other.run.description).toEqual(one.run.description);
    expect(other.play(20)).toEqual(one.play(20));
    for (const { run } of [one, other]) run.dispose();
  });

  test('has the sign of a zero', async () => {
    const { simulation } = createDrops();
    const { run } = await start(simulation as Simulation);
    expect(simulation.queries.own()).toEqual({ dropped: 0, lift: -0 });
    restoreRun(run, saveRun(run));
    expect(simulation.queries.own()).toEqual({ dropped: 0, lift: -0 });
    run.dispose();
  });
});

describe('a state that cannot be restored leaves the running simulation unchanged', () => {
  const refused: readonly (readonly [what: string, bytes: (state: Uint8Array) => Uint8Array])[] = [
    ['bytes of something else', () => new Uint8Array(64)],
    ['none', () => new Uint8Array()],
    ['cut off', (bytes) => bytes.slice(0, -4)],
    ['damaged', (bytes) => bytes.with(bytes.length - 9, 1 ^ present(bytes.at(-9)))],
  ];

  test.each(refused)('%s', async (_, change) => {
    const { simulation } = createDrops();
    const [{ run, play }, control] = [await start(simulation as Simulation), await startDrops()];
    play(30);
    control.play(30);
    const bytes = simulation.save();
    expect(() => simulation.restore(change(bytes))).toThrow(RangeError);
    expect(play(30)).toEqual(control.play(30));
    for (const one of [run, control.run]) one.dispose();
  });

  test('of a version that used another name', async () => {
    const [{ run, play }, control] = [await startDrops(), await startDrops()];
    play(30);
    control.play(30);
    const state = saveRun(run);
    const saved = decodeRunState(state.bytes);
    const [own, world] = unpackParts('btwS', 2, saved.simulation, 'a scene');
    const { input, scene } = jsonOfBytes(present(own)) as Record<'input' | 'scene', Json>;
    const renamed = bytesOfJson({ held: input, scene });
    const simulation = packParts('btwS', [renamed, present(world)]);
    const bytes = encodeRunState({ ...saved, simulation });
    expect(() => restoreRun(run, { ...state, bytes })).toThrow(RecordingFormatError);
    expect(() => restoreRun(run, { ...state, bytes })).toThrow(
      'the saved state of a simulation on Rapier was written by another version of the library',
    );
    expect(play(30)).toEqual(control.play(30));
    for (const one of [run, control.run]) one.dispose();
  });

  test.each(['failsToBuild', 'failsToRestore'] as const)('a scene that %s', async (wish) => {
    const wishes: Wishes = {};
    const { simulation, disposed } = createDrops(wishes);
    const [{ run, play }, control] = [await start(simulation as Simulation), await startDrops()];
    play(10);
    control.play(10);
    const state = saveRun(run);
    play(20);
    control.play(20);
    wishes[wish] = true;
    expect(() => restoreRun(run, state)).toThrow('it was made to fail');
    // Only a scene that was built has anything to dispose.
    expect(disposed).toHaveBeenCalledTimes(wish === 'failsToBuild' ? 0 : 1);
    expect(play(30)).toEqual(control.play(30));
    for (const one of [run, control.run]) one.dispose();
  });

  test('the world of another engine', async () => {
    const foreign = await start(
      createDrops({}, { build: 'deterministic' }).simulation as Simulation,
    );
    const { run, play } = await startDrops();
    const control = await startDrops();
    expect(() => restoreRun(run, saveRun(foreign.run))).toThrow(/rapier3d-deterministic/);
    expect(play(20)).toEqual(control.play(20));
    for (const one of [run, control.run, foreign.run]) one.dispose();
  });
});

describe('a restart', () => {
  const beginning = { seed: 5, setup: null, generation: 0 };

  test('is identical to the first start, with the same ids', async () => {
    const { simulation, disposed } = createDrops();
    const { run, play } = await start(simulation as Simulation);
    const id = simulation.queries.first();
    const expected = play(40);
    resetRun(run, beginning);
    expect(disposed).toHaveBeenCalledOnce();
    expect(simulation.queries.first()).toBe(id);
    expect(play(40)).toEqual(expected);
    run.dispose();
  });

  test('that fails leaves the run unchanged', async () => {
    const wishes: Wishes = {};
    const { simulation, disposed } = createDrops(wishes);
    const [{ run, play }, control] = [await start(simulation as Simulation), await startDrops()];
    play(40);
    control.play(40);
    wishes.failsToBuild = true;
    expect(() => resetRun(run, beginning)).toThrow('it was made to fail');
    expect(disposed).not.toHaveBeenCalled();
    expect(play(40)).toEqual(control.play(40));
    for (const one of [run, control.run]) one.dispose();
  });
});

test('every world and queue that was created is freed when it is no longer used', async () => {
  const wishes: Wishes = {};
  const { simulation, made } = createDrops(wishes);
  const { run, play } = await start(simulation as Simulation);
  const inUse = (): number =>
    [...made].filter((one) => ('raw' in one ? one.raw : one.bodies) !== undefined).length;
  play(10);
  const state = saveRun(run);
  restoreRun(run, state);
  expect([made.size, inUse()]).toEqual([5, 2]);
  resetRun(run, { seed: 5, setup: null, generation: 0 });
  expect([made.size, inUse()]).toEqual([7, 2]);
  wishes.failsToRestore = true;
  expect(() => restoreRun(run, state)).toThrow('it was made to fail');
  expect([made.size, inUse()]).toEqual([10, 2]);
  wishes.failsToBuild = true;
  expect(() => restoreRun(run, state)).toThrow('it was made to fail');
  expect([made.size, inUse()]).toEqual([12, 2]);
  run.dispose();
  expect(inUse()).toBe(0);
});

describe.each([
  ['freeze', 2],
  ['remove', 1],
] as const)('an invalid pose: %s', (invalidPosePolicy, left) => {
  test('is handled, and the other body continues', async () => {
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
  });
});

test.each([
  [{ build: 'fast' }, 'build must be one of simd, deterministic, compat, but is "fast"'],
  [{ gravity: { x: 0, y: Number.NaN, z: 0 } }, 'gravity.y must be a number'],
  [{ gravity: -9.81 }, 'gravity.x must be a number'],
  [{ engine: 'simd' }, 'unknown option "engine" of rapierSimulation: it has build, gravity, load'],
])('%j is refused when it is initialized', async (options, message) => {
  const simulation = rapierSimulation(() => ({}), options as RapierSimulationOptions);
  await expect(runTicks(simulation, { ticks: 1 })).rejects.toThrow(message);
});

test('a name that is both a command and a query is refused, even though the names come with the scene', async () => {
  const simulation = rapierSimulation(() => ({
    commands: { drop: () => {} },
    queries: { drop: () => 1 },
  }));
  await expect(runTicks(simulation, { ticks: 1 })).rejects.toThrow('"drop"');
});

test('a build that is not a function, or not done when it returns, is refused', async () => {
  expect(() => rapierSimulation(undefined as never)).toThrow('build must be a function');
  const none = rapierSimulation(() => undefined as never);
  await expect(runTicks(none, { ticks: 1 })).rejects.toThrow('build must return an object');
  const late = rapierSimulation((async () => ({})) as never);
  await expect(runTicks(late, { ticks: 1 })).rejects.toThrow('build returned a promise');
  const slow = rapierSimulation(() => ({ step: async () => {} }));
  await expect(runTicks(slow, { ticks: 1 })).rejects.toThrow('step returned a promise');
});
