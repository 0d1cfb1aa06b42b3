/** The part of the library that watches for rest is loaded late, when all has come to rest. */
import { createRef } from 'react';
import { expect, test, vi } from 'vitest';
import {
  BallCollider,
  CuboidCollider,
  Physics,
  RigidBody,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
import { runCanvas } from './run-canvas.js';

const gate = vi.hoisted(() => ({ isOpen: Promise.resolve() }));

vi.mock('../../src/render-main/react/frames/rest-watch.js', async (importOriginal) => {
  await gate.isOpen;
  return importOriginal();
});

test('what has come to rest before is reported, once', async () => {
  const { promise, resolve } = withResolvers<void>();
  gate.isOpen = promise;
  const body = createRef<RapierRigidBody>();
  let settled = 0;
  const canvas = await runCanvas(
    'always',
    <Physics transport="local" onSettled={() => (settled += 1)}>
      <CuboidCollider args={[5, 0.5, 5]} />
      <RigidBody ref={body} position={[0, 1.01, 0]} colliders={false}>
        <BallCollider args={[0.5]} />
      </RigidBody>
    </Physics>,
  );
  await canvas.until(() => body.current?.isSleeping() === true);
  expect(settled).toBe(0);
  resolve();
  await canvas.until(() => settled === 1);
  const { pictures } = canvas;
  await canvas.until(() => canvas.pictures > pictures + 10);
  expect(settled).toBe(1);
  await canvas.unmount();
});
