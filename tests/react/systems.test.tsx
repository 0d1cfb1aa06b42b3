/** Systems as hooks. */
import { type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import { RigidBody, useSystem } from '../../src/render-main/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/sim-worker/world/index.js';
import { runScene } from './run-scene.js';

const wind = defineSystem(({ physics }) => ({
  beforeStep({ x }: { x: number }) {
    physics.world.bodies.forEach((body) => body.applyImpulse({ x, y: 0, z: 0 }, true));
  },
}));
const lift = defineSystem(({ physics }) => ({
  beforeStep() {
    physics.world.bodies.forEach((body) => body.setLinvel({ x: 0, y: 1, z: 0 }, true));
  },
}));

const simulationOf = () => createWorldSimulation({ wind, lift });
type Simulation = ReturnType<typeof simulationOf>;
const worker = () => runLocally(simulationOf());

const Wind = ({ x }: { readonly x: number }): null => {
  useSystem<Simulation>('wind', { x });
  return null;
};

const Lift = (): null => {
  useSystem<Simulation>('lift');
  // A script of which nothing is known.
  useSystem('wind', { x: 0 });
  // oxlint-disable-next-line no-constant-condition
  if (false) {
    // @ts-expect-error There is no such system.
    useSystem<Simulation>('storm', { x: 1 });
    // @ts-expect-error These are no props of it.
    useSystem<Simulation>('wind', { y: 1 });
  }
  return null;
};

const Ball = (): JSX.Element => <RigidBody gravityScale={0} additionalSolverIterations={1} />;

const contents = (x: number | undefined): JSX.Element => (
  <>
    <Ball />
    {x !== undefined && <Wind x={x} />}
  </>
);

test('a system runs while it is mounted, with the props of the last render', async () => {
  const scene = await runScene(contents(1), { worker, isStrict: true });
  const [system] = scene.world.systems.getAll();
  expect(scene.world.systems.len()).toBe(1);
  expect(system?.props()).toEqual({ x: 1 });
  const set = vi.spyOn(system as NonNullable<typeof system>, 'set');
  await scene.render(contents(1));
  expect(set).not.toHaveBeenCalled();
  await scene.render(contents(2));
  expect(scene.world.systems.getAll()).toEqual([system]);
  expect(system?.props()).toEqual({ x: 2 });
  await scene.render(contents(undefined));
  expect(scene.world.systems.len()).toBe(0);
  await scene.unmount();
});

test('systems change what the engine does', async () => {
  const scene = await runScene(
    <>
      <Ball />
      <Lift />
    </>,
    { worker },
  );
  await scene.ticks(60);
  expect(scene.world.bodies.getAll()[0]?.translation().y).toBeCloseTo(1, 2);
  await scene.unmount();
});

test('without a worker script, the message says what to do', async () => {
  await expect(runScene(<Wind x={1} />)).rejects.toThrow(/no system "wind".*<Physics worker/);
});
