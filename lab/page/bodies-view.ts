/**
 * The moving bodies as a stepper's frames show them, each with a ghost at its true place.
 *
 *     ·  ·  ·  · ▶ ━━━ ◁          flyer; each dot is a frame, so even dots are smooth motion
 *     ───────────────────────────
 *     .·˙˙·. ○ ●   •  · ▌   (|)   ball over its floor, with its path; shot at a wall; top
 *     ──────────
 */
import { ballAt, drawnBall, drawnFlyer, drawnTop, flyerAt, topAt } from '../engine/index.js';
import { COLOURS, FONT, type Side, colourOf } from './colours.js';
import { fitCanvas } from './fit-canvas.js';
import { drawShots } from './shot-view.js';
import { dashed, disc, ring, type Context } from './shapes.js';
import { framesShownWithin, frameIndexAt, type ShownFrame, type Timeline } from './timeline.js';
import { IN_FLOOR } from './verdict.js';

/** Length of the flyer's way across the canvas, in units; it takes as long in seconds. */
const FLYER_WAY = 2;
/** How far back dots go, in ms of virtual time. */
const TRAIL_MS = 900;
/** More dots would overlap. */
const MAX_DOTS = 160;
/** Drawn before the first frame. */
const NOTHING_SHOWN = { previousMs: 0, currentMs: 0, alpha: 1, predictMs: 0 };
/** Height of the flyer's nose, and where its ground and dots end, from the top in pixels. */
const FLYER_Y = 16;
const BELOW_FLYER = 54;
/** From the flyer's nose to its tail, in pixels. */
const DART_LENGTH = 25;
/** Up to this share of its way (100 ms) the flyer's place counts as right. */
const SMALL_GAP = 0.05;
/** Places across the canvas, as shares of its width. */
const BALL = { from: 0.03, at: 0.31, to: 0.38 };
const SHOT = { from: 0.44, to: 0.72 };
const TOP_AT = 0.86;

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
  const colour = colourOf(side);
  const trail = framesShownWithin(timeline, atMs - TRAIL_MS, atMs)
    .filter(({ displayedMs }) => displayedMs <= atMs && displayedMs > atMs - TRAIL_MS)
    .slice(-MAX_DOTS);
  drawFlyers(context, width, FLYER_Y, trail, frame, atMs, colour);
  drawBalls(context, width, height, trail, frame, atMs, colour);
  const lane = { left: SHOT.from * width, right: SHOT.to * width, y: (BELOW_FLYER + height) / 2 };
  drawShots(context, lane, frame, atMs, colour);
  drawTops(context, width, height, frame, atMs, colour);
}

function drawFlyers(
  context: Context,
  width: number,
  y: number,
  trail: readonly ShownFrame[],
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
  for (const past of trail) {
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
  const drawn = drawnFlyer(frame ?? NOTHING_SHOWN);
  drawGap(context, width, y + 18, drawn, flyerAt(atMs));
  dashed(context, () => {
    for (const x of wrapped(xOf(flyerAt(atMs)), width)) {
      dartPath(context, x, y);
      context.stroke();
    }
  });
  context.fillStyle = colour;
  for (const x of wrapped(xOf(drawn), width)) {
    dartPath(context, x, y);
    context.fill();
  }
}

/** Where to draw a flyer: while it partly sticks out at the left, it is also drawn at the right. */
function wrapped(x: number, width: number): readonly number[] {
  return x < DART_LENGTH ? [x, x + width] : [x];
}

/**
 * The gap between the flyer and its ghost, on the ground: its length is the lag behind the clock.
 */
function drawGap(context: Context, width: number, y: number, drawn: number, truth: number): void {
  const from = Math.min(drawn, truth) / FLYER_WAY;
  const share = Math.min(1, Math.abs(drawn - truth) / FLYER_WAY);
  const left = (from % 1) * width;
  const length = share * width;
  context.fillStyle = share > SMALL_GAP ? COLOURS.gap : COLOURS.ghost;
  context.fillRect(left, y - 1, Math.min(length, width - left), 3);
  // Beyond the edge it continues at the beginning.
  context.fillRect(0, y - 1, Math.max(0, left + length - width), 3);
}

function drawBalls(
  context: Context,
  width: number,
  height: number,
  trail: readonly ShownFrame[],
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const floor = height - 14;
  const radius = Math.max(7, height * 0.052);
  const rise = floor - 2 * radius - BELOW_FLYER;
  const x = width * BALL.at;
  const left = width * BALL.from;
  const long = width * (BALL.to - BALL.from);
  const yOf = (units: number): number => floor - radius - units * rise;
  const drawn = drawnBall(frame ?? NOTHING_SHOWN);
  const isInFloor = drawn < IN_FLOOR;
  context.fillStyle = COLOURS.faint;
  context.fillRect(left, floor, long, height - floor);
  context.fillStyle = isInFloor ? COLOURS.alarm : COLOURS.quiet;
  context.fillRect(left, floor, long, 1.5);
  const xBefore = (ageMs: number): number =>
    x - radius - 4 - (ageMs / TRAIL_MS) * (x - radius - left);
  drawBallPath(context, xBefore, (ms) => yOf(ballAt(ms)) + radius, atMs);
  for (const past of trail) {
    const ageMs = atMs - past.displayedMs;
    const position = drawnBall(past);
    const isWrong = position < IN_FLOOR;
    context.globalAlpha = isWrong ? 1 : 0.9 * (1 - ageMs / TRAIL_MS);
    context.fillStyle = isWrong ? COLOURS.alarm : colour;
    disc(context, Math.max(left, xBefore(ageMs)), yOf(position) + radius, isWrong ? 2.6 : 1.7);
  }
  context.globalAlpha = 1;
  context.fillStyle = isInFloor ? COLOURS.alarm : colour;
  disc(context, x, yOf(drawn), radius);
  dashed(context, () => ring(context, x, yOf(ballAt(atMs)), radius));
}

/** The true path of the ball's lowest point, as far back as the dots go. */
function drawBallPath(
  context: Context,
  xBefore: (ageMs: number) => number,
  yAt: (ms: number) => number,
  atMs: number,
): void {
  context.strokeStyle = COLOURS.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let ageMs = 0; ageMs <= Math.min(TRAIL_MS, atMs); ageMs += 10) {
    context.lineTo(xBefore(ageMs), yAt(atMs - ageMs));
  }
  context.stroke();
}

function drawTops(
  context: Context,
  width: number,
  height: number,
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const x = width * TOP_AT;
  const radius = Math.min((height - BELOW_FLYER - 8) / 2, width * 0.12);
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
  dashed(context, () => {
    context.beginPath();
    for (const edge of [-0.42, 0.42]) {
      context.moveTo(x, y);
      context.lineTo(x + radius * Math.cos(truth + edge), y + radius * Math.sin(truth + edge));
    }
    context.stroke();
  });
}

/** A flyer with its nose at x. */
function dartPath(context: Context, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - DART_LENGTH, y - 10);
  context.lineTo(x - 18, y);
  context.lineTo(x - DART_LENGTH, y + 10);
  context.closePath();
}
