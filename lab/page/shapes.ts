/** Shapes of the bodies. */
import { COLOURS } from './colours.js';

export type Context = CanvasRenderingContext2D;

export function disc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

export function ring(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** Outlines a body's true place. */
export function dashed(context: Context, stroke: () => void): void {
  context.strokeStyle = COLOURS.ghost;
  context.lineWidth = 1.4;
  context.setLineDash([3, 2.5]);
  stroke();
  context.setLineDash([]);
}
