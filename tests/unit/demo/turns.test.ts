/** The demo's turns: what must not overlap does not, and what fails keeps nobody waiting. */
import { expect, test } from 'vitest';
import { Turns } from '../../../demo/page/turns.js';
import { takeTurn } from '../../fixtures/scripted-host.js';

test('work begins when the work before it has ended, in the order in which it was asked for', async () => {
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

test('work that fails tells whoever asked for it, and lets the next begin', async () => {
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
