/** `<Physics>`: what its props set, its steps and their callbacks, saved states. */
import { useFrame } from '@react-three/fiber';
import { create } from '@react-three/test-renderer';
import { act, createRef, type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import {
  AnyCollider,
  CuboidCollider,
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useRapier,
  useSystem,
  type RapierRigidBody,
} from '../../src/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/world/worker/index.js';
import { WorldEventRelay } from '../../src/world/page/world-events.js';
import { eventually } from '../fixtures/eventually.js';
import { warningsOfTest } from '../fixtures/worlds.js';
import { Box } from './snippets.js';
import { AS_IN_WORKER, runScene, type RunningScene } from './run-scene.js';

const calls: string[] = [];

/** The calls during some work, and in the frame after it. */
async function callsFor(scene: RunningScene, work: () => Promise<unknown>): Promise<string[]> {
  calls.length = 0;
  await act(work);
  await scene.frame();
  return [...calls];
}

/** The first random number of the systems. */
let first: number | undefined;
const spy = defineSystem(({ random }) => {
  first = random.next();
  return {};
});
const worker = () => runLocally(createWorldSimulation({ spy }));

const Spy = (): null => {
  useSystem('spy', {});
  return null;
};

test('a variable time step is one of 1/60 s, with a warning', async () => {
  const warnings = warningsOfTest();
  const scene = await runScene(<Spy />, { worker, timeStep: 'vary' });
  await scene.render(<Spy />);
  expect(scene.simulation.tickRateHz).toBe(60);
  expect(warnings()).toEqual([expect.stringMatching(/timeStep="vary".*1\/60 s.*give it a number/)]);
});

test('the seed of <Physics> is that of systems', async () => {
  const numbers = new Set<unknown>();
  for (const seed of [7, 7, 8]) {
    const scene = await runScene(<Spy />, { worker, seed });
    await scene.ticks(1);
    numbers.add(first);
  }
  expect(numbers.size).toBe(2);
});

test('a change of the prop interpolate switches the interpolation', async () => {
  const scene = await runScene(null);
  const set = vi.spyOn(scene.simulation, 'setInterpolation');
  await scene.render(null, { interpolate: false });
  await scene.render(null);
  expect(set.mock.calls).toEqual([['none'], ['interpolate']]);
});

test.each([
  [undefined, -0.5, ['bodies', 'component']],
  [-1, -2, ['component', 'bodies']],
])(
  'with updatePriority=%s, a component of %s has the order %j',
  async (updatePriority, own, order) => {
    const Early = (): null => {
      useFrame(() => void calls.push('component'), own);
      return null;
    };
    const scene = await runScene(<Early />, { updatePriority });
    const { world } = scene;
    const sample = world.sample.bind(world);
    vi.spyOn(world, 'sample').mockImplementation((stamp) => {
      calls.push('bodies');
      return sample(stamp);
    });
    expect(await callsFor(scene, async () => {})).toEqual(order);
  },
);

// The tests of worlds show what that means.
test.each([
  [undefined, 'shown'],
  ['now', 'now'],
] as const)('with events=%s, handlers are called when events are %s', async (events, when) => {
  const on = vi.spyOn(WorldEventRelay.prototype, 'on');
  await runScene(null, { events });
  // A world listens to broken joints itself.
  const asked = on.mock.calls.filter(([name]) => name !== 'broken');
  expect(new Set(asked.map(([, , options]) => options?.when))).toEqual(new Set([when]));
});

test('useRapier says what the props say, and warns once of using each map that is always empty', async () => {
  const warnings = warningsOfTest();
  const scene = await runScene(null);
  const said = (): unknown => {
    const { isPaused, isDebug, physicsOptions } = scene.context;
    return [isPaused, isDebug, physicsOptions.colliders];
  };
  expect(said()).toEqual([true, false, 'cuboid']);
  await scene.render(null, { paused: false, debug: true, colliders: 'hull' });
  await act(() => import('../../src/react/physics-debug.js'));
  expect(said()).toEqual([false, true, 'hull']);
  const maps = ['rigidBodyStates', 'colliderStates', 'rigidBodyEvents', 'colliderEvents'] as const;
  // Applications destructure what they do not use.
  const found = maps.map((name) => scene.context[name]);
  expect(warnings()).toEqual([]);
  for (const map of [...found, ...found]) expect([map.size, map.has(1)]).toEqual([0, false]);
  expect(warnings()).toEqual(
    maps.map((name) => expect.stringContaining(`${name} of useRapier is always empty`)),
  );
});

test("each name of Rapier's own package is in `rapier`, or says what to write when it is used", async () => {
  const { context } = await runScene(<RigidBody />);
  const rapier = context.rapier as unknown as Readonly<Record<string, new () => unknown>>;
  const engine = await import('rapier3d-compat-0.19');
  const names = Object.keys(engine).filter((name) => name !== 'default');
  expect(names.filter((name) => rapier[name] === undefined)).toEqual([]);
  const { World = Object, init = Object, EventQueue = Object } = rapier;
  expect(() => new World()).toThrow(/no rapier\.World on the page: <Physics> makes the world/);
  expect(() => (init as unknown as () => void)()).toThrow(/rapier\.init.*leave the call out/);
  expect(() => (EventQueue as never)['other']).toThrow(/rapier\.EventQueue.*world\.on/);
  expect({} instanceof World).toBe(false);
});

const Callbacks = ({ name = '' }: { readonly name?: string }): null => {
  useAfterPhysicsStep(() => calls.push(`after${name}`));
  useBeforePhysicsStep(() => calls.push(`before${name}`));
  useFrame(() => {
    calls.push(`frame${name}`);
  });
  return null;
};

test.each([
  ['within the ticks', {}],
  ['for ticks of a worker', AS_IN_WORKER],
])(
  'callbacks of steps are called %s, once for each, in the order of their components, before those of the frame',
  async (_, place) => {
    const [one, two] = [<Callbacks key="1" name="1" />, <Callbacks key="2" name="2" />];
    const scene = await runScene([one, two], place);
    const { step } = scene.context;
    const ofTick = ['before1', 'before2', 'after1', 'after2'];
    const ofFrame = ['frame1', 'frame2'];
    expect(await callsFor(scene, async () => {})).toEqual(ofFrame);
    expect(await callsFor(scene, () => step(1 / 60))).toEqual([...ofTick, ...ofFrame]);
    expect(await callsFor(scene, () => step(2 / 60))).toEqual([...ofTick, ...ofTick, ...ofFrame]);
    await scene.render([two]);
    expect(await callsFor(scene, () => step(1 / 60))).toEqual(['before2', 'after2', 'frame2']);
  },
);

test('callbacks of steps are called at most 30 times in a frame, and as often as steps were asked for', async () => {
  const warnings = warningsOfTest();
  const scene = await runScene(<Callbacks />, AS_IN_WORKER);
  const countFor = async (work: () => Promise<unknown>): Promise<number> =>
    (await callsFor(scene, work)).filter((call) => call === 'before').length;
  expect(await countFor(() => scene.simulation.step(120))).toBe(30);
  const asked = await countFor(async () => {
    for (let count = 0; count < 40; count++) await scene.context.step(2 / 60);
  });
  expect(asked).toBe(80);
  expect(warnings()).toEqual([expect.stringContaining('were not called for 90 ticks')]);
  expect(await countFor(() => scene.simulation.step(120))).toBe(30);
});

test('callbacks of the last render are given the world, and what they write takes effect before or after one tick each', async () => {
  const body = createRef<RapierRigidBody>();
  const Push = ({ stops }: { readonly stops: boolean }): null => {
    useBeforePhysicsStep((world) => {
      world.bodies.getAll()[0]?.applyImpulse({ x: 60, y: 0, z: 0 }, true);
    });
    useAfterPhysicsStep(() => stops && body.current?.setLinvel({ x: 0, y: 0, z: 0 }, true));
    return null;
  };
  const contents = (stops: boolean): JSX.Element => (
    <>
      <RigidBody ref={body} gravityScale={0} colliders={false}>
        <CuboidCollider args={[1, 1, 1]} mass={1} />
      </RigidBody>
      <Push stops={stops} />
    </>
  );
  const scene = await runScene(contents(false), AS_IN_WORKER);
  /** Three ticks in one frame. The writes of a frame are for the ticks after it. */
  const advance = async (): Promise<void> => {
    await act(() => scene.context.step(3 / 60));
    await scene.frame();
  };
  await advance();
  await scene.render(contents(true));
  await advance();
  expect(body.current?.translation().x).toBeCloseTo(1 + 2 + 3, 4);
  await advance();
  // The body stops after each of these ticks.
  expect(body.current?.translation().x).toBeCloseTo(6 + (3 + 1) + 1 + 1, 4);
});

test('a state that comes back calls no callbacks of steps, and only ticks after it do', async () => {
  const scene = await runScene(<Callbacks />);
  await scene.ticks(20);
  const saved = await act(() => scene.simulation.save());
  await scene.ticks(20);
  expect(await callsFor(scene, () => scene.context.setWorld(saved))).toEqual(['frame']);
  const ofTick = await callsFor(scene, () => scene.context.step(1 / 60));
  expect(ofTick).toEqual(['before', 'after', 'frame']);
});

const Reader = (): null => {
  useRapier();
  return null;
};

test.each([
  ['useRapier', <Reader key="1" />],
  ['<RigidBody>', <RigidBody key="2" />],
  ['a collider', <AnyCollider key="3" restitution={2} />],
])('outside of <Physics>, %s says what to do', async (name, element) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(create(element)).rejects.toThrow(`${name} was used outside of <Physics>`);
});

test('the newest props hold after a jump to before their change, and what did not change is sent no more', async () => {
  const body = createRef<RapierRigidBody>();
  const contents = (damping: number): JSX.Element => (
    <RigidBody ref={body} linearDamping={damping}>
      <Box />
    </RigidBody>
  );
  const scene = await runScene(contents(0.1), { gravity: [0, -5, 0], numSolverIterations: 4 });
  const { simulation, world } = scene;
  await scene.ticks(2);
  await scene.render(contents(0.2), { gravity: [0, -7, 0], numSolverIterations: 6 });
  body.current?.collider(0).setRestitution(0.5);
  await scene.ticks(2);
  await simulation.seek(2);
  await eventually(async () => {
    await scene.frame();
    expect(body.current?.collider(0).restitution()).toBe(0);
  });
  expect([body.current?.linearDamping(), world.gravity.y, world.numSolverIterations]).toEqual([
    0.2, -7, 6,
  ]);
  await scene.ticks(1);
  await simulation.replaceWorker();
  await scene.ticks(2);
  // The scene, and what has changed, once before the jump and once after it.
  expect(simulation.recording().entries.filter(({ kind }) => kind === 'batch')).toHaveLength(2);
});
