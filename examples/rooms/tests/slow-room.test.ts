import { expect, test } from 'vitest';
import { SlowRoom, type Conditions } from '../src/slow-room.js';

const nothing = (): void => {};

/** A room on a clock that the test sets, and everything that has passed. */
function openSlowRoom(conditions: Partial<Conditions>, chances: readonly number[] = []) {
  let nowMs = 0;
  let timers: { dueMs: number; call: () => void }[] = [];
  let drop: () => void = nothing;
  let receive: (bytes: Uint8Array) => void = nothing;
  const log: string[] = [];
  const left = [...chances];
  const note = (text: string) => (bytes: Uint8Array) => log.push(`${nowMs}: ${text} ${bytes[0]}`);
  const room = new SlowRoom(
    {
      sendBytes: (_, bytes) => note('sent')(bytes),
      onMessage: (_, handler) => {
        receive = handler;
        return nothing;
      },
      onLeave: nothing,
      onDrop: (handler) => {
        drop = handler;
      },
    },
    {
      now: () => nowMs,
      setTimer: (call, delayMs) => timers.push({ dueMs: nowMs + delayMs, call }),
      random: () => left.shift() ?? 0,
    },
  );
  room.conditions = { latencyMs: 0, jitterMs: 0, lossShare: 0, ...conditions };
  room.onMessage('type', note('received'));
  return {
    room,
    log,
    send: (value: number) => room.sendBytes('type', Uint8Array.of(value)),
    receive: (value: number) => receive(Uint8Array.of(value)),
    drop: () => drop(),
    runTo(endMs: number) {
      for (;;) {
        const due = timers.filter(({ dueMs }) => dueMs <= endMs);
        const [next] = due.toSorted((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.dueMs;
        next.call();
      }
      nowMs = endMs;
    },
  };
}

test('messages of a room without latency pass at once, and are counted', () => {
  const { room, log, send, receive } = openSlowRoom({});
  send(1);
  receive(2);
  receive(3);
  expect(log).toEqual(['0: sent 1', '0: received 2', '0: received 3']);
  expect(room.traffic).toEqual({ inBytes: 2, inMessages: 2, outBytes: 1, outMessages: 1 });
});

test('each direction of a slow room takes half of the latency, and keeps the order in spite of the jitter', () => {
  // The first of each direction takes the whole jitter.
  const { log, send, receive, runTo } = openSlowRoom(
    { latencyMs: 100, jitterMs: 40 },
    [1, 0, 1, 0],
  );
  send(1);
  send(2);
  receive(3);
  runTo(5);
  receive(4);
  runTo(200);
  expect(log).toEqual(['90: sent 1', '90: sent 2', '90: received 3', '90: received 4']);
});

test('a message of a slow room that is lost comes a round trip later, with all behind it', () => {
  const { log, receive, runTo } = openSlowRoom({ latencyMs: 100, lossShare: 0.5 }, [0, 0, 0.6, 0]);
  receive(1);
  runTo(33);
  receive(2);
  runTo(500);
  expect(log).toHaveLength(2);
  expect(new Set(log.map((line) => line.split(':')[0]))).toEqual(new Set(['250']));
});

test('what is on its way to or from a slow room is lost with the connection', () => {
  const { log, send, receive, drop, runTo } = openSlowRoom({ latencyMs: 100 });
  send(1);
  receive(2);
  drop();
  send(3);
  runTo(500);
  expect(log).toEqual(['50: sent 3']);
});
