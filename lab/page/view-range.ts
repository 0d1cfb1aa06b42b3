/** The range of the chart: zooming and panning. Pure. */
import { MIN_VIEW_MS } from './settings.js';

export interface ViewRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Moves and narrows a range so that it is within the run. */
export function within(range: ViewRange, endMs: number): ViewRange {
  const widthMs = Math.min(endMs, Math.max(MIN_VIEW_MS, range.toMs - range.fromMs));
  const fromMs = Math.min(Math.max(0, range.fromMs), endMs - widthMs);
  return { fromMs, toMs: fromMs + widthMs };
}

/** @param factor Below 1 zooms in. @param anchorMs Stays where it is on the screen. */
export function zoomed(
  range: ViewRange,
  factor: number,
  anchorMs: number,
  endMs: number,
): ViewRange {
  const wantedMs = (range.toMs - range.fromMs) * factor;
  const widthMs = Math.min(endMs, Math.max(MIN_VIEW_MS, wantedMs));
  const share = (anchorMs - range.fromMs) / (range.toMs - range.fromMs);
  const fromMs = anchorMs - share * widthMs;
  return within({ fromMs, toMs: fromMs + widthMs }, endMs);
}

export function panned(range: ViewRange, byMs: number, endMs: number): ViewRange {
  return within({ fromMs: range.fromMs + byMs, toMs: range.toMs + byMs }, endMs);
}

/**
 * Turns the page when a time has left the range, as with sheet music: nothing scrolls continuously.
 */
export function following(range: ViewRange, atMs: number, endMs: number): ViewRange {
  if (atMs >= range.fromMs && atMs <= range.toMs) return range;
  const widthMs = range.toMs - range.fromMs;
  const fromMs = Math.floor(atMs / widthMs) * widthMs;
  return within({ fromMs, toMs: fromMs + widthMs }, endMs);
}

/** A round distance between two marks of a scale, at least this long. */
export function markDistance(minDistance: number): number {
  const power = 10 ** Math.floor(Math.log10(minDistance));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= minDistance) ?? 10;
  return factor * power;
}
