/** Attractors: which bodies they pull, and how much. */
import { createRef, type JSX } from 'react';
import { expect, test } from 'vitest';
import {
  Attractor,
  BallCollider,
  RigidBody,
  interactionGroups,
  type AttractorProps,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/render-main/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation } from '../../src/sim-worker/world/index.js';
import { runScene } from './run-scene.js';

const Ball = ({ children, ...props }: RigidBodyProps): JSX.Element => (
  <RigidBody gravityScale={0} colliders={false} {...props}>
    {children}
    <BallCollider args={[0.1]} mass={2} collisionGroups={props.collisionGroups} />
  </RigidBody>
);

const speed = (body: RapierRigidBody | null): number => body?.linvel().x ?? Number.NaN;

// A ball of 2 kg at x = 4 is pulled for one tick.
test.each<[AttractorProps, speed: number]>([
  [{}, -0.5],
  [{ strength: 3 }, -1.5],
  [{ strength: -3 }, 1.5],
  [{ strength: 3, range: 3.9 }, 0],
  [{ strength: 3, range: 8, type: 'linear' }, -0.75],
  [{ strength: 32, type: 'newtonian', gravitationalConstant: 0.5 }, -1],
  [{ strength: 32, type: 'newtonian' }, 0],
  [{ position: [8, 0, 0] }, 0.5],
])('an attractor with %j pulls', async (props, expected) => {
  const body = createRef<RapierRigidBody>();
  const scene = await runScene(
    <>
      <Ball ref={body} position={[4, 0, 0]} />
      <Attractor {...props} />
    </>,
    { isStrict: true },
  );
  expect(scene.world.systems.len()).toBe(1);
  await scene.ticks(1);
  expect(speed(body.current)).toBeCloseTo(expected, 5);
  await scene.unmount();
});

test('an attractor pulls the same at any tick rate, and in a worker script of the application', async () => {
  const body = createRef<RapierRigidBody>();
  const scene = await runScene(
    <>
      <Ball ref={body} position={[4, 0, 0]} />
      <Attractor />
    </>,
    { timeStep: 1 / 30, worker: () => runLocally(createWorldSimulation()) },
  );
  await scene.ticks(1);
  expect(speed(body.current)).toBeCloseTo(-1, 5);
  await scene.unmount();
});

test('an attractor passes over bodies that are not in its groups, fixed, or kinematic', async () => {
  const bodies = [0, 1, 2, 3].map(() => createRef<RapierRigidBody>());
  const scene = await runScene(
    <>
      <Ball ref={bodies[0]} position={[4, 0, 0]} collisionGroups={interactionGroups(0, 1)} />
      <Ball ref={bodies[1]} position={[4, 4, 0]} collisionGroups={interactionGroups(0, 2)} />
      <Ball ref={bodies[2]} position={[4, 8, 0]} type="fixed" />
      <Ball ref={bodies[3]} position={[4, -4, 0]} type="kinematicVelocity" />
      <Attractor range={20} collisionGroups={interactionGroups(1, 0)} />
    </>,
  );
  await scene.ticks(1);
  expect(bodies.map(({ current }) => speed(current) < 0)).toEqual([true, false, false, false]);
  await scene.unmount();
});

test('an attractor follows its place, in a group and in a body', async () => {
  const ball = createRef<RapierRigidBody>();
  const moon = createRef<RapierRigidBody>();
  const contents = (x: number, isInBody: boolean): JSX.Element => (
    <>
      <Ball ref={ball} position={[0, 0, 0]} />
      <Ball ref={moon} position={[0, 5, 0]} canSleep={false}>
        {isInBody && <Attractor position={[3, -5, 0]} />}
      </Ball>
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
  ball.current?.setLinvel({ x: 0, y: 0, z: 0 }, true);
  moon.current?.setLinvel({ x: 0, y: 0, z: 0 }, true);
  await scene.ticks(1);
  expect(speed(ball.current)).toBeCloseTo(0.5, 2);
  // What it is part of is not pulled.
  expect(speed(moon.current)).toBe(0);
  moon.current?.setTranslation({ x: -6, y: 5, z: 0 }, true);
  await scene.ticks(2);
  expect(speed(ball.current)).toBeLessThan(0.4);
  await scene.unmount();
});

test('a wrong prop is named', async () => {
  await expect(runScene(<Attractor range={-1} />)).rejects.toThrow(/range must be/);
  await expect(runScene(<Attractor type={'magnetic' as 'static'} />)).rejects.toThrow(
    /type must be/,
  );
});
