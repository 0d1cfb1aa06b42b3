/** Props of `<Physics>`: each reaches the engine, by default with the values of the other package. */
import { useFrame } from '@react-three/fiber';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { useSystem, type PhysicsProps } from '../../src/render-main/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/sim-worker/world/index.js';
import { differences } from './described-world.js';
import { runOnPeer } from './run-on-peer.js';
import { runScene } from './run-scene.js';

/** The fields that both engines have. */
interface AnyEngine {
  readonly gravity: { readonly x: number; readonly y: number; readonly z: number };
  readonly timestep: number;
  readonly integrationParameters: {
    readonly lengthUnit: number;
    readonly numSolverIterations: number;
    readonly numInternalPgsIterations: number;
    readonly maxCcdSubsteps: number;
    readonly normalizedAllowedLinearError: number;
    readonly normalizedPredictionDistance: number;
    readonly contact_erp: number;
  };
}

/** The engine of the running test, and the first random number of its systems. */
const inside: { engine?: AnyEngine; random?: number } = {};
const spy = defineSystem(({ physics, random }) => {
  Object.assign(inside, { engine: physics.world, random: random.next() });
  return {};
});
const worker = () => runLocally(createWorldSimulation({ spy }));

const Spy = (): null => {
  useSystem('spy', {});
  return null;
};

/** Of contacts: what Rapier has since 0.20, and what the other package has. */
const DAMPING_RATIO = { mine: 10, theirs: 5 };

/** The engine says only what follows from the frequency. */
const contactHzOf = (erp: number, stepS: number, dampingRatio: number): number =>
  ((erp / (1 - erp)) * 2 * dampingRatio) / (2 * Math.PI * stepS);

function settingsOf(engine: AnyEngine | undefined, dampingRatio: number): object {
  if (engine === undefined) throw new Error('the system has not begun');
  const { gravity, timestep, integrationParameters: parameters } = engine;
  return {
    gravity: [gravity.x, gravity.y, gravity.z],
    timestep,
    lengthUnit: parameters.lengthUnit,
    numSolverIterations: parameters.numSolverIterations,
    numInternalPgsIterations: parameters.numInternalPgsIterations,
    maxCcdSubsteps: parameters.maxCcdSubsteps,
    allowedLinearError: parameters.normalizedAllowedLinearError,
    predictionDistance: parameters.normalizedPredictionDistance,
    contactHz: contactHzOf(parameters.contact_erp, timestep, dampingRatio),
  };
}

const settings = (): object => settingsOf(inside.engine, DAMPING_RATIO.mine);

const CASES: readonly Partial<PhysicsProps>[] = [
  {},
  { gravity: [1, 2, 3] },
  { allowedLinearError: 0.01 },
  { predictionDistance: 0.05 },
  { numSolverIterations: 9 },
  { numInternalPgsIterations: 3 },
  { maxCcdSubsteps: 4 },
  { contactNaturalFrequency: 60 },
  { lengthUnit: 10 },
  { timeStep: 1 / 120 },
];

test.each(CASES)('%j is that of the peer, at mount and when it comes and goes', async (props) => {
  const scene = await runScene(<Spy />, { worker, ...props });
  const peer = await runOnPeer(null, props as Parameters<typeof runOnPeer>[1]);
  const plain = await runOnPeer(null);
  await scene.ticks(1);
  // The other one takes its time step with its first step.
  await peer.ticks(1);
  await plain.ticks(1);
  const [given, standard] = [peer, plain].map(({ world }) =>
    settingsOf(world as AnyEngine, DAMPING_RATIO.theirs),
  );
  expect(differences(settings(), given)).toEqual([]);
  const absent = Object.fromEntries(Object.keys(props).map((name) => [name, undefined]));
  await scene.render(<Spy />, absent);
  await scene.ticks(1);
  expect(differences(settings(), standard)).toEqual([]);
  await scene.render(<Spy />);
  await scene.ticks(1);
  expect(differences(settings(), given)).toEqual([]);
  for (const one of [scene, peer, plain]) await one.unmount();
});

test('a variable time step is one of 1/60 s, with a warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const scene = await runScene(<Spy />, { worker, timeStep: 'vary' });
  await scene.ticks(2);
  await scene.render(<Spy />);
  expect(scene.simulation.tickRateHz).toBe(60);
  expect(warn.mock.calls.flat().filter((text) => /betwixt/.test(text as string))).toEqual([
    expect.stringMatching(/timeStep="vary".*1\/60 s.*give it a number/),
  ]);
  warn.mockRestore();
  await scene.unmount();
});

test('the seed is that of systems', async () => {
  const numbers: unknown[] = [];
  for (const seed of [7, 7, 8]) {
    const scene = await runScene(<Spy />, { worker, seed });
    await scene.ticks(1);
    numbers.push(inside.random);
    await scene.unmount();
  }
  expect(numbers[0]).toEqual(expect.any(Number));
  expect(numbers[1]).toBe(numbers[0]);
  expect(numbers[2]).not.toBe(numbers[0]);
});

test('interpolation is switched', async () => {
  const scene = await runScene(null, { interpolate: true });
  const set = vi.spyOn(scene.simulation, 'setInterpolation');
  await scene.render(null, { interpolate: false });
  await scene.render(null, {});
  expect(set.mock.calls).toEqual([['none'], ['interpolate']]);
  await scene.unmount();
});

test.each([
  [undefined, ['bodies', 'component']],
  [-3, ['bodies', 'component']],
  [-1, ['component', 'bodies']],
] as const)('with the priority %s, bodies are placed in the order %j', async (priority, order) => {
  const calls: string[] = [];
  const Early = (): null => {
    useFrame(() => void calls.push('component'), priority === undefined ? -0.5 : -2);
    return null;
  };
  const scene = await runScene(<Early />, { updatePriority: priority });
  const { world } = scene;
  const sample = world.sample.bind(world);
  vi.spyOn(world, 'sample').mockImplementation((stamp) => {
    calls.push('bodies');
    return sample(stamp);
  });
  calls.length = 0;
  await scene.frame();
  expect(calls).toEqual(order);
  await scene.unmount();
});

test('useRapier says what the props say', async () => {
  const scene = await runScene(null);
  const said = (): unknown => {
    const { isPaused, isDebug, physicsOptions } = scene.context;
    return [isPaused, isDebug, physicsOptions.colliders];
  };
  expect(said()).toEqual([true, false, 'cuboid']);
  await scene.render(null, { paused: false, debug: true, colliders: 'hull' });
  await act(() => import('../../src/render-main/react/physics-debug.js'));
  expect(said()).toEqual([false, true, 'hull']);
  const { rigidBodyStates, colliderStates, rigidBodyEvents, colliderEvents } = scene.context;
  for (const map of [rigidBodyStates, colliderStates, rigidBodyEvents, colliderEvents]) {
    expect(map.size).toBe(0);
  }
  await scene.unmount();
});
