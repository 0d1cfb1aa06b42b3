/** Which stamps are reported as wrong, and after how many frames. */
import { expect, test } from 'vitest';
import { StampWatch } from '../../../../src/render-main/development/page-warnings.js';

/** More than enough to be certain. */
const FRAMES = 600;

interface Frame {
  readonly stamp: number;
  readonly nowMs: number;
}

/** Frames of a display whose callbacks run a little after their stamps, by times that differ. */
function shown(rateHz: number, fromMs = 20, unitMs = 1): Frame[] {
  return Array.from({ length: FRAMES }, (_, index) => {
    const stampMs = fromMs + (index * 1000) / rateHz;
    return { stamp: stampMs / unitMs, nowMs: stampMs + ((index * 7) % 5) };
  });
}

/** Frames of a scripted clock, while the page's clock takes other steps. */
function every(stepMs: number, pageMs: number): Frame[] {
  return Array.from({ length: FRAMES }, (_, index) => ({
    stamp: index * stepMs,
    nowMs: index * pageMs,
  }));
}

/** The number of frames after which the stamps are reported; undefined: they are not. */
function reportedAfter(frames: readonly Frame[]): number | undefined {
  const watch = new StampWatch();
  const index = frames.findIndex(({ stamp, nowMs }) => watch.isWrong(stamp, nowMs));
  return index < 0 ? undefined : index + 1;
}

test.each([10, 24, 60, 144, 360])('stamps in ms are not reported as wrong at %i Hz', (rateHz) => {
  expect(reportedAfter(shown(rateHz))).toBeUndefined();
  expect(reportedAfter(shown(rateHz, 1e7))).toBeUndefined();
});

test.each([
  ['of a page whose clock starts near 0', shown(60, 0)],
  [
    'of a page that was hidden, again and again',
    shown(60).map(({ stamp, nowMs }, index) => {
      const hiddenMs = Math.floor(index / 5) * 60_000;
      return { stamp: stamp + hiddenMs, nowMs: nowMs + hiddenMs };
    }),
  ],
  [
    'of a page that draws several views of each frame',
    shown(60).flatMap(({ stamp, nowMs }) =>
      Array.from({ length: 12 }, (_, view) => ({ stamp, nowMs: nowMs + view })),
    ),
  ],
  [
    'when a callback runs late, for example after a breakpoint, and then draws several views',
    shown(60).flatMap(({ stamp, nowMs }, index) => {
      const late = { stamp, nowMs: index % 9 === 8 ? nowMs + 30_000 : nowMs };
      return Array.from({ length: 12 }, () => late);
    }),
  ],
  ['of a scripted clock that is stopped', every(0, 10)],
  ['of a scripted clock in small steps', every(0.5, 0)],
  ['of a scripted clock in small steps, for a page that is quick', every(0.5, 0.01)],
  ['of a scripted clock in slow motion', every(0.5, 16)],
  ['of a scripted clock that runs ahead', every(16, 0.01)],
])('stamps in ms are not reported as wrong: %s', (_, frames) => {
  expect(reportedAfter(frames)).toBeUndefined();
});

test.each([24, 60, 240])(
  'at %i Hz, stamps in seconds are reported after eleven frames',
  (rateHz) => {
    expect(reportedAfter(shown(rateHz, 0, 1000))).toBe(11);
    expect(reportedAfter(shown(rateHz, 5000, 1000))).toBe(11);
  },
);

test('stamps are reported as wrong if they are in seconds, with callbacks that run late at first: as soon as it is certain', () => {
  const frames = shown(60, 0, 1000).map(({ stamp, nowMs }, index) => ({
    stamp,
    nowMs: index < 5 ? nowMs : nowMs + 400,
  }));
  expect(reportedAfter(frames)).toBeGreaterThan(11);
  expect(reportedAfter(frames)).toBeLessThan(40);
});

test.each([
  [
    11,
    'in seconds since another moment than those of the page',
    3000,
    (index: number) => index / 60,
  ],
  [10, 'in ms since 1970', 20, (_: number, nowMs: number) => 1.7e12 + nowMs],
  [101, 'a constant', 1e5, () => 0],
])('after %i frames, stamps are reported as wrong if they are %s', (count, _, fromMs, stampOf) => {
  const frames = shown(60, fromMs).map(({ nowMs }, index) => ({
    stamp: stampOf(index, nowMs),
    nowMs,
  }));
  expect(reportedAfter(frames)).toBe(count);
});

test('stamps are reported as wrong if they are seconds since the last frame', () => {
  const frames = shown(60).map(({ nowMs }, index, all) => ({
    stamp: (nowMs - (all[index - 1]?.nowMs ?? 0)) / 1000,
    nowMs,
  }));
  expect(reportedAfter(frames)).toBeLessThan(60);
});
