/** Whether the user's own worker has the bodies that `--bodies` asks for. */
import { countText } from '../engine/index.js';

/** Tolerance for grounds, walls, players, and lost bodies: as a number, or as a share. */
const MORE_BODIES = 16;
const TOLERATED_SHARE = 0.05;

/** @param asked 0: any number. */
export function hasBodiesAsked(asked: number, bodies: number): boolean {
  if (asked === 0) return true;
  const tolerated = asked * TOLERATED_SHARE;
  return bodies >= asked - tolerated && bodies <= asked + Math.max(MORE_BODIES, tolerated);
}

export function wrongBodiesText(asked: number, bodies: number): string {
  const has = `the worker has ${countText(bodies)} ${bodies === 1 ? 'body' : 'bodies'}, whatever --bodies says`;
  return `${has} (${countText(asked)}): it does not read context.setup.bodies`;
}
