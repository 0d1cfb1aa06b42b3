import { keyCode } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { createGame } from './simulation.js';

test('a key moves the ball of its seat', async () => {
  const { poses, tags } = await runTicks(createGame(), {
    ticks: 60,
    values: 8,
    commands: [
      { tick: 1, name: 'join', args: [0, 'Ada'] },
      { tick: 1, name: 'join', args: [1, 'Bob'] },
    ],
    inputs: [{ tick: 2, seat: 1, kind: 'keydown', code: keyCode('ArrowRight') }],
  });
  expect([...tags.values()]).toEqual([{ name: 'Ada' }, { name: 'Bob' }]);
  const [ada, bob] = [...poses.values()];
  expect(ada?.x).toBe(0);
  expect(bob?.x).toBeGreaterThan(1);
});
