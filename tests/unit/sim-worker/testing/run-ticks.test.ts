import { present } from '../../../fixtures/present.js';
import { expect, test, vi } from 'vitest';
import {
  decodeRecording,
  encodeRecording,
  seatOf,
  type BodyId,
} from '../../../../src/shared/index.js';
import {
  replay,
  type Simulation,
  type SimulationContext,
} from '../../../../src/sim-worker/index.js';
import { runTicks, type TickState } from '../../../../src/sim-worker/testing/index.js';
import { poseAt } from '../../../fixtures/poses.js';
import { createToy, type Toy } from '../../../fixtures/toy-simulation.js';

/** One body on a line, which inputs and commands push, and which records what it was given. */
function createCart() {
  let context: SimulationContext;
  let cart: BodyId;
  let position = 0;
  let speed = 0;
  const given: unknown[] = [];
  return {
    given,
    dispose: vi.fn<() => void>(),
    events: {} as { passed: { x: number } },
    init(own: SimulationContext) {
      context = own;
      position = (context.setup as { position: number } | null)?.position ?? 0;
      cart = context.bodies.spawn(poseAt(position));
    },
    step(dt: number, tick: number, inputs: readonly { readonly x: number }[]) {
      given.push({ tick, dt, xs: inputs.map(({ x }) => x), speed });
      for (const { x } of inputs) speed += x;
      if (Math.trunc(position + speed * dt) !== Math.trunc(position)) {
        context.events.emit('passed', { x: Math.trunc(position + speed * dt) });
      }
      position += speed * dt;
      context.bodies.setPose(cart, position, 0, 0, 0, 0, 0, 1);
      if (position > 100) throw new Error('it fell off the end');
    },
    commands: {
      setSpeed: (metresPerSecond: number) => {
        const before = speed;
        speed = metresPerSecond;
        return before;
      },
      brake: () => {
        if (speed === 0) throw new RangeError('it is not moving');
        speed = 0;
      },
      touch: () => {
        const other = context.bodies.spawn(poseAt(0));
        context.events.contact(cart, other, true, 1, 2, 3);
        context.bodies.despawn(other);
      },
    },
    queries: { restart: () => context.restart(), position: () => position },
  } satisfies Simulation & Record<string, unknown>;
}

test('runTicks gives ticks their inputs and commands, and returns the state after the last one', async () => {
  const cart = createCart();
  const run = await runTicks(cart, {
    ticks: 4,
    tickRateHz: 10,
    inputs: [
      { tick: 3, kind: 'custom', x: 2 },
      { tick: 2, kind: 'custom', x: 4 },
      { tick: 3, kind: 'custom', x: 3 },
    ],
    commands: [{ tick: 4, name: 'setSpeed', args: [10] }],
  });
  expect(cart.given).toEqual([
    { tick: 1, dt: 0.1, xs: [], speed: 0 },
    { tick: 2, dt: 0.1, xs: [4], speed: 0 },
    { tick: 3, dt: 0.1, xs: [2, 3], speed: 4 },
    { tick: 4, dt: 0.1, xs: [], speed: 10 },
  ]);
  expect(run.tick).toBe(4);
  const [pose] = run.poses.values();
  expect(pose).toMatchObject({ x: Math.fround(0.4 + 0.9 + 1), qw: 1 });
  expect(run.answers).toEqual([{ tick: 4, name: 'setSpeed', value: 9, error: undefined }]);
  expect(run.hashes).toEqual(new Map([[4, run.hash]]));
  expect(cart.dispose).toHaveBeenCalledOnce();
});

test('an input of runTicks has every value, 0 by default, the middle of its tick, and a seat', async () => {
  const toy = createToy();
  await runTicks(toy, {
    ticks: 1,
    inputs: [
      { tick: 1, kind: 'keydown', code: 7, w: 0.1 },
      { tick: 1, kind: 'pointerdown', seat: 3, device: 2 },
      { tick: 1, kind: 'pointerdown', seat: 32_767, device: 65_535 },
    ],
  });
  const [inputs = []] = (toy.queries?.given() ?? []).map((given) => given.inputs);
  const key = { kind: 'keydown', code: 7, device: 0, x: 0, y: 0, z: 0, w: 0.1, fraction: 0.5 };
  expect(inputs[0]).toEqual(key);
  expect(inputs.map((input) => [seatOf(input), input.device & 0xffff])).toEqual([
    [0, 0],
    [3, 2],
    [32_767, 65_535],
  ]);
});

test('the options of runTicks determine a run: seed, setup and capacity', async () => {
  let seen: unknown;
  const simulation = {
    init: ({ seed, setup, capacity, random, dt }: SimulationContext) => {
      seen = { seed, setup, capacity, dt, chance: random.next() };
    },
    step: () => {},
  };
  await runTicks(simulation, {
    ticks: 0,
    seed: 9,
    setup: { level: 2 },
    capacity: 7,
    tickRateHz: 50,
  });
  expect(seen).toMatchObject({ seed: 9, setup: { level: 2 }, capacity: 7, dt: 1 / 50 });
  const first = seen;
  await runTicks(simulation, { ticks: 0 });
  expect(seen).toMatchObject({ seed: 1, setup: null, capacity: 4096, dt: 1 / 60 });
  expect(seen).not.toMatchObject({ chance: (first as { chance: number }).chance });
});

