/** The chart of what the two loops do over virtual time. */
import type { Hitch } from '../engine/index.js';
import { drawCurve } from './chart-curve.js';
import {
  LANES,
  LANE_HEIGHT,
  LANE_TITLES,
  CURVE_TITLE,
  laneAt,
  laneTop,
  layOut,
  msAt,
  pixelsPerMs,
  RULER_HEIGHT,
  xOf,
  type ChartLayout,
} from './chart-layout.js';
import { drawHitches, drawLanes, drawRefreshes } from './chart-lanes.js';
import { COLOURS, FONT, SIDES, SIDE_NAMES, colourOf } from './colours.js';
import { ageInWords, describeBlock, ms } from './describe.js';
import { fitCanvas } from './fit-canvas.js';
import { lagAt, type Timeline } from './timeline.js';
import { markDistance, type ViewRange } from './view-range.js';

/** Room for a time on the ruler, in pixels. */
const RULER_DISTANCE = 86;
/** Distance from which a block is hit, in pixels. */
const HIT_SLACK = 3;

export interface ChartContents {
  readonly timelines: readonly [Timeline, Timeline];
  readonly displayHz: number;
  readonly vsync: boolean;
  readonly hitches: readonly Hitch[];
}

export class Chart {
  readonly canvas: HTMLCanvasElement;
  #contents: ChartContents | undefined;
  #layout: ChartLayout = layOut(1, 1, { fromMs: 0, toMs: 1 });
  /** The last drawing without cursors: those move with every frame, the rest seldom. */
  readonly #still = document.createElement('canvas');
  #drawnFor = '';
  /** The same with the cursors. */
  #cursorsFor = '';
  #version = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  get layout(): ChartLayout {
    return this.#layout;
  }

  show(contents: ChartContents): void {
    this.#contents = contents;
    this.#version += 1;
  }

  draw(range: ViewRange, atMs: number, pointerMs: number | undefined): void {
    const { context, width, height } = fitCanvas(this.canvas);
    // In a frame that is not shown.
    if (width === 0) return;
    const { fromMs, toMs } = range;
    this.#layout = layOut(width, height, range);
    const { canvas } = this;
    const view = [this.#version, fromMs, toMs, canvas.width, canvas.height];
    const drawing = [...view, COLOURS.text].join(' ');
    if (drawing !== this.#drawnFor) {
      this.#drawnFor = drawing;
      this.#drawStill(context);
      canvas.dataset['from'] = String(Math.round(fromMs * 1000) / 1000);
      canvas.dataset['to'] = String(Math.round(toMs * 1000) / 1000);
    }
    // A paused page needs no drawing.
    const cursors = [drawing, atMs, pointerMs].join(' ');
    if (cursors === this.#cursorsFor) return;
    this.#cursorsFor = cursors;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.#still, 0, 0);
    context.restore();
    if (pointerMs !== undefined) this.#drawCursor(context, pointerMs, COLOURS.quiet, false);
    this.#drawCursor(context, atMs, COLOURS.text, true);
  }

  /** Describes a point in words; undefined where there is nothing. */
  describeAt(x: number, y: number): string | undefined {
    const layout = this.#layout;
    if (this.#contents === undefined || x < layout.left) return undefined;
    const atMs = msAt(layout, x);
    const slot = laneAt(y);
    const { timelines } = this.#contents;
    if (slot !== undefined) {
      const slackMs = HIT_SLACK / pixelsPerMs(layout);
      return describeBlock(timelines[slot.side], slot.lane, atMs, slackMs);
    }
    if (y < layout.curveTop || y > layout.curveBottom) return undefined;
    const ages = SIDES.map((side) => {
      const lagMs = lagAt(timelines[side], atMs);
      const age = lagMs === undefined ? 'nothing shown yet' : ageInWords(lagMs);
      return `${SIDE_NAMES[side]}: ${age}`;
    });
    return `Frame at ${ms(atMs)}: ${ages.join('; ')}.`;
  }

  #drawStill(visible: CanvasRenderingContext2D): void {
    const still = this.#still;
    still.width = this.canvas.width;
    still.height = this.canvas.height;
    const context = still.getContext('2d');
    if (context === null || this.#contents === undefined) return;
    context.setTransform(visible.getTransform());
    context.font = FONT;
    const layout = this.#layout;
    const { timelines, displayHz, vsync, hitches } = this.#contents;
    drawRuler(context, layout);
    for (const side of SIDES) drawLanes(context, layout, timelines[side], side);
    if (vsync) drawRefreshes(context, layout, displayHz);
    drawHitches(context, layout, hitches);
    drawCurve(context, layout, timelines);
    drawGutter(context, layout);
  }

  #drawCursor(
    context: CanvasRenderingContext2D,
    atMs: number,
    colour: string,
    hasHandle: boolean,
  ): void {
    const { left, width, curveBottom } = this.#layout;
    const x = xOf(this.#layout, atMs);
    if (x < left - 0.5 || x > width + 0.5) return;
    context.fillStyle = colour;
    context.globalAlpha = hasHandle ? 0.9 : 0.35;
    context.fillRect(Math.round(x), RULER_HEIGHT - 5, 1, curveBottom - RULER_HEIGHT + 5);
    context.globalAlpha = 1;
    if (!hasHandle) return;
    context.beginPath();
    context.moveTo(x - 5, RULER_HEIGHT - 9);
    context.lineTo(x + 6, RULER_HEIGHT - 9);
    context.lineTo(x + 0.5, RULER_HEIGHT - 1);
    context.fill();
  }
}

function drawRuler(context: CanvasRenderingContext2D, layout: ChartLayout): void {
  const { fromMs, toMs } = layout.range;
  const step = markDistance(RULER_DISTANCE / pixelsPerMs(layout));
  context.fillStyle = COLOURS.quiet;
  context.textAlign = 'left';
  for (let mark = Math.ceil(fromMs / step); mark * step <= toMs; mark++) {
    const time = mark * step;
    const x = xOf(layout, time);
    const text = `${Number(time.toPrecision(9)).toLocaleString('en')} ms`;
    context.fillRect(Math.round(x), 4, 1, RULER_HEIGHT - 6);
    if (x + context.measureText(text).width + 8 < layout.width) context.fillText(text, x + 5, 13);
  }
}

function drawGutter(context: CanvasRenderingContext2D, layout: ChartLayout): void {
  const { left, curveTop } = layout;
  context.clearRect(0, RULER_HEIGHT, left, curveTop - RULER_HEIGHT - 12);
  for (const side of SIDES) {
    const top = laneTop(side, 'update');
    context.fillStyle = colourOf(side);
    context.fillRect(0, top, 3, laneTop(side, 'idle') + LANE_HEIGHT - top);
    context.textAlign = 'left';
    context.font = `600 ${FONT}`;
    // Next to the shortest of the words.
    context.fillText(SIDE_NAMES[side], 8, laneTop(side, 'frame') + 12.5);
    context.font = FONT;
    context.fillStyle = COLOURS.quiet;
    context.textAlign = 'right';
    for (const lane of LANES) {
      context.fillText(LANE_TITLES[lane], left - 8, laneTop(side, lane) + 12.5);
    }
  }
  context.textAlign = 'left';
  context.fillStyle = COLOURS.quiet;
  context.fillText(CURVE_TITLE, left + 2, curveTop - 5);
}
