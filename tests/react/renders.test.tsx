import { Profiler, type JSX, type ProfilerOnRenderCallback } from 'react';
import { BufferGeometry, Float32BufferAttribute } from 'three';
import { expect, test, vi } from 'vitest';
import {
  CuboidCollider,
  InstancedRigidBodies,
  MeshCollider,
  Physics,
  RigidBody,
  useBeforePhysicsStep,
  useRapier,
} from '../../src/render-main/react/index.js';
import type { World } from '../../src/render-main/world/index.js';
import { runCanvas } from './run-canvas.js';
import { runScene } from './run-scene.js';

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

test('a running <Physics> with its children is not rendered for its ticks and frames', async () => {
  let renders = 0;
  let childRenders = 0;
  let world: World | undefined;
  const Child = (): null => {
    childRenders += 1;
    useRapier();
    useBeforePhysicsStep(() => {});
    return null;
  };
  const canvas = await runCanvas(
    'always',
    <Profiler id="physics" onRender={() => void (renders += 1)}>
      <Physics
        transport="local"
        onReady={(ready) => {
          world = ready;
        }}
        onSettled={() => {}}
      >
        <Child />
        <RigidBody position={[0, 5, 0]}>
          <mesh>
            <boxGeometry />
          </mesh>
        </RigidBody>
      </Physics>
    </Profiler>,
  );
  // When the worker runs, it is rendered with its handle.
  await canvas.until(() => (world?.frame.newestTick ?? 0) > 1);
  const before = { renders, childRenders };
  const { pictures } = canvas;
  await canvas.until(() => (world?.frame.newestTick ?? 0) > 30 && canvas.pictures > pictures + 30);
  expect({ renders, childRenders }).toEqual(before);
  expect(childRenders).toBe(1);
});

test.each(['ball', 'cuboid', 'hull'] as const)(
  'a geometry of which no %s can be made is named',
  async (kind) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const point = new BufferGeometry();
    point.setAttribute('position', new Float32BufferAttribute([1, 1, 1, 1, 1, 1, 1, 1, 1], 3));
    const scene = runScene(
      <RigidBody colliders={kind}>
        <mesh geometry={point} />
      </RigidBody>,
    );
    await expect(scene).rejects.toThrow(/a BufferGeometry has no (size|such shape)/);
    errors.mockRestore();
  },
);
