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

test.each([10, 24, 60, 144, 360])(
  'stamps in ms are not reported as wrong: of a display with %i Hz',
  (rateHz) => {
    expect(reportedAfter(shown(rateHz))).toBeUndefined();
    expect(reportedAfter(shown(rateHz, 1e7))).toBeUndefined();
  },
);

test('stamps in ms are not reported as wrong: of a page whose clock starts near 0', () => {
  expect(reportedAfter(shown(60, 0))).toBeUndefined();
});

test('stamps in ms are not reported as wrong: of a page that was hidden, again and again', () => {
  const frames = shown(60).map(({ stamp, nowMs }, index) => {
    const hiddenMs = Math.floor(index / 5) * 60_000;
    return { stamp: stamp + hiddenMs, nowMs: nowMs + hiddenMs };
  });
  expect(reportedAfter(frames)).toBeUndefined();
});

test('stamps in ms are not reported as wrong: of a page that draws several views of each frame', () => {
  const frames = shown(60).flatMap(({ stamp, nowMs }) =>
    Array.from({ length: 12 }, (_, view) => ({ stamp, nowMs: nowMs + view })),
  );
  expect(reportedAfter(frames)).toBeUndefined();
});

test('stamps in ms are not reported as wrong when a callback runs late, for example after a breakpoint, and then draws several views', () => {
  const frames = shown(60).flatMap(({ stamp, nowMs }, index) => {
    const late = { stamp, nowMs: index % 9 === 8 ? nowMs + 30_000 : nowMs };
    return Array.from({ length: 12 }, () => late);
  });
  expect(reportedAfter(frames)).toBeUndefined();
});

test('stamps in ms are not reported as wrong: of a scripted clock: one that is stopped, one in small steps, and one in slow motion', () => {
  expect(reportedAfter(every(0, 10))).toBeUndefined();
  expect(reportedAfter(every(0.5, 0))).toBeUndefined();
  expect(reportedAfter(every(0.5, 0.01))).toBeUndefined();
  expect(reportedAfter(every(0.5, 16))).toBeUndefined();
  expect(reportedAfter(every(16, 0.01))).toBeUndefined();
});

test.each([24, 60, 240])(
  'stamps are reported as wrong if they are in seconds, of a display with %i Hz: after eleven frames',
  (rateHz) => {
    expect(reportedAfter(shown(rateHz, 0, 1000))).toBe(11);
    expect(reportedAfter(shown(rateHz, 5000, 1000))).toBe(11);
  },
);

test('stamps are reported as wrong if they are in seconds since another moment than those of the page', () => {
  const frames = shown(60, 3000).map(({ nowMs }, index) => ({ stamp: index / 60, nowMs }));
  expect(reportedAfter(frames)).toBe(11);
});

test('stamps are reported as wrong if they are in seconds, with callbacks that run late at first: as soon as it is certain', () => {
  const frames = shown(60, 0, 1000).map(({ stamp, nowMs }, index) => ({
    stamp,
    nowMs: index < 5 ? nowMs : nowMs + 400,
  }));
  expect(reportedAfter(frames)).toBeGreaterThan(11);
  expect(reportedAfter(frames)).toBeLessThan(40);
});

test('stamps are reported as wrong if they are in ms since 1970: after ten frames', () => {
  const frames = shown(60).map(({ nowMs }) => ({ stamp: 1.7e12 + nowMs, nowMs }));
  expect(reportedAfter(frames)).toBe(10);
});

test('stamps are reported as wrong when a page passes a constant', () => {
  const frames = shown(60, 1e5).map(({ nowMs }) => ({ stamp: 0, nowMs }));
  expect(reportedAfter(frames)).toBe(101);
});
