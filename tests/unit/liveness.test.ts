import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LivenessMonitor } from '../../src/render-main/liveness.js';
import { CONTROL, CONTROL_LENGTH, WORKER_ACTIVITY } from '../../src/shared/layout.js';

const LIMITS = { hangLimitMs: 800, queryLimitMs: 5000 };

let control: Int32Array;
let told: string[];
let monitor: LivenessMonitor;

beforeEach(() => {
  vi.useFakeTimers();
  control = newWorker();
  told = [];
  monitor = new LivenessMonitor(LIMITS, {
    onStall: (ms) => told.push(`stall ${ms}`),
    onStillStalled: (ms) => told.push(`still ${ms}`),
    onRecovery: () => told.push('recovery'),
  });
  monitor.watch(control);
});

afterEach(() => {
  monitor.stop();
  vi.useRealTimers();
});

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
const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

describe('a worker in a tick', () => {
  test('that does not move for as long as it may has stalled', () => {
    doing('ticking');
    // The first look sees the heartbeat for the first time.
    pass(100);
    pass(700);
    expect([told, monitor.isStalled]).toEqual([[], false]);
    pass(100);
    expect([told, monitor.isStalled]).toEqual([['stall 800'], true]);
  });

  test('is told to hang on as long as it does', () => {
    doing('ticking');
    pass(1200);
    expect(told).toEqual(['stall 800', 'still 900', 'still 1000', 'still 1100']);
  });

  test('that moves now and then is slow, and no more', () => {
    doing('ticking');
    for (let count = 0; count < 10; count++) {
      beat();
      pass(800);
    }
    expect(told).toEqual([]);
  });

  test('that comes back has recovered, once', () => {
    doing('ticking');
    pass(1000);
    beat();
    pass(500);
    expect(told).toEqual(['stall 800', 'still 900', 'recovery']);
    expect(monitor.isStalled).toBe(false);
    // From then on it may take its time again.
    pass(300);
    expect(told).toHaveLength(3);
    pass(100);
    expect(told.at(-1)).toBe('stall 800');
  });

  test('may hang for ever where there is no limit', () => {
    monitor.stop();
    monitor = new LivenessMonitor(
      { ...LIMITS, hangLimitMs: Number.POSITIVE_INFINITY },
      { onStall: () => told.push('stall'), onStillStalled: () => {}, onRecovery: () => {} },
    );
    monitor.watch(control);
    doing('ticking');
    pass(60_000);
    expect(told).toEqual([]);
  });
});

describe('a worker that is not in a tick', () => {
  test('has more time to answer a call', () => {
    doing('answering');
    pass(5000);
    expect(told).toEqual([]);
    pass(100);
    expect(told).toEqual(['stall 5000']);
  });

  test('may be idle for as long as it likes', () => {
    doing('idle');
    pass(60_000);
    expect(told).toEqual([]);
    // Only from now on it is in a tick.
    doing('ticking');
    pass(700);
    expect(told).toEqual([]);
    pass(100);
    expect(told).toEqual(['stall 800']);
  });

  test('has recovered when it is idle, though it moved too little to be seen', () => {
    doing('ticking');
    pass(900);
    doing('idle');
    pass(100);
    expect(told).toEqual(['stall 800', 'recovery']);
  });
});

describe('time during which the page was not awake', () => {
  /** The clock goes on, and no timer runs: the page is blocked, frozen or asleep. */
  const block = (ms: number): void => {
    vi.setSystemTime(Date.now() + ms);
    now += ms;
  };
  let now = 0;

  beforeEach(() => {
    now = 0;
    const { performance } = globalThis;
    const read = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => read() + now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('does not count as a hang', () => {
    doing('ticking');
    pass(100);
    block(10_000);
    pass(100);
    expect(told).toEqual([]);
    beat();
    pass(700);
    expect(told).toEqual([]);
  });

  test('counts for two looks at most, so that a real hang is seen soon after', () => {
    doing('ticking');
    pass(100);
    block(10_000);
    pass(600);
    expect(told).toEqual([]);
    pass(100);
    expect(told).toEqual(['stall 800']);
  });
});

describe('watching', () => {
  test('ends', () => {
    doing('ticking');
    pass(500);
    monitor.stop();
    pass(60_000);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('another worker begins anew', () => {
    doing('ticking');
    pass(900);
    const old = control;
    control = newWorker();
    monitor.watch(control);
    expect(monitor.isStalled).toBe(false);
    doing('idle');
    old[CONTROL.activity] = WORKER_ACTIVITY.ticking;
    pass(60_000);
    expect(told).toEqual(['stall 800']);
    expect(vi.getTimerCount()).toBe(1);
  });
});
