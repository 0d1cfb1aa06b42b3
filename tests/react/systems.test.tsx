/** The hooks, components and props that work in the worker with every tick: systems, attractors, bodies that are ignored. */
import { createRef, type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import {
  Attractor,
  BallCollider,
  CuboidCollider,
  RigidBody,
  interactionGroups,
  useSystem,
  type AttractorProps,
  type PhysicsProps,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/world/worker/index.js';
import { runScene } from './run-scene.js';

const wind = defineSystem(({ physics }) => ({
  beforeStep({ x }: { x: number }) {
    physics.world.bodies.forEach((body) => body.applyImpulse({ x, y: 0, z: 0 }, true));
  },
}));
const lift = defineSystem(() => ({ beforeStep() {} }));
const simulationOf = () => createWorldSimulation({ wind, lift });
type Simulation = ReturnType<typeof simulationOf>;

const Wind = ({ x }: { readonly x: number }): null => {
  useSystem<Simulation>('wind', { x });
  // oxlint-disable-next-line no-constant-condition
  if (false) {
    useSystem<Simulation>('lift');
    // A script of which nothing is known.
    useSystem('wind', { x: 0 });
    // @ts-expect-error There is no such system.
    useSystem<Simulation>('storm', { x: 1 });
    // @ts-expect-error These are no props of it.
    useSystem<Simulation>('wind', { y: 1 });
  }
  return null;
};

const ballAndWind = (x: number | undefined): JSX.Element => (
  <>
    <RigidBody gravityScale={0}>
      <BallCollider args={[1]} mass={1} />
    </RigidBody>
    {x !== undefined && <Wind x={x} />}
  </>
);

const worker = () => runLocally(simulationOf());

test('a system runs while it is mounted, with the props of the last render', async () => {
  const scene = await runScene(ballAndWind(1), { worker, isStrict: true });
  const [system] = scene.world.systems.getAll();
  expect(scene.world.systems.len()).toBe(1);
  const set = vi.spyOn(system as NonNullable<typeof system>, 'set');
  await scene.render(ballAndWind(1));
  expect(set).not.toHaveBeenCalled();
  await scene.ticks(1);
  expect(scene.world.bodies.getAll()[0]?.linvel().x).toBe(1);
  await scene.render(ballAndWind(2));
  expect(scene.world.systems.getAll()).toEqual([system]);
  await scene.ticks(1);
  expect(scene.world.bodies.getAll()[0]?.linvel().x).toBe(3);
  await scene.render(ballAndWind(undefined));
  expect(scene.world.systems.len()).toBe(0);
});

/** A body of 2 kg, without gravity. */
const Heavy = ({ children, ...props }: RigidBodyProps): JSX.Element => (
  <RigidBody gravityScale={0} colliders={false} {...props}>
    {children}
    <BallCollider args={[0.1]} mass={2} collisionGroups={props.collisionGroups} />
  </RigidBody>
);

const REST = { x: 0, y: 0, z: 0 };
const speed = (body: RapierRigidBody | null | undefined): number => body?.linvel().x ?? Number.NaN;

// The ball is at x = 4.
test.each<[AttractorProps, speed: number, of?: Partial<PhysicsProps>]>([
  [{}, -0.5],
  [{ strength: 3 }, -1.5],
  [{ strength: -3 }, 1.5],
  [{ strength: 3, range: 3.9 }, 0],
  [{ strength: 3, range: 8, type: 'linear' }, -0.75],
  [{ strength: 32, type: 'newtonian', gravitationalConstant: 0.5 }, -1],
  [{ strength: 32, type: 'newtonian' }, 0],
  [{ position: [8, 0, 0] }, 0.5],
  // In a worker script of the application, too.
  [{}, -1, { timeStep: 1 / 30, worker }],
])('an attractor with %j gives a ball a speed of %s m/s in a tick', async (props, expected, of) => {
  const scene = await runScene(
    <>
      <Heavy position={[4, 0, 0]} />
      <Attractor {...props} />
    </>,
    { isStrict: true, ...of },
  );
  expect(scene.world.systems.len()).toBe(1);
  await scene.ticks(1);
  const [ball] = scene.world.bodies.getAll();
  expect(speed(ball)).toBeCloseTo(expected, 5);
});

test('an attractor ignores bodies that are not in its groups, fixed, or kinematic', async () => {
  const scene = await runScene(
    <>
      <Heavy position={[4, 0, 0]} collisionGroups={interactionGroups(0, 1)} />
      <Heavy position={[4, 4, 0]} collisionGroups={interactionGroups(0, 2)} />
      <Heavy position={[4, 8, 0]} type="fixed" />
      <Heavy position={[4, -4, 0]} type="kinematicVelocity" />
      <Attractor range={20} collisionGroups={interactionGroups(1, 0)} />
    </>,
  );
  await scene.ticks(1);
  const speeds = scene.world.bodies.getAll().map(speed);
  expect(speeds.map((each) => each < 0)).toEqual([true, false, false, false]);
});

test('an attractor follows its place in a group and in a body, which it does not pull', async () => {
  const [ball, moon] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const contents = (x: number, isInBody: boolean): JSX.Element => (
    <>
      <Heavy ref={ball} position={[0, 0, 0]} />
      <Heavy ref={moon} position={[0, 5, 0]} canSleep={false}>
        {isInBody && <Attractor position={[3, -5, 0]} />}
      </Heavy>
      <group name="group" position={[x, 0, 0]}>
        {!isInBody && <Attractor />}
      </group>
    </>
  );
  const scene = await runScene(contents(2, false));
  await scene.ticks(1);
  expect(speed(ball.current)).toBeCloseTo(0.5, 5);
  await scene.render(contents(-2, false));
  await scene.ticks(1);
  expect(speed(ball.current)).toBeCloseTo(0, 2);
  // Without a render.
  scene.object('group').position.x = 2;
  // The first tick has the impulse of the place before.
  await scene.ticks(3);
  expect(speed(ball.current)).toBeCloseTo(0.5, 1);
  await scene.render(contents(0, true));
  for (const { current } of [ball, moon]) current?.setLinvel(REST, true);
  await scene.ticks(1);
  expect(speed(ball.current)).toBeCloseTo(0.5, 2);
  expect(speed(moon.current)).toBe(0);
  moon.current?.setTranslation({ x: -6, y: 5, z: 0 }, true);
  await scene.ticks(2);
  expect(speed(ball.current)).toBeLessThan(0.4);
});

const Floor = (props: RigidBodyProps): JSX.Element => (
  <RigidBody type="fixed" colliders={false} {...props}>
    <CuboidCollider args={[5, 0.5, 5]} />
  </RigidBody>
);
const Ball = (props: RigidBodyProps): JSX.Element => (
  <RigidBody colliders={false} {...props}>
    <BallCollider args={[0.5]} />
  </RigidBody>
);
const height = ({ current }: { current: RapierRigidBody | null }): number =>
  current?.translation().y ?? Number.NaN;

test('the body that is ignored may be mounted later, become another one, and go', async () => {
  const [floor, ball] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const contents = (hasFloor: boolean, canSleep = true): JSX.Element => (
    <>
      <Ball ref={ball} gravityScale={0} ignores={[floor]} />
      {hasFloor && <Floor ref={floor} canSleep={canSleep} position={[0, 0.3, 0]} />}
    </>
  );
  const scene = await runScene(contents(false));
  expect(scene.world.systems.len()).toBe(0);
  for (const canSleep of [true, false]) {
    await scene.render(contents(true, canSleep));
    await scene.ticks(5);
    expect(scene.world.systems.len()).toBe(1);
    expect(height(ball)).toBe(0);
  }
  await scene.render(contents(false));
  await scene.ticks(1);
  expect(scene.world.systems.len()).toBe(0);
});

test('a change of what is ignored counts also for bodies that sleep', async () => {
  const [floor, ball] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const contents = (ignores: RigidBodyProps['ignores']): JSX.Element => (
    <>
      <Floor ref={floor} ignores={ignores} />
      <Ball ref={ball} position={[0, 1, 0]} />
    </>
  );
  const scene = await runScene(contents(undefined));
  await scene.ticks(5);
  ball.current?.sleep();
  await scene.ticks(2);
  expect(ball.current?.isSleeping()).toBe(true);
  await scene.render(contents([ball]));
  await scene.ticks(20);
  expect(height(ball)).toBeLessThan(0.8);
  ball.current?.setTranslation({ x: 0, y: 1, z: 0 }, true);
  ball.current?.setLinvel(REST, true);
  await scene.render(contents([]));
  await scene.ticks(20);
  expect(height(ball)).toBeCloseTo(1, 1);
  expect(scene.world.colliders.getAll()[0]?.activeHooks()).toBe(0);
});

test('a sensor does not notice what its body ignores', async () => {
  const ball = createRef<RapierRigidBody>();
  const entered = vi.fn();
  const contents = (ignores: RigidBodyProps['ignores']): JSX.Element => (
    <>
      <Ball ref={ball} gravityScale={0} />
      <Floor sensor ignores={ignores} onIntersectionEnter={entered} />
    </>
  );
  const scene = await runScene(contents([ball]), { events: 'now' });
  await scene.ticks(3);
  expect(entered).not.toHaveBeenCalled();
  await scene.render(contents(undefined));
  await scene.ticks(3);
  expect(entered).toHaveBeenCalledOnce();
});