test('events of runTicks have their names and ticks, in order, and by name with their types', async () => {
  const run = await runTicks(createCart(), {
    ticks: 24,
    // Eighths: their sums are exact.
    tickRateHz: 8,
    commands: [
      { tick: 1, name: 'setSpeed', args: [1] },
      { tick: 16, name: 'touch' },
    ],
  });
  expect(run.events.map(({ name, tick }) => `${name} ${tick}`)).toEqual([
    'passed 8',
    'contact 16',
    'passed 16',
    'contact 16',
    'passed 24',
  ]);
  const xs: readonly number[] = run.eventsOf('passed').map(({ value }) => value.x);
  expect(xs).toEqual([1, 2, 3]);
  expect(run.eventsOf('contact').map(({ phase }) => phase)).toEqual(['begin', 'end']);
  expect(run.eventsOf('sleep')).toEqual([]);
  expect(run.lostEvents).toBe(0);
});

test('a command of runTicks that throws is answered with the error, and the run continues', async () => {
  const { answers, tick } = await runTicks(createCart(), {
    ticks: 3,
    commands: [
      { tick: 2, name: 'setSpeed', args: [5] },
      { tick: 2, name: 'brake' },
      { tick: 3, name: 'brake', args: [] },
    ],
  });
  expect(answers).toEqual([
    { tick: 2, name: 'setSpeed', value: 0, error: undefined },
    { tick: 2, name: 'brake', value: undefined, error: undefined },
    { tick: 3, name: 'brake', value: undefined, error: new RangeError('it is not moving') },
  ]);
  expect(tick).toBe(3);
});

test('every tick of runTicks can be observed', async () => {
  const xs: (number | undefined)[] = [];
  const hashes = new Set<string>();
  const run = await runTicks(createCart(), {
    ticks: 3,
    tickRateHz: 1,
    hashEveryTicks: 2,
    commands: [{ tick: 1, name: 'setSpeed', args: [2] }],
    onTick: ({ tick, poses, hash: now }) => {
      expect(tick).toBe(xs.length + 1);
      hashes.add(now);
      xs.push([...poses.values()][0]?.x);
    },
  });
  expect(xs).toEqual([2, 4, 6]);
  const [, second, last] = hashes;
  expect([hashes.size, last]).toEqual([3, run.hash]);
  expect([...run.hashes]).toEqual([
    [2, second],
    [3, last],
  ]);
});

test('runTicks continues from a saved state as the run did', async () => {
  const commands = [{ tick: 30, name: 'push', args: [2, 0.5] }] as const;
  const saved = await runTicks(createToy(), {
    seed: 3,
    capacity: 64,
    ticks: 40,
    commands,
    saveEveryTicks: 20,
  });
  const [start, last] = saved.recording.states;
  expect([start?.tick, last?.tick]).toEqual([20, 40]);
  if (start === undefined) throw new Error('nothing was saved');
  const later = await runTicks(createToy(), { start, ticks: 20, commands });
  expect(later).toMatchObject({ tick: 40, hash: saved.hash, poses: saved.poses });
  expect(later.recording.run).toEqual(saved.recording.run);
  const recording = decodeRecording(encodeRecording(later.recording));
  expect(await replay(createToy(), recording)).toMatchObject({ hashes: 1, equalUpTo: 40 });
  const other = await runTicks(createToy(), { start, ticks: 20 });
  expect(other.hash).not.toBe(saved.hash);
});

test("runTicks shows the simulation's values after each tick, and none by default", async () => {
  const seen: number[][] = [];
  const onTick = ({ values }: TickState): void => void seen.push([...values]);
  const { values } = await runTicks(createToy(), { ticks: 2, values: 3, onTick });
  expect(seen).toEqual([
    [1, -1, 0],
    [2, -2, 0],
  ]);
  expect([...values]).toEqual([2, -2, 0]);
  expect((await runTicks(createToy(), { ticks: 1 })).values).toHaveLength(0);
  const { recording } = await runTicks(createToy(), { ticks: 2, values: 3, saveEveryTicks: 2 });
  const start = present(recording.states[0]);
  // With what the toy writes when it is restored.
  const restored = await runTicks(createToy(), { ticks: 0, start });
  expect([...restored.values]).toEqual([2, 0.5, 0]);
});

/** A simulation that writes two values in each tick. */
const createCounter = (): Simulation => {
  let context: SimulationContext;
  return {
    init: (own) => void (context = own),
    step: (_dt, tick) => context.values.set([tick, -tick]),
  };
};

