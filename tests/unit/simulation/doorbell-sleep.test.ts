/**
 * How the loop goes to sleep: what wakes it, what gets a turn of the event loop before, and that it
 * misses nothing between checking and sleeping.
 */
import { expect, test, vi } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { CONTROL, SLOT_HEADER } from '../../../src/shared/memory/layout.js';
import { StatusReader } from '../../../src/shared/memory/snapshot-reader.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import { firstPace } from '../../fixtures/page-pace.js';
import { callsOfPage } from '../../fixtures/page-port.js';
import { expectSame } from '../../fixtures/quick-checks.js';
import { scriptedHost, takeTurn, turnsUntil } from '../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

/** One `Atomics.wait` of the loop. */
interface Sleep {
  /** The doorbell differs from the value that the loop waits for: it would not have slept. */
  readonly wasRung: boolean;
  readonly timeoutMs: number;
  /** Turns of the event loop since the previous sleep. */
  readonly turns: number;
}

/** The page's actions on the worker. */
interface Page {
  ring(): void;
  deliver(): void;
  /** Delivers a call that is answered by the returned function. */
  ask(): () => void;
}

interface Script {
  /** Receives each turn's number, from 1: the page's actions during that turn. */
  readonly onTurn?: (turn: number, page: Page) => void;
  /** Receives each sleep's number, from 1: the page's actions in the middle of it. */
  readonly onSleep?: (sleep: number, page: Page) => void;
  readonly turnsPerSecond?: number;
}

/**
 * Runs a loop at 10 Hz in this thread for some sleeps, on a clock that advances by the time it
 * sleeps.
 */
async function sleepsOf(
  count: number,
  { onTurn = () => {}, onSleep = () => {}, turnsPerSecond = 4 }: Script = {},
) {
  const views = createBuffer(4, 2);
  const { control } = views;
  const status = new StatusReader(views);
  const sleeps: Sleep[] = [];
  let clockMs = 1000;
  const { calls, ask, deliver } = callsOfPage();
  let turns = 0;
  let turnsBefore = 0;
  const page: Page = { ring: () => void Atomics.add(control, CONTROL.doorbell, 1), deliver, ask };
  vi.spyOn(Atomics, 'wait').mockImplementation(
    (words: Int32Array | BigInt64Array, index: number, value: unknown, timeoutMs = 0) => {
      expectSame(words.buffer, control.buffer);
      expectSame(words.byteOffset, control.byteOffset);
      expectSame(index, CONTROL.doorbell);
      const wasRung = Atomics.load(control, CONTROL.doorbell) !== value;
      sleeps.push({ wasRung, timeoutMs, turns: turns - turnsBefore });
      turnsBefore = turns;
      if (!wasRung) {
        clockMs += timeoutMs / 2;
        onSleep(sleeps.length, page);
        if (Atomics.load(control, CONTROL.doorbell) === value) clockMs += timeoutMs / 2;
      }
      if (sleeps.length === count) server.stop();
      return wasRung ? 'not-equal' : 'timed-out';
    },
  );
  const take = async () => {
    turns += 1;
    onTurn(turns, page);
    await takeTurn();
  };
  const host = scriptedHost(() => clockMs, { take });
  const server = createControlServer({
    host,
    simulation: { init: () => {}, step: () => {} },
    calls,
    post: () => {},
  });
  const buffer = views.control.buffer as SharedArrayBuffer;
  const options = { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 10, turnsPerSecond };
  await server.initialize({ transport: 'shared', buffer }, options);
  server.start(firstPace(options));
  await turnsUntil(() => sleeps.length === count);
  const tick = status.read()[SLOT_HEADER.newestTick];
  return { sleeps, tick };
}

