import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatestWins } from '../../../demo/page/latest-wins.js';

const nothing = (): void => {};

/** Work that ends when the test ends it. */
function controlled() {
  const begun: number[] = [];
  let finish: (error?: Error) => void = nothing;
  const latest = new LatestWins<number>((value) => {
    begun.push(value);
    return new Promise((resolve, reject) => {
      finish = (error) => (error === undefined ? resolve() : reject(error));
    });
  });
  return { latest, begun, finish: (error?: Error) => finish(error) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('of several requests during one only the latest is run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer(), { minLength: 1, maxLength: 8 }), async (later) => {
      const { latest, begun, finish } = controlled();
      const done = latest.ask(1000);
      for (const value of later) void latest.ask(value);
      expect(begun).toEqual([1000]);
      finish();
      await turn();
      expect(begun).toEqual([1000, later.at(-1)]);
      finish();
      await done;
    }),
  );
});

test('a failure is reported, and the next request is run', async () => {
  const { latest, begun, finish } = controlled();
  const done = latest.ask(1);
  void latest.ask(2).catch(() => {});
  finish(new Error('no way'));
  await turn();
  expect(begun).toEqual([1, 2]);
  finish();
  await expect(done).rejects.toThrow('no way');
  await latest.settled();
  const again = latest.ask(3);
  finish();
  await again;
  expect(begun).toEqual([1, 2, 3]);
});
