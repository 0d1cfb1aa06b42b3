import { PerspectiveCamera, Scene, type Camera, type Object3D } from 'three';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rendererTime } from '../../../src/render-main/session/worker-counters.js';
import { measureRenderer } from '../../../src/three/index.js';

let nowMs: number;
beforeEach(() => {
  nowMs = 100;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  rendererTime.ms = Number.NaN;
});

/** Each rendering takes 3 ms, and may do something within. */
class SlowRenderer {
  readonly rendered: unknown[] = [];
  within = (): void => {};

  render(scene: Object3D, camera: Camera): string {
    nowMs += 3;
    this.within();
    this.rendered.push([scene, camera]);
    return 'done';
  }
}

const scene = new Scene();
const camera = new PerspectiveCamera();

test('the time in a renderer is counted, which renders as before', () => {
  const renderer = new SlowRenderer();
  expect(rendererTime.ms).toBeNaN();
  const end = measureRenderer(renderer);
  expect(rendererTime.ms).toBe(0);
  expect(renderer.render(scene, camera)).toBe('done');
  nowMs += 50;
  renderer.render(scene, camera);
  expect(rendererTime.ms).toBe(6);
  end();
  renderer.render(scene, camera);
  expect(rendererTime.ms).toBe(6);
  expect(renderer.rendered).toEqual(Array.from({ length: 3 }, () => [scene, camera]));
});

test('a rendering within a rendering counts once, and one that throws counts', () => {
  const renderer = new SlowRenderer();
  measureRenderer(renderer);
  let depth = 0;
  renderer.within = () => {
    depth += 1;
    if (depth === 1) renderer.render(scene, camera);
  };
  renderer.render(scene, camera);
  expect([renderer.rendered.length, rendererTime.ms]).toEqual([2, 6]);
  renderer.within = () => {
    throw new Error('lost');
  };
  expect(() => renderer.render(scene, camera)).toThrow('lost');
  expect(rendererTime.ms).toBe(9);
});