test('a recording says how many values a simulation has, so that a replay has room for them', async () => {
  const { recording } = await runTicks(createCounter(), { ticks: 3, values: 2 });
  const fromFile = decodeRecording(encodeRecording(recording));
  expect(fromFile.run.values).toBe(2);
  expect((await replay(createCounter(), fromFile)).tick).toBe(3);
  const { values: _, ...withoutValues } = recording.run;
  await expect(replay(createCounter(), { ...recording, run: withoutValues })).rejects.toThrow(
    RangeError,
  );
});

const input = { tick: 1, kind: 'custom' } as const;
const withInput = (change: object) => ({ inputs: [{ ...input, ...change }] });
const withCommands = (...list: object[]) => ({
  commands: list.map((one) => Object.assign(one, { tick: 1 })),
});
const start = { tick: 1, bytes: new Uint8Array(8) };
test.each<[options: object, message: string]>([
  [{ start: 5 }, 'start must be an object, but is a value of type number'],
  [{ start }, 'this is not a saved state'],
  [{ start, seed: 1 }, 'seed comes from the run that start was saved in: leave it out'],
  [{ ticks: -1 }, 'ticks must be a whole number from 0 to 9007199254740991, but is -1'],
  [{ tickHz: 5 }, 'unknown option "tickHz" of runTicks: did you mean "ticks"?'],
  [{ setup: { f: () => 1 } }, 'setup, at f, must be a value that JSON can hold'],
  [{ saveEveryTicks: 1 }, 'saveEveryTicks needs a simulation that has save() and restore()'],
  [{ inputs: {} }, 'inputs must be an array'],
  [withInput({ tick: 2 }), 'inputs[0].tick must be a whole number from 1 to 1'],
  [{ inputs: [input, { ...input, kind: 'key' }] }, 'inputs[1].kind must be one of'],
  [withInput({ code: 'ArrowRight' }), "inputs[0].code, such as keyCode('ArrowRight') of"],
  [withInput({ key: 'a' }), 'unknown option "inputs[0].key" of runTicks: it has tick,'],
  [withInput({ seat: 32_768 }), 'inputs[0].seat must be a whole number from 0 to 32767'],
  [withInput({ seat: 1, device: 65_536 }), 'inputs[0].device must be a whole number'],
  [withCommands({ name: 'brake', args: 1 }), 'commands[0].args must be an array'],
  [withCommands({ name: 'setSpeed', args: [Number.NaN] }), 'commands[0].args, at [0], must be'],
  [withCommands({ name: 'brake' }, { name: 'honk' }), 'commands[1].name must be one of setSpeed'],
])('runTicks refuses the options %j by name', async (options, message) => {
  const cart = createCart();
  await expect(runTicks(cart, { ticks: 1, ...options } as never)).rejects.toThrow(message);
  expect(cart.given).toEqual([]);
});

test('runTicks refuses no options, and a command of a simulation that has none', async () => {
  await expect(runTicks(createCart(), undefined as never)).rejects.toThrow(
    'the options of runTicks must be an object, but is undefined',
  );
  const some = { ticks: 1, ...withCommands({ name: 'nope' }) };
  await expect(runTicks({ init() {}, step() {} }, some as never)).rejects.toThrow(
    'commands[0].name is "nope", but the simulation has no commands',
  );
});

test('a step that throws ends runTicks, and the simulation is disposed', async () => {
  const cart = createCart();
  const commands = [{ tick: 2, name: 'setSpeed', args: [10_000] }] as const;
  await expect(runTicks(cart, { ticks: 9, commands })).rejects.toThrow('it fell off the end');
  expect(cart.given).toHaveLength(2);
  expect(cart.dispose).toHaveBeenCalledOnce();
});

test('runTicks refuses a run that restarts: it would be another one', async () => {
  const cart = createCart();
  const onTick = ({ tick }: { readonly tick: number }) => {
    if (tick === 3) cart.queries.restart();
  };
  await expect(runTicks(cart, { ticks: 5, onTick })).rejects.toThrow('started over by restart()');
});

// None of this is run: the compiler must refuse it.
export const misuse = (toy: Toy, cart: ReturnType<typeof createCart>) => [
  runTicks(cart, { ticks: 1, commands: [{ tick: 1, name: 'setSpeed', args: [1] }] }),
  // @ts-expect-error There is no such command.
  runTicks(cart, { ticks: 1, commands: [{ tick: 1, name: 'honk', args: [1] }] }),
  // @ts-expect-error It takes a number.
  runTicks(cart, { ticks: 1, commands: [{ tick: 1, name: 'setSpeed', args: ['fast'] }] }),
  // @ts-expect-error It takes an argument.
  runTicks(cart, { ticks: 1, commands: [{ tick: 1, name: 'setSpeed' }] }),
  // @ts-expect-error There is no such event.
  runTicks(cart, { ticks: 1 }).then((run) => run.eventsOf('honked')),
  runTicks(toy, { ticks: 1 }).then((run) => run.eventsOf('tenth')[0]?.value.tick.toFixed()),
];
