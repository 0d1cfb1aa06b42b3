/** Figures as text, the same in the terminal and on the page, independent of the locale. */

/** A number of things: 12,500. */
export function countText(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "500 at 60 Hz"; without bodies only the rate. */
export function pointText({
  bodies,
  tickRateHz,
}: {
  readonly bodies: number;
  readonly tickRateHz: number;
}): string {
  const rate = `${rateText(tickRateHz)} Hz`;
  return bodies === 0 ? rate : `${countText(bodies)} at ${rate}`;
}

/** A duration in milliseconds without its unit, to three digits: 0.004, 1.23, 45.6, 1,234. */
export function msText(ms: number): string {
  const size = Math.abs(ms);
  if (size >= 99.95) return `${ms < 0 ? '-' : ''}${countText(size)}`;
  const text = ms.toFixed(size >= 9.995 ? 1 : size >= 0.0995 ? 2 : 3);
  // "-0.000" is a rounded 0.
  return Number(text) === 0 ? '0' : text;
}

/** A share as a percentage: 0.3 %, 42 %. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (Math.abs(percent) < 0.1) return '< 0.1 %';
  return `${Math.abs(percent) < 9.95 ? percent.toFixed(1) : countText(percent)} %`;
}

/** A tick rate without its unit: 60, 59.94. */
export const rateText = (hz: number): string => String(Math.round(hz * 100) / 100);

/** A time left: 40 s, 3 min, 1 h 20 min. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Readable ISO 8601: 2026-01-31 12:00 UTC. */
export const timeText = (iso: string): string =>
  `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
