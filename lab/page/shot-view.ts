/**
 * The shot at the thin wall. The simulation checks the wall only where the shot is after a step:
 *
 *     ◖━ ·      •▐▌          stopped at the face
 *     ◖━ ·       ▐▌   ━━●    never seen inside: through
 */
import { SHOT_FLIGHT_MS, SHOT_IN_WALL_MS, shotAt } from '../engine/index.js';
import { COLOURS } from './colours.js';
import { dashed, disc, ring, type Context } from './shapes.js';
import type { ShownFrame } from './timeline.js';

/** In CSS pixels. */
export interface ShotLane {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Where the wall's face is, as a share of the lane. */
const FACE = 0.6;
const RADIUS = 4.5;
const WALL_HEIGHT = 58;

export function drawShots(
  context: Context,
  { left, right, y }: ShotLane,
  frame: ShownFrame | undefined,
  atMs: number,
  colour: string,
): void {
  const way = (right - left) * FACE;
  const thick = (way * SHOT_IN_WALL_MS) / SHOT_FLIGHT_MS;
  const xOf = (position: number): number => left + position * way - RADIUS;
  const isThrough = frame?.shotFate === 'through';
  const top = y - WALL_HEIGHT / 2;
  context.fillStyle = isThrough ? COLOURS.alarm : COLOURS.wall;
  context.globalAlpha = 0.5;
  context.fillRect(left + way, top, thick, WALL_HEIGHT);
  context.globalAlpha = 1;
  context.fillRect(left + way, top, 2, WALL_HEIGHT);
  context.fillStyle = COLOURS.line;
  context.fillRect(left - 8, y - 7, 6, 14);
  const position = frame?.shotPosition ?? 0;
  // Behind the wall it flies on as long as there is room to see it, and then leaves a trace.
  const x = Math.min(xOf(position), right - RADIUS);
  if (isThrough) {
    context.fillStyle = COLOURS.gap;
    context.fillRect(left, y - 1, x - left, 2);
  }
  context.fillStyle = isThrough ? COLOURS.alarm : colour;
  disc(context, x, y, RADIUS);
  const truth = xOf(shotAt(atMs));
  // At the right place a ghost would only blur it.
  if (Math.abs(truth - x) > 1) dashed(context, () => ring(context, truth, y, RADIUS));
}
