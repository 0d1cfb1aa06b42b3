/**
 * The moving bodies as a stepper's frames show them, each with a ghost where it truly is.
 *
 *     ·  ·  ·  · ▶      ◁     flyer; each dot is a frame, so even dots are smooth motion
 *     ──────────────────────
 *        ○ ●        (|)       ball over its floor; top
 *     ───────
 */
import { ballAt, drawnBall, drawnFlyer, drawnTop, flyerAt, topAt } from '../engine/index.js';
import { COLOURS, FONT, type Side } from './colours.js';
import { fitCanvas } from './elements.js';
import { framesShownWithin, frameIndexAt, type ShownFrame, type Timeline } from './timeline.js';

/** Length of the flyer's way across the picture, in units; it takes as many seconds. */
const FLYER_WAY = 2;
/** How far back dots go, in ms of virtual time. */
const TRAIL_MS = 900;
/** More dots than that lie on top of each other. */
const MOST_DOTS = 160;
/** What a frame shows before there was any. */
const NOTHING_SHOWN = { previousMs: 0, currentMs: 0, alpha: 1, predictMs: 0 };
/** Height of the flyer's nose, and where its ground and dots end, from the top in pixels. */
const FLYER_Y = 16;
const BELOW_FLYER = 54;
/** The floor is not crossed by less: rounding. */
const IN_FLOOR = -1e-3;

type Context = CanvasRenderingContext2D;

export function drawBodies(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  atMs: number,
  side: Side,
): void {
  const { context, width, height } = fitCanvas(canvas);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  const frame = timeline.frames[frameIndexAt(timeline, atMs)];
  const colour = COLOURS.sides[side];
  const trackY = FLYER_Y;
  drawFlyers(context, width, trackY, timeline, frame, atMs, colour);
  drawBalls(context, width, height, frame, atMs, colour);
  drawTops(context, width, height, frame, atMs, colour);
}

function drawFlyers(
  context: Context,
  width: number,
  y: number,
  timeline: Timeline,
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const xOf = (units: number): number => ((units / FLYER_WAY) % 1) * width;
  context.fillStyle = COLOURS.line;
  context.fillRect(0, y + 18, width, 1);
  for (let mark = 1; mark < 10; mark++) {
    context.fillRect(Math.round((mark * width) / 10), y + 14, 1, 4);
  }
  const trail = framesShownWithin(timeline, atMs - TRAIL_MS, atMs).filter(
    ({ displayedMs }) => displayedMs <= atMs && displayedMs > atMs - TRAIL_MS,
  );
  for (const past of trail.slice(-MOST_DOTS)) {
    const age = (atMs - past.displayedMs) / TRAIL_MS;
    context.globalAlpha = 0.9 * (1 - age) ** 1.5;
    const x = xOf(drawnFlyer(past));
    context.fillStyle = colour;
    disc(context, x, y + 28, 2.2);
    if (past.isRepeat) {
      context.strokeStyle = COLOURS.alarm;
      context.lineWidth = 1.5;
      ring(context, x, y + 28, 4.5);
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = COLOURS.ghost;
  context.lineWidth = 1.4;
  context.setLineDash([3, 2.5]);
  dartPath(context, xOf(flyerAt(atMs)), y);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colour;
  dartPath(context, xOf(drawnFlyer(frame ?? NOTHING_SHOWN)), y);
  context.fill();
}

function drawBalls(
  context: Context,
  width: number,
  height: number,
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const floor = height - 14;
  const radius = Math.max(7, height * 0.052);
  const rise = floor - 2 * radius - BELOW_FLYER;
  const x = width * 0.3;
  const yOf = (units: number): number => floor - radius - units * rise;
  const drawn = drawnBall(frame ?? NOTHING_SHOWN);
  const isInFloor = drawn < IN_FLOOR;
  context.fillStyle = COLOURS.faint;
  context.fillRect(width * 0.08, floor, width * 0.44, height - floor);
  context.fillStyle = isInFloor ? COLOURS.alarm : COLOURS.quiet;
  context.fillRect(width * 0.08, floor, width * 0.44, 1.5);
  context.fillStyle = isInFloor ? COLOURS.alarm : colour;
  disc(context, x, yOf(drawn), radius);
  context.strokeStyle = COLOURS.ghost;
  context.lineWidth = 1.4;
  context.setLineDash([3, 2.5]);
  ring(context, x, yOf(ballAt(atMs)), radius);
  context.setLineDash([]);
  if (isInFloor) {
    context.fillStyle = COLOURS.hitchText;
    context.textAlign = 'left';
    context.fillText('inside the floor', x + radius + 6, floor - 4);
  }
}

function drawTops(
  context: Context,
  width: number,
  height: number,
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const x = width * 0.75;
  const radius = Math.min((height - BELOW_FLYER - 8) / 2, width * 0.16);
  const y = height - 7 - radius;
  const angle = drawnTop(frame ?? NOTHING_SHOWN);
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.fillStyle = colour;
  for (let blade = 0; blade < 3; blade++) {
    context.globalAlpha = blade === 0 ? 1 : 0.38;
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius, -0.42, 0.42);
    context.closePath();
    context.fill();
    context.rotate((2 * Math.PI) / 3);
  }
  context.restore();
  context.strokeStyle = COLOURS.line;
  context.lineWidth = 1;
  ring(context, x, y, radius + 0.5);
  const truth = topAt(atMs);
  context.strokeStyle = COLOURS.ghost;
  context.lineWidth = 1.4;
  context.setLineDash([3, 2.5]);
  context.beginPath();
  for (const edge of [-0.42, 0.42]) {
    context.moveTo(x, y);
    context.lineTo(x + radius * Math.cos(truth + edge), y + radius * Math.sin(truth + edge));
  }
  context.stroke();
  context.setLineDash([]);
}

/** A flyer with its nose at x. */
function dartPath(context: Context, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 25, y - 10);
  context.lineTo(x - 18, y);
  context.lineTo(x - 25, y + 10);
  context.closePath();
}

function disc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function ring(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
