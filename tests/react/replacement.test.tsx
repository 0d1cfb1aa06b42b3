/** What is replaced by a component with another key is never there at the same time. */
import { expect, test } from 'vitest';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { CuboidCollider, RigidBody, useRapier } from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };

/** How many there are of each when the turn of a commit is over: before, and after the key has changed. */
async function countsOf(children: (key: number) => ReactNode): Promise<readonly string[]> {
  const counts: string[] = [];
  let swap: (() => void) | undefined;
  const Swap = (): ReactNode => {
    const { world } = useRapier();
    const [key, setKey] = useState(0);
    swap = () => setKey(1);
    useLayoutEffect(() => {
      // After what the library does at the end of a commit.
      queueMicrotask(() =>
        queueMicrotask(() => counts.push(`${world.bodies.len()} ${world.colliders.len()}`)),
      );
    }, [key, world]);
    return children(key);
  };
  const scene = await runScene(<Swap />);
  // Outside of `act`, passive effects come in a later turn, as in an application.
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  swap?.();
  while (counts.length < 2) await new Promise((resolve) => setImmediate(resolve));
  environment.IS_REACT_ACT_ENVIRONMENT = true;
  await scene.unmount();
  return counts;
}

test('a body and its colliders', async () => {
  const counts = await countsOf((key) => (
    <RigidBody key={key}>
      <mesh>
        <boxGeometry />
      </mesh>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  ));
  expect(counts).toEqual(['1 2', '1 2']);
});

test('a collider of a body that stays', async () => {
  const counts = await countsOf((key) => (
    <RigidBody>
      <CuboidCollider key={key} args={[1, 1, 1]} />
    </RigidBody>
  ));
  expect(counts).toEqual(['1 1', '1 1']);
});
