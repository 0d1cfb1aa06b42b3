import { expect, test } from 'vitest';
import { watchContext } from '../../../src/three/index.js';

test('a lost context is shown once, until it is restored or no longer watched, and not for a canvas that was removed', () => {
  const canvas = Object.assign(new EventTarget(), { isConnected: true });
  const shown: string[] = [];
  const end = watchContext(canvas as HTMLCanvasElement, (text) => {
    shown.push(text.slice(0, 32));
    return () => shown.push('removed');
  });
  const report = (name: string) => canvas.dispatchEvent(new Event(`webglcontext${name}`));
  report('lost');
  report('lost');
  expect(shown).toEqual(['The graphics context was lost, a']);
  report('restored');
  expect(shown.splice(0)).toHaveLength(2);
  report('lost');
  end();
  report('lost');
  expect(shown.splice(0)).toEqual([expect.any(String), 'removed']);
  canvas.isConnected = false;
  watchContext(canvas as HTMLCanvasElement, () => expect.unreachable());
  report('lost');
});
