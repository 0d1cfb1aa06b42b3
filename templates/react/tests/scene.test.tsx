import { create } from '@react-three/test-renderer';
import { Physics, type PhysicsProps } from 'betwixt/react';
import type { WorldHandle } from 'betwixt/world';
import { act } from 'react';
import { Ray, Vector3, type Object3D } from 'three';
import { expect, onTestFinished, test } from 'vitest';
import { BOXES } from '../src/boxes.js';
import { Scene } from '../src/scene.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const TICKS_PER_SECOND = 60;
/** Until all boxes are at rest. */
const REST_SECONDS = 15;

const sceneOf = (round: number, onReady: PhysicsProps['onReady']) => (
  <Physics transport="local" paused onReady={onReady}>
    <Scene key={round} />
  </Physics>
);

/** The scene in this thread, with its engine: it is paused, and runs the ticks that the test asks for. */
async function renderHere() {
  let onReady: PhysicsProps['onReady'];
  const ready = new Promise<WorldHandle>((resolve) => {
    onReady = (_world, handle) => resolve(handle);
  });
  const renderer = await create(sceneOf(0, onReady));
  onTestFinished(() => renderer.unmount());
  const sim = await act(() => ready);
  // As fast as this machine can.
  await sim.setTimeScale(100);
  const box = (index: number) => renderer.scene.findByProps({ name: `box-${index}` });
  return {
    push: (index: number, event: object) => {
      const [mesh] = box(index).children;
      if (mesh !== undefined) return renderer.fireEvent(mesh, 'pointerDown', event);
      throw new Error(`box ${index} has no mesh`);
    },
    /** Runs ticks, and draws a frame each second: handlers of events are called when their tick is drawn. */
    advance: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await act(() => sim.step(TICKS_PER_SECOND));
        await act(() => renderer.advanceFrames(1, 1 / 60));
      }
    },
    reset: () => act(() => renderer.update(sceneOf(1, onReady))),
    position: (index: number) => (box(index).instance as Object3D).position.clone(),
    heights: () => BOXES.map((_, index) => (box(index).instance as Object3D).position.y),
  };
}

test('the boxes fall and come to rest on the plate', async () => {
  const { heights, advance } = await renderHere();
  await advance(REST_SECONDS);
  for (const y of heights()) {
    expect(y).toBeGreaterThan(0.45);
    expect(y).toBeLessThan(4);
  }
  const before = heights();
  await advance(1);
  expect(heights()).toEqual(before);
});

test('a pointer pushes a box away', async () => {
  const { push, position, advance } = await renderHere();
  await advance(REST_SECONDS);
  const before = position(0);
  const ray = new Ray(before.clone().setZ(10), new Vector3(0, 0, -1));
  await push(0, { ray, point: before, stopPropagation() {} });
  await advance(1);
  expect(position(0).z).toBeLessThan(before.z - 0.1);
});

test('a reset puts the boxes back', async () => {
  const { reset, heights, advance } = await renderHere();
  await advance(REST_SECONDS);
  expect(Math.max(...heights())).toBeLessThan(4);
  await reset();
  expect(heights()).toEqual(BOXES.map(({ position: [, y] }) => y));
});
