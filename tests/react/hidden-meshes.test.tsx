import { Suspense, act, use, useState, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { RigidBody } from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const Part = ({ waitsFor }: { waitsFor: Promise<void> | undefined }): null => {
  if (waitsFor !== undefined) use(waitsFor);
  return null;
};

let wait: (promise: Promise<void>) => void;

/** A body with a mesh, and next to that what may suspend. */
function Crate({ friction, visible }: { friction: number; visible: boolean }): ReactNode {
  const [waitsFor, setWaitsFor] = useState<Promise<void>>();
  wait = setWaitsFor;
  return (
    <RigidBody friction={friction}>
      <Suspense>
        <mesh name="mesh" visible={visible}>
          <boxGeometry />
        </mesh>
        <Part waitsFor={waitsFor} />
      </Suspense>
    </RigidBody>
  );
}

test.each([
  ['that was visible keeps its collider', true, 1],
  ['that was invisible gets none', false, 0],
])('a mesh in a suspended boundary %s while its body is rendered', async (_, visible, count) => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const scene = await runScene(<Crate friction={0.5} visible={visible} />);
  const before = scene.world.colliders.getAll();
  expect(before).toHaveLength(count);
  const resolvers: (() => void)[] = [];
  const loaded = new Promise<void>((resolve) => resolvers.push(resolve));
  await act(() => wait(loaded));
  expect(scene.object('mesh').visible).toBe(false);
  await scene.render(<Crate friction={0.25} visible={visible} />);
  expect(scene.world.colliders.getAll()).toEqual(before);
  await act(() => resolvers[0]?.());
  expect(scene.object('mesh').visible).toBe(visible);
  expect(scene.world.colliders.getAll()).toEqual(before);
  expect(before.map((collider) => collider.friction())).toEqual(before.map(() => 0.25));
  await scene.unmount();
  vi.restoreAllMocks();
});
