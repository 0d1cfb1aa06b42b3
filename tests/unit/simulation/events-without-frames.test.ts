/** Events for handlers that wait for no frame: none stays in the queue, although no frame reads it. */
import { expect, test, vi } from 'vitest';
import { connectScripted } from '../../fixtures/scripted-simulation.js';

const NOW = { when: 'now' } as const;

const ATOMIC = ['load', 'store', 'exchange', 'compareExchange', 'add', 'or'] as const;

/**
 * Runs a function, and another one before each of its atomic operations: what a thread does to shared
 * memory may come between any two operations of another thread.
 *
 * @param before Called with how many operations there have been.
 * @returns How many there were.
 */
function interrupted(run: () => void, before: (operations: number) => void): number {
  let operations = 0;
  let isInterrupted = false;
  const spies = ATOMIC.map((name) => {
    const operate = Atomics[name] as (...args: unknown[]) => unknown;
    return vi.spyOn(Atomics, name).mockImplementation(((...args: unknown[]) => {
      if (!isInterrupted) {
        isInterrupted = true;
        before(operations);
        isInterrupted = false;
        operations += 1;
      }
      return operate(...args);
    }) as never);
  });
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return operations;
}

test('an event is read, wherever the page is in its reading when the worker reports it', async () => {
  const { simulation, worker } = await connectScripted('local');
  let seen = 0;
  simulation.on('goal', () => (seen += 1), NOW);
  let reported = 0;
  let isPosted = false;
  const report = (): void => {
    worker.reportEvent('goal');
    reported += 1;
  };
  const endPass = (): void => {
    if (worker.takeEventNudge()) isPosted = true;
  };
  /** The page receives the worker's message, and reads. */
  const read = (before: (operations: number) => void = () => {}): number => {
    isPosted = false;
    return interrupted(() => worker.postEvents(), before);
  };
  report();
  endPass();
  const most = read();
  expect([seen, most > 5]).toEqual([1, true]);
  for (let reportAt = 0; reportAt <= most; reportAt++) {
    for (let endAt = reportAt; endAt <= most; endAt++) {
      report();
      endPass();
      const left = [
        { at: reportAt, run: report },
        { at: endAt, run: endPass },
      ];
      const work = (operations: number): void => {
        while (left[0] !== undefined && left[0].at <= operations) left.shift()?.run();
      };
      read(work);
      work(most);
      // If the page needs a message to read again, the worker has posted one.
      if (isPosted) read();
      expect({ reportAt, endAt, seen }).toEqual({ reportAt, endAt, seen: reported });
    }
  }
});
