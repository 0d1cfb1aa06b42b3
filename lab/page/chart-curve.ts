/**
 * Draws the age of the frames. Each ages while it is displayed, until the next one comes:
 *
 *     ╱╱╱╱╱╱╱   small even teeth: smooth        ╱│ ╱╱ ╱│   uneven: judder
 */
import { pixelsPerMs, xOf, type ChartLayout } from './chart-layout.js';
import { COLOURS, SIDES, type Side, colourOf } from './colours.js';
import { ageOf, framesShownWithin, type ShownFrame, type Timeline } from './timeline.js';
import { markDistance } from './view-range.js';

/**
 * Minimum height of the scale, in ms: smaller differences are invisible and should not look large.
 */
const MIN_SCALE_MS = 20;
/** Room between two labels of the scale, in pixels. */
const LABEL_DISTANCE = 24;
/** Frames this far apart get a dot. */
const DOT_DISTANCE = 5;

interface Scale {
  readonly lowMs: number;
  readonly highMs: number;
  readonly yOf: (ms: number) => number;
}

export function drawCurve(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  timelines: readonly [Timeline, Timeline],
): void {
  const { fromMs, toMs } = layout.range;
  const shown = timelines.map((timeline) => framesShownWithin(timeline, fromMs, toMs));
  const scale = scaleFor(layout, shown);
  drawScale(context, layout, scale);
  context.save();
  context.beginPath();
  context.rect(
    layout.left,
    layout.curveTop - 3,
    layout.width - layout.left,
    layout.curveBottom - layout.curveTop + 6,
  );
  context.clip();
  for (const side of SIDES) drawLine(context, layout, scale, shown[side] ?? [], side);
  context.restore();
}

function scaleFor(layout: ChartLayout, shown: readonly (readonly ShownFrame[])[]): Scale {
  let lowMs = 0;
  let highMs = MIN_SCALE_MS;
  for (const frames of shown) {
    for (const frame of frames) {
      lowMs = Math.min(lowMs, ageOf(frame));
    }
    for (const [, endAgeMs] of toothEnds(frames, layout)) highMs = Math.max(highMs, endAgeMs);
    for (const frame of frames) {
      highMs = Math.max(highMs, ageOf(frame));
    }
  }
  highMs += (highMs - lowMs) * 0.08;
  const { curveTop, curveBottom } = layout;
  const perMs = (curveBottom - curveTop) / (highMs - lowMs);
  return { lowMs, highMs, yOf: (ms) => curveBottom - (ms - lowMs) * perMs };
}

/** When each frame ends, and its age then. The last one stays to the end of the range. */
function toothEnds(
  frames: readonly ShownFrame[],
  layout: ChartLayout,
): readonly (readonly [endMs: number, ageMs: number])[] {
  return frames.map(({ displayedMs, shownMs }, index) => {
    const endMs = frames[index + 1]?.displayedMs ?? Math.max(displayedMs, layout.range.toMs);
    return [endMs, endMs - shownMs];
  });
}

function drawScale(context: CanvasRenderingContext2D, layout: ChartLayout, scale: Scale): void {
  const { lowMs, highMs, yOf } = scale;
  const { curveTop, curveBottom, left, width } = layout;
  const step = markDistance(((highMs - lowMs) * LABEL_DISTANCE) / (curveBottom - curveTop));
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let mark = Math.ceil(lowMs / step); mark * step <= highMs; mark++) {
    const y = Math.round(yOf(mark * step));
    context.fillStyle = mark === 0 ? COLOURS.ghost : COLOURS.line;
    context.fillRect(left, y, width - left, 1);
    context.fillStyle = COLOURS.quiet;
    context.fillText(labelOf(mark * step), left - 8, y);
  }
  context.textBaseline = 'alphabetic';
}

function drawLine(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  { yOf }: Scale,
  frames: readonly ShownFrame[],
  side: Side,
): void {
  const colour = colourOf(side);
  context.strokeStyle = colour;
  context.lineJoin = 'round';
  context.lineWidth = 1;
  context.globalAlpha = 0.5;
  context.beginPath();
  for (const [index, [endMs, endAgeMs]] of toothEnds(frames, layout).entries()) {
    const frame = frames[index];
    if (frame !== undefined) context.lineTo(xOf(layout, frame.displayedMs), yOf(ageOf(frame)));
    context.lineTo(xOf(layout, endMs), yOf(endAgeMs));
  }
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 1.7;
  context.beginPath();
  for (const frame of frames) context.lineTo(xOf(layout, frame.displayedMs), yOf(ageOf(frame)));
  context.stroke();
  const { fromMs, toMs } = layout.range;
  const distance = ((toMs - fromMs) * pixelsPerMs(layout)) / Math.max(1, frames.length);
  if (distance < DOT_DISTANCE) return;
  context.fillStyle = colour;
  for (const frame of frames) {
    context.beginPath();
    context.arc(xOf(layout, frame.displayedMs), yOf(ageOf(frame)), 2.2, 0, 2 * Math.PI);
    context.fill();
  }
}

function labelOf(ms: number): string {
  const [value, unit] = Math.abs(ms) >= 1000 ? [ms / 1000, 's'] : [ms, 'ms'];
  return `${Number(value.toPrecision(6))} ${unit}`.replace('-', '−');
}
