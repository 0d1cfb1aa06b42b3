/** When frames are asked for, what they show, and that nothing is rendered again for them. */
import { advance } from '@react-three/fiber';
import { Profiler, createRef, type JSX, type ProfilerOnRenderCallback } from 'react';
import { expect, test, vi } from 'vitest';
import {
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  MeshCollider,
  Physics,
  RigidBody,
  useBeforePhysicsStep,
  useRapier,
  useSystem,
  type PhysicsProps,
  type RapierRigidBody,
} from '../../src/react/index.js';
import type { World } from '../../src/world/page/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation, defineSystem } from '../../src/world/worker/index.js';
import { runCanvas } from './run-canvas.js';
import { runScene } from './run-scene.js';
import { Box } from './snippets.js';

/** Throws the ball up when it has slept for some ticks, twice. */
const alarm = defineSystem(({ bodyOf }) => {
  let throws = 0;
  return {
    beforeStep(_props: null, { tick }) {
      const ball = bodyOf(2);
      if (throws >= 2 || tick % 60 !== 0 || ball?.isSleeping() !== true) return;
      throws += 1;
      ball.applyImpulse({ x: 0, y: 1, z: 0 }, true);
    },
  };
});
const worker = () => runLocally(createWorldSimulation({ alarm }));

const Alarm = (): null => {
  useSystem('alarm');
  return null;
};

/** A canvas with a ball that falls onto a floor. @param more Other children. */
async function begin(
  frameloop: 'always' | 'demand' | 'never',
  props: Partial<PhysicsProps> = {},
  more?: JSX.Element,
) {
  const body = createRef<RapierRigidBody>();
  const reports: { world?: World; settled: number } = { settled: 0 };
  const sceneOf = (changed: Partial<PhysicsProps>): JSX.Element => (
    <Physics
      transport="local"
      capacity={64}
      onReady={(world) => void (reports.world = world)}
      onSettled={() => void (reports.settled += 1)}
      {...changed}
    >
      <CuboidCollider args={[5, 0.5, 5]} />
      <RigidBody ref={body} position={[0, 1.2, 0]} colliders={false}>
        <BallCollider args={[0.5]} />
      </RigidBody>
      {more}
    </Physics>
  );
  const canvas = await runCanvas(frameloop, sceneOf(props));
  const render = (changed: Partial<PhysicsProps>): void => canvas.render(sceneOf(changed));
  return { body, reports, canvas, render };
}

test('on demand, frames come for a change by the page, whether it wakes a body or not', async () => {
  const wall = createRef<RapierRigidBody>();
  const { body, reports, canvas } = await begin(
    'demand',
    {},
    <RigidBody ref={wall} type="fixed" position={[8, 0, 0]} />,
  );
  await canvas.until(() => reports.settled === 1);
  expect(body.current?.isSleeping()).toBe(true);
  const { pictures } = canvas;
  body.current?.applyImpulse({ x: 0, y: 1, z: 0 }, true);
  await canvas.until(() => reports.settled === 2);
  expect(canvas.pictures).toBeGreaterThan(pictures + 3);
  const before = canvas.pictures;
  wall.current?.setTranslation({ x: 9, y: 1, z: 0 }, false);
  await canvas.until(() => canvas.pictures > before);
  await canvas.quiet();
  expect(body.current?.isSleeping()).toBe(true);
});

test('on demand, frames come when the worker wakes something', async () => {
  const { reports, canvas } = await begin('demand', { worker }, <Alarm />);
  await canvas.until(() => reports.settled === 1);
  const { pictures } = canvas;
  await canvas.until(() => reports.settled === 3);
  expect(canvas.pictures).toBeGreaterThan(pictures + 3);
});

test('on demand, frames end while the simulation is paused, and a step is drawn', async () => {
  const { reports, canvas, render } = await begin('demand', { onSettled: undefined });
  await canvas.until(() => canvas.pictures > 10);
  render({ onSettled: undefined, paused: true });
  const handle = await reports.world?.ready;
  await canvas.until(() => handle?.state === 'paused');
  await canvas.quiet();
  const { pictures } = canvas;
  await handle?.step(1);
  await canvas.until(() => canvas.pictures > pictures);
});

test('never, the application draws frames, with any number for their time', async () => {
  const { body, reports, canvas } = await begin('never');
  let time = 0;
  await canvas.until(() => {
    time += 1 / 3;
    advance(time);
    return reports.settled === 1;
  });
  expect(body.current?.isSleeping()).toBe(true);
  // The page's frame has the stamp that counts.
  const sample = vi.spyOn(reports.world as World, 'sample');
  const shown = performance.now() + 1234;
  vi.stubGlobal('document', { timeline: { currentTime: shown } });
  advance(time);
  expect(sample).toHaveBeenCalledExactlyOnceWith(shown);
});

test.each(['always', 'demand'] as const)(
  '%s, a headset has its own frames, of the time at which they are shown',
  async (frameloop) => {
    const { reports, canvas } = await begin(frameloop);
    await canvas.until(() => reports.settled === 1);
    const sample = vi.spyOn(reports.world as World, 'sample');
    const first = performance.now() + 1000;
    const stamps = Array.from({ length: 90 }, (_, index) => first + index * 11);
    await canvas.present(async (give) => {
      for (const stamp of stamps.slice(0, 45)) give(stamp);
      for (const stamp of stamps.slice(45)) give(0, stamp);
    });
    expect(sample.mock.calls.map(([stamp]) => stamp)).toEqual(stamps);
  },
);

test('what has come to rest before onSettled is given is reported, once', async () => {
  const { body, reports, canvas, render } = await begin('always', { onSettled: undefined });
  await canvas.until(() => body.current?.isSleeping() === true);
  render({});
  await canvas.until(() => reports.settled === 1);
  const { pictures } = canvas;
  await canvas.until(() => canvas.pictures > pictures + 10);
  expect(reports.settled).toBe(1);
});

const Reader = (): null => {
  useRapier();
  useBeforePhysicsStep(() => {});
  return null;
};

const Node = (): JSX.Element => <CuboidCollider args={[1, 1, 1]} />;

test('components are rendered once when they are mounted, and not for a frame, a tick or a prop of <Physics>', async () => {
  const phases: string[] = [];
  const onRender: ProfilerOnRenderCallback = (_id, phase) => phases.push(phase);
  const content = (
    <Profiler id="bodies" onRender={onRender}>
      <Reader />
      <RigidBody colliders={false}>
        <MeshCollider type="ball">
          <Box />
        </MeshCollider>
        <CuboidCollider args={[1, 1, 1]} />
      </RigidBody>
      <InstancedRigidBodies
        instances={[{ key: 'a' }, { key: 'b' }]}
        colliders={false}
        colliderNodes={[<Node key="node" />]}
        position={[10, 0, 0]}
      >
        <instancedMesh args={[undefined, undefined, 2]} />
      </InstancedRigidBodies>
    </Profiler>
  );
  const scene = await runScene(content);
  await scene.ticks(10);
  expect(phases).toEqual(['mount']);
  for (const paused of [false, true]) {
    const changed = { paused, debug: paused, interpolate: paused };
    await scene.render(content, { ...changed, gravity: [0, -1, 0] });
    await scene.frame();
  }
  expect(phases).toEqual(['mount']);
});