test.each([
  ['four a second', 4, [1, 0, 1, 0, 1, 0, 1, 0]],
  ['one a second', 1, [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]],
  ['as many as ticks', 10, [1, 1, 1, 1]],
])(
  'a loop on a doorbell takes the turns that the application asked for: %s',
  async (_, turnsPerSecond, expected) => {
    const { sleeps, tick } = await sleepsOf(expected.length, { turnsPerSecond });
    // In the sleep in which they are due, so that none is late.
    expect(sleeps.map(({ turns }) => turns)).toEqual(expected);
    // Each until the next tick is due.
    for (const { timeoutMs } of sleeps) expect(timeoutMs).toBeCloseTo(100, 6);
    expect([tick, ...sleeps.filter(({ wasRung }) => wasRung)]).toEqual([expected.length - 1]);
  },
);

test('a loop on a doorbell takes more turns than there are ticks, if asked to', async () => {
  const { sleeps, tick } = await sleepsOf(9, { turnsPerSecond: 40 });
  for (const { timeoutMs, turns } of sleeps) {
    expect(timeoutMs).toBeCloseTo(25, 6);
    expect(turns).toBe(1);
  }
  expect(tick).toBe(2);
});

test('a loop on a doorbell takes a turn when it was rung, and none otherwise', async () => {
  const { sleeps, tick } = await sleepsOf(6, {
    turnsPerSecond: 1,
    onSleep: (sleep, page) => sleep === 3 && page.ring(),
    onTurn: (turn, page) => turn === 2 && page.deliver(),
  });
  expect(sleeps.map(({ turns }) => turns)).toEqual([1, 0, 0, 1, 0, 0]);
  expect(sleeps[3]?.timeoutMs).toBeCloseTo(50, 6);
  expect(tick).toBe(4);
});

test('a loop on a doorbell takes a turn after each tick while a call has no answer', async () => {
  let answer: (() => void) | undefined;
  const { sleeps } = await sleepsOf(7, {
    turnsPerSecond: 1,
    onTurn(turn, page) {
      if (turn === 1) answer = page.ask();
      if (turn === 4) answer?.();
    },
  });
  expect(sleeps.map(({ turns }) => turns)).toEqual([1, 1, 1, 1, 0, 0, 0]);
});

test('a loop on a doorbell does not sleep through a ring that came during its turn', async () => {
  const { sleeps } = await sleepsOf(2, {
    onTurn(turn, page) {
      // The message itself arrives only in the next turn.
      if (turn === 1) page.ring();
      if (turn === 2) page.deliver();
    },
  });
  expect(sleeps.map(({ wasRung }) => wasRung)).toEqual([true, false]);
  expect(sleeps[1]?.turns).toBe(1);
});

test('a loop on a doorbell takes turns until all announced messages have arrived', async () => {
  const { sleeps } = await sleepsOf(2, {
    onTurn(turn, page) {
      if (turn === 1) for (let message = 0; message < 3; message++) page.ring();
      // Turns 2, 3 and 4: one message each.
      else if (turn <= 4) page.deliver();
    },
  });
  expect(sleeps.map(({ turns }) => turns)).toEqual([1, 3]);
  expect(sleeps[1]?.wasRung).toBe(false);
});

test('a loop on a doorbell naps while an announced message is on its way', async () => {
  const { sleeps } = await sleepsOf(5, {
    onTurn(turn, page) {
      if (turn === 1) page.ring();
      // A port's messages take longer: they arrive two passes and two sleeps later.
      if (turn === 18) page.deliver();
    },
  });
  expect(sleeps.map(({ turns }) => turns)).toEqual([1, 8, 8, 1, 0]);
  expect(sleeps.slice(1, 3).map(({ timeoutMs }) => timeoutMs)).toEqual([1, 1]);
  expect(sleeps[3]?.timeoutMs).toBeCloseTo(98, 6);
});

test('a loop on a doorbell does not wait forever for a message that does not arrive', async () => {
  const { sleeps, tick } = await sleepsOf(1003, {
    onTurn(turn, page) {
      if (turn === 1) page.ring();
    },
  });
  const awake = sleeps.slice(1, 1001);
  expect(awake.every(({ turns, timeoutMs }) => turns === 8 && timeoutMs <= 1)).toBe(true);
  expect(sleeps.at(-1)?.timeoutMs).toBeGreaterThan(90);
  // Ticks run in the meantime.
  expect(tick).toBe(11);
});
