/** Text of HTML and SVG, and scales. Everything from a result goes through {@link escaped}. */

/** Text for elements and for attributes in double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Text whose figures and units stay on one line. */
export const unbroken = (text: string): string =>
  escaped(text).replaceAll(/(\d) (?=(?:Hz|ms|%|×|MB)(?!\w))/g, '$1\u00a0');

/** A coordinate: a tenth of a unit is finer than a pixel, and files stay small. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

/** Maps a value to a coordinate. */
export type Scale = (value: number) => number;

export function linearScale(low: number, high: number, from: number, to: number): Scale {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Values must be over 0. */
export function logScale(low: number, high: number, from: number, to: number): Scale {
  const scale = linearScale(Math.log(low), Math.log(high), from, to);
  return (value) => scale(Math.log(value));
}

/** 1, 2 and 5 times the powers of ten in [low, high], reduced to the powers if there are many. */
export function logTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  const powers = ticks.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e6) / 1e6));
  return ticks.length > 7 && powers.length > 2 ? powers : ticks;
}

/** A few round values in [0, high]. */
export function linearTicks(high: number, count = 4): number[] {
  const rough = high / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

export function polyline(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`).join('');
}

export function textAt(x: number, y: number, anchor: string, text: string): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

/**
 * A mark that shows its values when it is pointed at or tapped; the style sheet makes it easy to
 * hit.
 */
export function mark(x: number, y: number, series: number, tip: string): string {
  return `<circle class="s${series}" cx="${at(x)}" cy="${at(y)}" r="2.5" data-tip="${escaped(tip)}"/>`;
}

/** Colours in the style sheet; they repeat when they are used up. */
const SERIES = 6;
export const seriesOf = (index: number): number => index % SERIES;

/** Legend of the lines below a plot, with the dotted line across it. */
export function legend(names: readonly string[], dotted?: string): string {
  const items = names.map(
    (name, index) => `<li><span class="key s${seriesOf(index)}"></span>${unbroken(name)}</li>`,
  );
  if (dotted !== undefined) {
    items.push(`<li><span class="key dotted"></span>${unbroken(dotted)}</li>`);
  }
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** Legend of the bars' colours: a class of the style sheet and a text each. */
export function colourKey(items: readonly (readonly [className: string, text: string])[]): string {
  const keys = items.map(
    ([name, text]) => `<li><span class="swatch ${name}"></span>${escaped(text)}</li>`,
  );
  return `<ul class="legend">${keys.join('')}</ul>`;
}
