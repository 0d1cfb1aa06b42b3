/** Draws the blocks: what each loop did, and when. */
import type { Hitch } from '../engine/index.js';
import {
  CURVE_TITLE,
  LANE_HEIGHT,
  laneTop,
  pixelsPerMs,
  xOf,
  type ChartLayout,
  type Lane,
} from './chart-layout.js';
import { COLOURS, type Side, colourOf } from './colours.js';
import { framesShownWithin, spansWithin, type Timeline } from './timeline.js';

interface Block {
  readonly startMs: number;
  readonly endMs: number;
}

/** Narrower blocks run together: their columns are tinted by how busy they are. */
const MIN_BLOCK_WIDTH = 1.5;
/** Refresh lines closer together than this are useless, in pixels. */
const MIN_REFRESH_DISTANCE = 5;
/** Room that a marker of a frame needs. */
const MIN_MARKER_DISTANCE = 3.5;
const MARKER_RADIUS = 3;
const HITCH_TEXT = 'the machine stalls';
/** Between the curve's title and the legend, in pixels. */
const TITLE_DISTANCE = 16;

export function drawRefreshes(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  displayHz: number,
): void {
  const distance = (1000 / displayHz) * pixelsPerMs(layout);
  if (distance < MIN_REFRESH_DISTANCE) return;
  const { fromMs, toMs } = layout.range;
  context.fillStyle = COLOURS.refresh;
  context.globalAlpha = Math.min(1, distance / 14);
  const first = Math.ceil((fromMs * displayHz) / 1000);
  for (let refresh = first; (refresh * 1000) / displayHz <= toMs; refresh++) {
    const x = xOf(layout, (refresh * 1000) / displayHz);
    context.fillRect(
      Math.round(x),
      laneTop(0, 'update'),
      1,
      layout.curveBottom - laneTop(0, 'update'),
    );
  }
  context.globalAlpha = 1;
}

export function drawHitches(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  hitches: readonly Hitch[],
): void {
  context.textAlign = 'left';
  const titleWidth = context.measureText(CURVE_TITLE).width + TITLE_DISTANCE;
  const textWidth = context.measureText(HITCH_TEXT).width;
  for (const { atMs, durationMs } of hitches) {
    const left = Math.max(layout.left, xOf(layout, atMs));
    const right = Math.min(layout.width, xOf(layout, atMs + durationMs));
    if (right <= left) continue;
    const top = laneTop(0, 'update');
    context.fillStyle = COLOURS.hitch;
    context.fillRect(left, top, right - left, layout.curveBottom - top);
    // Next to the curve's title, in the same line, and only if all of it has room.
    const textLeft = Math.max(left + 6, layout.left + titleWidth);
    if (textLeft + textWidth > right) continue;
    context.fillStyle = COLOURS.alarm;
    context.fillText(HITCH_TEXT, textLeft, layout.curveTop - 5);
  }
}

export function drawLanes(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  timeline: Timeline,
  side: Side,
): void {
  const { fromMs, toMs } = layout.range;
  const colour = colourOf(side);
  for (const lane of ['update', 'frame', 'idle'] as const) {
    context.fillStyle = COLOURS.faint;
    context.fillRect(layout.left, laneTop(side, lane), layout.width - layout.left, LANE_HEIGHT);
  }
  const updates = spansWithin(timeline.updates, fromMs, toMs);
  drawBlocks(context, layout, updates, laneTop(side, 'update'), LANE_HEIGHT, COLOURS.update);
  const frames = spansWithin(timeline.frames, fromMs, toMs);
  drawBlocks(context, layout, frames, laneTop(side, 'frame'), LANE_HEIGHT, colour, 0.62);
  drawIdle(context, layout, timeline, laneTop(side, 'idle'));
  drawMarkers(context, layout, timeline, side);
}

function drawIdle(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  timeline: Timeline,
  top: number,
): void {
  const { fromMs, toMs } = layout.range;
  const idle = spansWithin(timeline.idle, fromMs, toMs);
  const of = (kind: string): readonly Block[] => idle.filter((span) => span.kind === kind);
  drawBlocks(context, layout, of('wait'), top, LANE_HEIGHT, COLOURS.wait);
  drawBlocks(context, layout, of('sleep'), top, LANE_HEIGHT, COLOURS.sleep);
  drawBlocks(context, layout, of('refresh'), top, LANE_HEIGHT, COLOURS.refreshWork);
}

function drawBlocks(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  blocks: readonly Block[],
  top: number,
  height: number,
  colour: string,
  opacity = 1,
): void {
  const { left, width } = layout;
  const busy = new Float32Array(Math.ceil(width) + 1);
  context.fillStyle = colour;
  context.globalAlpha = opacity;
  for (const { startMs, endMs } of blocks) {
    const from = Math.max(left, xOf(layout, startMs));
    const to = Math.min(width, xOf(layout, endMs));
    const column = Math.floor(from);
    // Blocks of no duration are still visible.
    if (to - from < MIN_BLOCK_WIDTH) busy[column] = (busy[column] ?? 0) + Math.max(0.35, to - from);
    // A thin gap separates neighbours.
    else context.fillRect(from, top, Math.max(1, to - from - (to - from > 4 ? 0.8 : 0)), height);
  }
  for (const [column, amount] of busy.entries()) {
    if (amount === 0 || column < left) continue;
    context.globalAlpha = opacity * Math.min(1, 0.15 + amount);
    context.fillRect(column, top, 1, height);
  }
  context.globalAlpha = 1;
}

/** A dot where the display shows a frame; an open one when it shows the same as before. */
function drawMarkers(
  context: CanvasRenderingContext2D,
  layout: ChartLayout,
  timeline: Timeline,
  side: Side,
): void {
  const { fromMs, toMs } = layout.range;
  const frames = framesShownWithin(timeline, fromMs, toMs);
  const distance = (layout.width - layout.left) / Math.max(1, frames.length);
  if (distance < MIN_MARKER_DISTANCE) return;
  const y = markerY(side);
  const radius = Math.min(MARKER_RADIUS, Math.max(1.2, distance * 0.2));
  context.lineWidth = radius < 2 ? 0.6 : 1.3;
  for (const { displayedMs, isRepeat } of frames) {
    const x = xOf(layout, displayedMs);
    if (x < layout.left || x > layout.width) continue;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = isRepeat ? COLOURS.ground : COLOURS.text;
    context.strokeStyle = isRepeat ? COLOURS.alarm : COLOURS.ground;
    context.fill();
    context.stroke();
  }
}

const markerY = (side: Side, lane: Lane = 'frame'): number => laneTop(side, lane) + LANE_HEIGHT / 2;
