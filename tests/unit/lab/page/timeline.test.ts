/** What the lab's page computes from a trace: frames by time, ages, ranges, and the marks of the table. */
import { expect, test } from 'vitest';
import { compare, simulate, Trace } from '../../../../lab/engine/index.js';
import { describeBlock, lagInWords } from '../../../../lab/page/describe.js';
import { Playback } from '../../../../lab/page/playback.js';
import { COLUMNS, marksOf } from '../../../../lab/page/table-columns.js';
import {
  ageOf,
  createTimeline,
  frameIndexAt,
  lagAt,
  neighbourFrame,
  spansWithin,
} from '../../../../lab/page/timeline.js';
import { following, markDistance, panned, zoomed } from '../../../../lab/page/view-range.js';

function timelineOf(displayHz: number) {
  const trace = new Trace();
  const scenario = { displayHz, updateMs: 2, frameMs: 3, seconds: 2 };
  simulate({ kind: 'fixed', tickRateHz: 50 }, scenario, { trace });
  return createTimeline(trace.spans);
}

test('a frame is on the display from its refresh to the next', () => {
  const timeline = timelineOf(100);
  const frame = timeline.frames[10];
  if (frame === undefined) throw new Error('no frame');
  expect(frameIndexAt(timeline, frame.displayedMs)).toBe(10);
  expect(frameIndexAt(timeline, frame.displayedMs + 9.9)).toBe(10);
  expect(frameIndexAt(timeline, frame.displayedMs - 0.1)).toBe(9);
  expect(frameIndexAt(timeline, 0)).toBe(-1);
  expect(neighbourFrame(timeline, frame.displayedMs, 1)).toBe(timeline.frames[11]);
  expect(neighbourFrame(timeline, frame.displayedMs, -1)).toBe(timeline.frames[9]);
});

test('the interpolated drawing is a tick and a refresh old, and ages until the next', () => {
  const timeline = timelineOf(100);
  for (const frame of timeline.frames.slice(10, 100)) expect(ageOf(frame)).toBeCloseTo(30, 6);
  const frame = timeline.frames[50];
  if (frame === undefined) throw new Error('no frame');
  expect(lagAt(timeline, frame.displayedMs)).toBeCloseTo(30, 6);
  expect(lagAt(timeline, frame.displayedMs + 9)).toBeCloseTo(39, 6);
  expect(lagAt(timeline, 0)).toBeUndefined();
});

test('the lag grows while the drawing is frozen', () => {
  const trace = new Trace();
  const hitches = [{ atMs: 1000, durationMs: 500 }];
  simulate({ kind: 'frame-skip', tickRateHz: 50 }, { seconds: 2, hitches }, { trace });
  const timeline = createTimeline(trace.spans);
  const early = lagAt(timeline, 1100);
  if (early === undefined) throw new Error('nothing shown');
  expect(lagAt(timeline, 1400)).toBeCloseTo(early + 300, 6);
});

test.each([
  [2.4, 'on time'],
  [-2.4, 'on time'],
  [13, '15 ms behind'],
  [-19, '20 ms ahead'],
  [246, '250 ms behind'],
  [997, '1.0 s behind'],
  [-1260, '1.3 s ahead'],
])('a lag of %d ms is shown as %s', (lagMs, words) => {
  expect(lagInWords(lagMs)).toBe(words);
});

test('a span that reaches into a range is part of it', () => {
  const { updates } = timelineOf(60);
  const update = updates[20];
  if (update === undefined) throw new Error('no update');
  const middle = (update.startMs + update.endMs) / 2;
  expect(spansWithin(updates, middle, middle + 0.1)).toContain(update);
});

test('blocks are described in words', () => {
  const timeline = timelineOf(60);
  const { updates, frames } = timeline;
  const update = updates[20];
  const frame = frames[20];
  if (update === undefined || frame === undefined) throw new Error('nothing to describe');
  expect(describeBlock(timeline, 'update', update.startMs + 1, 0)).toMatch(
    /^Update 21 .*takes 2\.0 ms and simulates 20\.0 ms/,
  );
  expect(describeBlock(timeline, 'frame', frame.startMs + 1, 0)).toMatch(
    /^Frame 21: drawn in 3\.0 ms.*behind the clock/,
  );
});

test('ranges stay within the run, and zooming keeps the anchor', () => {
  const range = { fromMs: 1000, toMs: 2000 };
  expect(zoomed(range, 0.5, 1250, 10_000)).toEqual({ fromMs: 1125, toMs: 1625 });
  expect(zoomed(range, 100, 1250, 10_000)).toEqual({ fromMs: 0, toMs: 10_000 });
  expect(panned(range, -5000, 10_000)).toEqual({ fromMs: 0, toMs: 1000 });
  expect(panned(range, 50_000, 10_000)).toEqual({ fromMs: 9000, toMs: 10_000 });
  expect(following(range, 1500, 10_000)).toBe(range);
  expect(following(range, 2001, 10_000)).toEqual({ fromMs: 2000, toMs: 3000 });
  expect(markDistance(37)).toBe(50);
  expect(markDistance(0.11)).toBeCloseTo(0.2, 12);
});

test('playing restarts at the end and does not skip after a pause of the page', () => {
  const playback = new Playback(0, 0.5, true);
  playback.setEnd(1000);
  playback.startMs = 200;
  playback.advance(5000);
  playback.advance(5060);
  expect(playback.atMs).toBe(30);
  playback.advance(99_000);
  expect(playback.atMs).toBe(80);
  playback.seek(990);
  playback.advance(99_040);
  expect(playback.atMs).toBe(200);
});

test('the table marks unusual values, and none that most rows share', () => {
  const rows = compare(['unpaced', 'frame-skip', 'fixed', 'semi-fixed'], {}, { displayHz: 120 });
  const marks = (title: string) => {
    const column = COLUMNS.find((each) => each.title === title);
    if (column === undefined) throw new Error(`no column ${title}`);
    return marksOf(column, rows);
  };
  expect(marks('speed')).toEqual(['worst', undefined, undefined, undefined]);
  expect(marks('latency')[2]).toBe('worst');
  expect(marks('repeated')).toEqual([undefined, 'worst', undefined, undefined]);
  expect(marks('frames')).toEqual([undefined, undefined, undefined, undefined]);
  expect(marks('in the floor')).toEqual([undefined, undefined, undefined, undefined]);
});
