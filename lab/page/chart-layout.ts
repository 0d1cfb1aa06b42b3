/**
 * The layout of the chart. Pure.
 *
 *     ruler       0 ms        100 ms        200 ms
 *     A update    ██     ██     ██
 *       frame       ███●   ███●   ███●           ● shown by the display
 *       idle        ···░░░    ░░░    ░░░
 *     B …
 *     age         ‾‾‾‾\___/‾‾‾‾                  of both, in one scale
 */
import { SIDES, type Side } from './colours.js';
import type { ViewRange } from './view-range.js';

export const LANES = ['update', 'frame', 'idle'] as const;
export type Lane = (typeof LANES)[number];
/** Labels of the gutter. */
export const LANE_TITLES: Readonly<Record<Lane, string>> = {
  update: 'updates',
  frame: 'frames',
  idle: 'waits',
};

/** Title of the curve, at the left above it. */
export const CURVE_TITLE = 'Age of the frame';

export const RULER_HEIGHT = 22;
export const LANE_HEIGHT = 17;
const LANE_DISTANCE = 20;
const GROUP_DISTANCE = 10;
const CURVE_DISTANCE = 18;
const BOTTOM_MARGIN = 8;

export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** Where time begins, in CSS pixels from the left. */
  readonly left: number;
  readonly range: ViewRange;
  readonly curveTop: number;
  readonly curveBottom: number;
}

export function layOut(width: number, height: number, range: ViewRange): ChartLayout {
  const last = laneTop(1, 'idle') + LANE_HEIGHT;
  return {
    width,
    height,
    left: width < 560 ? 68 : 78,
    range,
    curveTop: last + CURVE_DISTANCE,
    curveBottom: height - BOTTOM_MARGIN,
  };
}

export function laneTop(side: Side, lane: Lane): number {
  const group = LANES.length * LANE_DISTANCE + GROUP_DISTANCE;
  return RULER_HEIGHT + 6 + side * group + LANES.indexOf(lane) * LANE_DISTANCE;
}

export function pixelsPerMs({ width, left, range }: ChartLayout): number {
  return (width - left) / (range.toMs - range.fromMs);
}

export function xOf(layout: ChartLayout, ms: number): number {
  return layout.left + (ms - layout.range.fromMs) * pixelsPerMs(layout);
}

export function msAt(layout: ChartLayout, x: number): number {
  return layout.range.fromMs + (x - layout.left) / pixelsPerMs(layout);
}

/** The lane under a point. */
export function laneAt(y: number): { readonly side: Side; readonly lane: Lane } | undefined {
  for (const side of SIDES) {
    for (const lane of LANES) {
      const top = laneTop(side, lane) - 1.5;
      if (y >= top && y < top + LANE_DISTANCE) return { side, lane };
    }
  }
  return undefined;
}
