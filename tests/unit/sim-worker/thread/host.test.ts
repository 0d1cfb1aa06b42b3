import { expect, test, vi } from 'vitest';
import { MessageChannelTurn } from '../../../../src/sim-worker/thread/host.js';
/** A channel whose messages a test delivers. @returns Delivers the oldest. */
function holdHops(): () => void {
  let waiting = 0;
  const port1: { onmessage: (() => void) | undefined; close(): void } = {
    onmessage: undefined,
    close: () => {},
  };
  vi.stubGlobal(
    'MessageChannel',
    class {
      readonly port1 = port1;
      readonly port2 = { postMessage: () => void (waiting += 1) };
    },
  );
  return () => {
    expect(waiting).toBeGreaterThan(0);
    waiting -= 1;
    port1.onmessage?.();
  };
}

/** Whether a promise has been settled by now. */
function watch(promise: Promise<void>): () => Promise<boolean> {
  let isSettled = false;
  void promise.then(() => {
    isSettled = true;
  });
  return async () => {
    await Promise.resolve();
    return isSettled;
  };
}

test('a turn of the event loop whose message does not come back ends by the timer after 4 ms', async () => {
  vi.useFakeTimers();
  holdHops();
  const isOver = watch(new MessageChannelTurn().take());
  vi.advanceTimersByTime(3);
  expect(await isOver()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await isOver()).toBe(true);
});

test('a turn of the event loop ends when its own message is back, and not by one that comes late', async () => {
  vi.useFakeTimers();
  const deliver = holdHops();
  const turn = new MessageChannelTurn();
  const first = turn.take();
  vi.advanceTimersByTime(4);
  await first;
  const isOver = watch(turn.take());
  deliver();
  expect(await isOver()).toBe(false);
  deliver();
  expect(await isOver()).toBe(true);
  // Nothing is left that would end a later one.
  expect(vi.getTimerCount()).toBe(0);
});
