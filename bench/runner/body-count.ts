/** Whether a worker of the user's has the bodies that `--bodies` asks for. */
import { countText } from '../engine/index.js';

/** Grounds, walls and players may come on top, and a few bodies may have been lost: so many, or so large a share. */
const MORE_BODIES = 16;
const TOLERATED_SHARE = 0.05;

/** @param asked 0: as many as the worker likes. */
export function hasBodiesAsked(asked: number, bodies: number): boolean {
  if (asked === 0) return true;
  const tolerated = asked * TOLERATED_SHARE;
  return bodies >= asked - tolerated && bodies <= asked + Math.max(MORE_BODIES, tolerated);
}

export function wrongBodiesText(asked: number, bodies: number): string {
  const has = `the worker has ${countText(bodies)} ${bodies === 1 ? 'body' : 'bodies'}, whatever --bodies says`;
  return `${has} (${countText(asked)}): it does not read context.setup.bodies`;
}
