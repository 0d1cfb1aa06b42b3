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

const Ball = ({ body }: { readonly body: React.Ref<RapierRigidBody> }): JSX.Element => (
  <>
    <CuboidCollider args={[5, 0.5, 5]} />
    <RigidBody ref={body} position={[0, 1.2, 0]} colliders={false}>
      <BallCollider args={[0.5]} />
    </RigidBody>
  </>
);

/** Throws a body up when it has slept for some ticks, twice. */
const alarm = defineSystem(({ bodyOf }) => {
  let throws = 0;
  return {
    beforeStep({ body, ticks }: { body: number; ticks: number }, { tick }) {
      const ball = bodyOf(body);
      if (throws >= 2 || tick % ticks !== 0 || ball?.isSleeping() !== true) return;
      throws += 1;
      ball.applyImpulse({ x: 0, y: 1, z: 0 }, true);
    },
  };
});
const worker = () => runLocally(createWorldSimulation({ alarm }));

const Alarm = (): null => {
  useSystem('alarm', { body: 2, ticks: 60 });
  return null;
};

/** The reports of a scene. */
interface Reports {
  world?: World;
  settled: number;
}

const sceneOf = (children: JSX.Element, reports: Reports, props: Partial<PhysicsProps> = {}) => (
  <Physics
    transport="local"
    capacity={64}
    onReady={(world) => void (reports.world = world)}
    onSettled={() => void (reports.settled += 1)}
    {...props}
  >
    {children}
  </Physics>
);

test('on demand, frames come for a change by the page, whether it wakes a body or not', async () => {
  const body = createRef<RapierRigidBody>();
  const reports: Reports = { settled: 0 };
  const wall = createRef<RapierRigidBody>();
  const canvas = await runCanvas(
    'demand',
    sceneOf(
      <>
        <Ball body={body} />
        <RigidBody ref={wall} type="fixed" position={[8, 0, 0]} />
      </>,
      reports,
    ),
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
  const body = createRef<RapierRigidBody>();
  const reports: Reports = { settled: 0 };
  const canvas = await runCanvas(
    'demand',
    sceneOf(
      <>
        <Ball body={body} />
        <Alarm />
      </>,
      reports,
      { worker },
    ),
  );
  await canvas.until(() => reports.settled === 1);
  const { pictures } = canvas;
  await canvas.until(() => reports.settled === 3);
  expect(canvas.pictures).toBeGreaterThan(pictures + 3);
});

test('on demand, frames end while the simulation is paused, and a step is drawn', async () => {
  const body = createRef<RapierRigidBody>();
  const reports: Reports = { settled: 0 };
  const scene = (paused: boolean): JSX.Element =>
    sceneOf(<Ball body={body} />, reports, { paused, onSettled: undefined });
  const canvas = await runCanvas('demand', scene(false));
  await canvas.until(() => canvas.pictures > 10);
  canvas.render(scene(true));
  const handle = await reports.world?.ready;
  await canvas.until(() => handle?.state === 'paused');
  await canvas.quiet();
  const { pictures } = canvas;
  await handle?.step(1);
  await canvas.until(() => canvas.pictures > pictures);
});

test('never, the application draws frames, with any number for their time', async () => {
  const body = createRef<RapierRigidBody>();
  const reports: Reports = { settled: 0 };
  const canvas = await runCanvas('never', sceneOf(<Ball body={body} />, reports));
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
  vi.unstubAllGlobals();
  expect(sample).toHaveBeenCalledExactlyOnceWith(shown);
});

test.each(['always', 'demand'] as const)(
  '%s, a headset has its own frames, of the time at which they are shown',
  async (frameloop) => {
    const body = createRef<RapierRigidBody>();
    const reports: Reports = { settled: 0 };
    const canvas = await runCanvas(frameloop, sceneOf(<Ball body={body} />, reports));
    await canvas.until(() => reports.settled === 1);
    const sample = vi.spyOn(reports.world as World, 'sample');
    const first = performance.now() + 1000;
    await canvas.present(async (give) => {
      for (let index = 0; index < 45; index++) give(first + index * 11);
      for (let index = 45; index < 90; index++) give(0, first + index * 11);
    });
    expect(sample.mock.calls.map(([stamp]) => stamp)).toEqual(
      Array.from({ length: 90 }, (_, index) => first + index * 11),
    );
  },
);

test('what has come to rest before onSettled is given is reported, once', async () => {
  const body = createRef<RapierRigidBody>();
  const reports: Reports = { settled: 0 };
  const withoutHandler = sceneOf(<Ball body={body} />, reports, { onSettled: undefined });
  const canvas = await runCanvas('always', withoutHandler);
  await canvas.until(() => body.current?.isSleeping() === true);
  canvas.render(sceneOf(<Ball body={body} />, reports));
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

test('components are rendered once when they are mounted, and not for a frame, a tick or a prop of <Physics>', async () => {
  const phases: string[] = [];
  const onRender: ProfilerOnRenderCallback = (_id, phase) => phases.push(phase);
  let nodes = 0;
  const Node = (): JSX.Element => {
    nodes += 1;
    return <CuboidCollider args={[1, 1, 1]} />;
  };
  const content = (
    <Profiler id="bodies" onRender={onRender}>
      <Reader />
      <RigidBody colliders={false}>
        <MeshCollider type="ball">
          <mesh>
            <boxGeometry />
          </mesh>
        </MeshCollider>
        <CuboidCollider args={[1, 1, 1]} />
      </RigidBody>
      <InstancedRigidBodies
        instances={[{ key: 'a' }, { key: 'b' }]}
        colliderNodes={[<Node key="node" />]}
        position={[10, 0, 0]}
      >
        <instancedMesh args={[undefined, undefined, 2]}>
          <boxGeometry />
        </instancedMesh>
      </InstancedRigidBodies>
    </Profiler>
  );
  const scene = await runScene(content);
  await scene.ticks(10);
  expect(phases).toEqual(['mount']);
  expect(nodes).toBe(2);
  for (const paused of [false, true]) {
    await scene.render(content, {
      paused,
      gravity: [0, -1, 0],
      debug: paused,
      interpolate: paused,
    });
    await scene.frame();
  }
  expect(phases).toEqual(['mount']);
});
