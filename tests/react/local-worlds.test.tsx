/** Several `<Physics>` whose engines run on the page, and so in one memory. */
import { act, createRef } from 'react';
import { create } from '@react-three/test-renderer';
import { expect, test } from 'vitest';
import {
  BallCollider,
  Physics,
  RigidBody,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import type { WorldHandle } from '../../src/render-main/world/index.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

test('worlds that begin at the same time are independent, and end in any order', async () => {
  const bodies = [0, 1, 2].map(() => createRef<RapierRigidBody>());
  const statuses: string[] = [];
  const ready: ((handle: WorldHandle) => void)[] = [];
  const handles = bodies.map(
    (_, index) =>
      new Promise<WorldHandle>((resolve) => {
        ready[index] = resolve;
      }),
  );
  const gone: (() => void)[] = [];
  const ends = bodies.map(
    (_, index) =>
      new Promise<void>((resolve) => {
        gone[index] = resolve;
      }),
  );
  const sceneOf = (...shown: readonly number[]) =>
    bodies.map((body, index) =>
      shown.includes(index) ? (
        <Physics
          key={index}
          transport="local"
          paused
          onReady={(_, handle) => {
            handle.on('status', ({ kind }) => {
              statuses.push(`${index} ${kind}`);
              if (kind === 'disposed') gone[index]?.();
            });
            ready[index]?.(handle);
          }}
        >
          <RigidBody ref={body} position={[0, 100, 0]} colliders={false}>
            <BallCollider args={[index + 1]} />
          </RigidBody>
        </Physics>
      ) : null,
    );
  const renderer = await create(sceneOf(0, 1, 2));
  const running = await act(() => Promise.all(handles));
  const fallen = async (index: number): Promise<number> => {
    await act(() => (running[index] as WorldHandle).step(10));
    await act(() => renderer.advanceFrames(1, 1 / 60));
    return bodies[index]?.current?.translation().y ?? Number.NaN;
  };
  for (const index of [0, 1, 2]) expect(await fallen(index)).toBeCloseTo(99.86, 2);
  await renderer.update(sceneOf(1, 2));
  await act(() => ends[0]);
  for (const index of [1, 2]) expect(await fallen(index)).toBeCloseTo(99.45, 1);
  await renderer.update(sceneOf(1));
  await act(() => ends[2]);
  expect(await fallen(1)).toBeLessThan(99);
  await renderer.unmount();
  expect(statuses.filter((kind) => /restart|fail/.test(kind))).toEqual([]);
});
