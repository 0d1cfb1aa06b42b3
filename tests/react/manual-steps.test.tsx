/** Steps of a paused world, and the hooks that count them. */
import { expect, test } from 'vitest';
import { act } from 'react';
import { useAfterPhysicsStep, useBeforePhysicsStep } from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

test('each step that was asked for has its calls, however many come with one frame', async () => {
  let before = 0;
  let after = 0;
  const Counter = (): null => {
    useBeforePhysicsStep(() => before++);
    useAfterPhysicsStep(() => after++);
    return null;
  };
  const scene = await runScene(<Counter />);
  await act(() => scene.context.step(1));
  await act(async () => {
    for (let step = 0; step < 40; step++) await scene.context.step(1 / 60);
  });
  await scene.frame();
  expect([before, after]).toEqual([100, 100]);
  await scene.ticks(1);
  expect([before, after]).toEqual([101, 101]);
  await scene.unmount();
});
