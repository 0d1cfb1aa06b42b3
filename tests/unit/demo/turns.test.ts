/** The demo's queue: work that must not overlap does not, and a failure blocks nothing. */
import { expect, test } from 'vitest';
import { Turns } from '../../../demo/page/turns.js';
import { takeTurn } from '../../fixtures/scripted-host.js';

test('work begins when the previous work has ended, in the order of the requests', async () => {
  const turns = new Turns();
  const done: string[] = [];
  let end: (() => void) | undefined;
  const first = turns.take(async () => {
    done.push('first begins');
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    done.push('first ends');
  });
  const others = ['second', 'third'].map((name) => turns.take(async () => void done.push(name)));
  await takeTurn();
  expect(done).toEqual(['first begins']);
  end?.();
  await Promise.all([first, ...others]);
  expect(done).toEqual(['first begins', 'first ends', 'second', 'third']);
});

test("work that fails rejects its caller's promise, and lets the next begin", async () => {
  const turns = new Turns();
  const failed = turns.take(() => Promise.reject(new Error('it failed')));
  const thrown = turns.take(() => {
    throw new Error('it threw');
  });
  const next = turns.take(() => Promise.resolve(7));
  await expect(failed).rejects.toThrow('it failed');
  await expect(thrown).rejects.toThrow('it threw');
  expect(await next).toBe(7);
});
