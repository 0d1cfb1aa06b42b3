import { beforeEach, expect, test } from 'vitest';
import {
  LivenessMonitor,
  everyAwake,
  whenAwakeFor,
} from '../../../../src/render-main/worker/time-limits.js';
import { CONTROL, CONTROL_LENGTH, WORKER_ACTIVITY } from '../../../../src/shared/memory/layout.js';
import { ScriptedClock } from '../../../fixtures/scripted-clock.js';

const LIMIT_MS = 800;

let clock: ScriptedClock;
let control: Int32Array;
let reported: string[];
let monitor: LivenessMonitor;
let asked: number;
/** The worker's answer when it is asked. */
let onAsk: () => void;

beforeEach(() => {
  clock = new ScriptedClock();
  control = newWorker();
  reported = [];
  asked = 0;
  onAsk = () => {};
  monitor = watching(LIMIT_MS);
});

const where = (isInStep: boolean): string => (isInStep ? '' : ' outside of a step');

function watching(limitMs: number): LivenessMonitor {
  const watched = new LivenessMonitor(
    limitMs,
    {
      ask: () => {
        asked += 1;
        onAsk();
      },
      onStall: (ms, isInStep) => reported.push(`stall ${ms}${where(isInStep)}`),
      onStillStalled: (ms, isInStep) => reported.push(`still ${ms}${where(isInStep)}`),
      onRecovery: () => reported.push('recovery'),
    },
    clock,
  );
  watched.watch(control);
  return watched;
}

/** Control words of a worker that has run already. */
function newWorker(): Int32Array {
  const words = new Int32Array(CONTROL_LENGTH);
  words[CONTROL.heartbeat] = 100;
  return words;
}

const doing = (activity: keyof typeof WORKER_ACTIVITY): void => {
  control[CONTROL.activity] = WORKER_ACTIVITY[activity];
};
const beat = (): void => {
  control[CONTROL.heartbeat] = (control[CONTROL.heartbeat] ?? 0) + 1;
};
const pass = (ms: number): void => clock.pass(ms);

test('a worker in a tick that does not progress for the allowed time has stalled, and is reported for as long as it hangs', () => {
  doing('ticking');
  // The first check sees the heartbeat for the first time.
  pass(800);
  expect([reported, monitor.isStalled]).toEqual([[], false]);
  pass(100);
  expect([reported, monitor.isStalled]).toEqual([['stall 800'], true]);
  pass(300);
  expect(reported.slice(1)).toEqual(['still 900', 'still 1000', 'still 1100']);
});

test('a worker in a tick that progresses now and then is slow, not stalled', () => {
  doing('ticking');
  for (let count = 0; count < 10; count++) {
    beat();
    pass(800);
  }
  expect(reported).toEqual([]);
});

test('a worker in a tick that progresses again has recovered, once', () => {
  doing('ticking');
  pass(1000);
  beat();
  pass(500);
  expect(reported).toEqual(['stall 800', 'still 900', 'recovery']);
  expect(monitor.isStalled).toBe(false);
  // From then on the full limit applies again.
  pass(300);
  expect(reported).toHaveLength(3);
  pass(100);
  expect(reported.at(-1)).toBe('stall 800');
});

test('a worker in a tick may hang forever if there is no limit', () => {
  monitor.stop();
  monitor = watching(Number.POSITIVE_INFINITY);
  doing('ticking');
  pass(60_000);
  expect([reported, asked]).toEqual([[], 0]);
});

test.each(['idle', 'answering'] as const)(
  'a worker that is %s and gone does not answer, and has stalled after the same time as in a tick',
  (activity) => {
    doing(activity);
    pass(400);
    expect(asked).toBe(0);
    pass(400);
    expect([reported, asked]).toEqual([[], 1]);
    pass(200);
    expect(reported).toEqual(['stall 800 outside of a step', 'still 900 outside of a step']);
    expect(asked).toBe(1);
  },
);

test('a worker that is asleep is asked twice per limit, and not reported for as long as it answers', () => {
  doing('idle');
  // The answer comes after the check, with the next one or several checks later.
  for (const answersAfterMs of [0, 50, 100, 250]) {
    const before = asked;
    for (let checks = 0; checks < 8 && asked === before; checks++) pass(100);
    pass(answersAfterMs);
    beat();
    pass(100);
  }
  expect(reported).toEqual([]);
  onAsk = beat;
  const before = asked;
  pass(60_000);
  expect([reported, asked - before]).toEqual([[], 120]);
});

test('a worker that runs is never asked', () => {
  for (let ms = 0; ms < 60_000; ms += 300) {
    beat();
    pass(300);
  }
  expect(asked).toBe(0);
});

test('a page that is suspended or throttled does not blame a worker that is asleep', () => {
  doing('idle');
  // The first check sees the heartbeat for the first time.
  pass(100);
  for (const standsStillMs of [1000, 60_000]) {
    // Asked by the last of these checks, and answers only when the machine runs again.
    for (let checks = 0; checks < 4; checks++) clock.standStill(standsStillMs);
    clock.standStill(standsStillMs);
    beat();
    pass(100);
  }
  expect(reported).toEqual([]);
  // One that is gone is missed nevertheless, after as many checks.
  for (let checks = 0; checks < 8; checks++) clock.standStill(1000);
  expect(reported).toEqual(['stall 800 outside of a step', 'still 900 outside of a step']);
});

test('watching a worker ends', () => {
  doing('ticking');
  pass(500);
  monitor.stop();
  pass(60_000);
  expect(reported).toEqual([]);
  expect(clock.timers).toBe(0);
});

test('another worker is watched from the start', () => {
  doing('ticking');
  pass(900);
  const old = control;
  control = newWorker();
  monitor.watch(control);
  expect(monitor.isStalled).toBe(false);
  doing('idle');
  onAsk = beat;
  old[CONTROL.activity] = WORKER_ACTIVITY.ticking;
  pass(60_000);
  expect(reported).toEqual(['stall 800']);
  expect(clock.timers).toBe(1);
});

test('a check counts the time since the last one, but no more than a period', () => {
  const checks: (() => void)[] = [];
  const every = (_periodMs: number, look: () => void): (() => void) => {
    checks.push(look);
    return () => {};
  };
  const counted: number[] = [];
  const irregular = { now: () => clock.now(), every };
  everyAwake(irregular, 100, (awakeMs) => counted.push(awakeMs), false);
  for (const ms of [30, 100, 101, 5000, 0, 70]) {
    clock.pass(ms);
    checks[0]?.();
  }
  expect(counted).toEqual([30, 100, 100, 100, 0, 70]);
});

test.each([1, 40, 100, 300, 30_000])('a wait for a worker ends after its %d ms', (limitMs) => {
  monitor.stop();
  const ends: number[] = [];
  whenAwakeFor(clock, limitMs, () => ends.push(clock.now() - 1000));
  clock.pass(limitMs - 1);
  expect(ends).toEqual([]);
  clock.pass(60_000);
  expect(ends).toEqual([Math.ceil(limitMs / 100) * Math.min(100, limitMs)]);
  expect(clock.timers).toBe(0);
});

test('a wait for a worker that is ended no longer has a limit', () => {
  monitor.stop();
  const end = whenAwakeFor(clock, 1000, () => expect.unreachable());
  clock.pass(900);
  end();
  clock.pass(60_000);
  expect(clock.timers).toBe(0);
});
