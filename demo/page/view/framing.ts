/** Where in a view its subject belongs: in the middle of the uncovered part. Pure. */

/** The part of a view behind overlays, in CSS pixels from its edges. */
export interface Covered {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

export const UNCOVERED: Covered = { left: 0, right: 0, top: 0 };

/**
 * Minimum share of a view's width on which its subject is fitted. Overlays are translucent, and a
 * subject that is fitted between two wide panels would be tiny.
 */
const MIN_SHARE = 0.5;
/** A view that is covered more than this, as shares of its sides, is treated as uncovered. */
const MAX_COVERED = { across: 0.65, down: 0.75 } as const;

export interface Framing {
  /** Width, over the view's height, on which the subject is fitted. */
  readonly aspect: number;
  /** Offset of the subject from the view's middle, to the right and down, in CSS pixels. */
  readonly shift: number;
  readonly drop: number;
}

export function framingOf(width: number, height: number, { left, right, top }: Covered): Framing {
  const clear = width - left - right;
  const drop = top > MAX_COVERED.down * height ? 0 : top / 2;
  if (clear < (1 - MAX_COVERED.across) * width) return { aspect: width / height, shift: 0, drop };
  return { aspect: Math.max(clear, MIN_SHARE * width) / height, shift: (left - right) / 2, drop };
}

/** Moves by a share of the way, and all of it if less than a pixel is left. */
export function approach(from: Covered, to: Covered, share: number): Covered {
  const left = step(from.left, to.left, share);
  const right = step(from.right, to.right, share);
  const top = step(from.top, to.top, share);
  const isThere = left === from.left && right === from.right && top === from.top;
  return isThere ? from : { left, right, top };
}

function step(from: number, to: number, share: number): number {
  const rest = to - from;
  return Math.abs(rest) < 1 ? to : from + rest * share;
}
