/** For developers: whether the page is in development, warnings on the console, entries in the performance panel. */

/** Bundlers put a text here; only Node has the variable itself. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Whether the library warns developers, by the variable `NODE_ENV`, whose value development servers and bundlers write into
 * the code. False where nothing says so: in Node, and on pages without a bundler, which do not have `process`.
 */
export const isDevelopment: boolean = ((): boolean => {
  try {
    // Bundlers look for exactly these words, so they are not tested for with `typeof`.
    return process.env.NODE_ENV === 'development';
  } catch {
    return false;
  }
})();

/** Every realm has a console, but the type libraries of this folder do not. */
declare const console: {
  warn(text: string): void;
  /** Chromium's arguments for entries on tracks. Other browsers ignore them. */
  timeStamp?(
    name: string,
    startMs: number,
    endMs: number,
    track: string,
    group: string,
    color: EntryColor,
  ): void;
};

/** Subjects of earlier warnings. */
export const warned = new Set<string>();

/** Shows a warning on the console, the first time. @param about What it is about: there is one warning for each. */
export function warnOnce(about: string, text: string): void {
  if (warned.has(about)) return;
  warned.add(about);
  console.warn(`betwixt: ${text}`);
}

/** Uses a part for developers when it has loaded. A page that goes away while it loads is no error. */
export function whenLoaded<Part>(loading: Promise<Part>, use: (part: Part) => void): void {
  loading.then(use, () => {});
}

/** The sinks of inputs that have a source: noted in development. */
export const fedSinks = new WeakSet<object>();

/** In development: the frames `latest` of simulations, which are drawn in turn with the sampled ones. */
export const latestFrames = new WeakSet<object>();

/** Colours of entries in the performance panel of a browser's developer tools. */
export type EntryColor = 'primary' | 'secondary' | 'tertiary' | 'warning' | 'error';

/**
 * Draws an entry in the performance panel.
 *
 * @param name Its label.
 * @param startMs When it begins by the clock of this thread, in ms: the panel aligns threads.
 * @param endMs When it ends, in ms.
 * @param track The row that has it.
 */
export type DrawEntry = (
  name: string,
  startMs: number,
  endMs: number,
  track: string,
  color: EntryColor,
) => void;

/** The group of all tracks in the performance panel. */
const GROUP = 'betwixt';

/** Costs 1.2 µs while nothing is recorded, and keeps nothing: `performance.measure` costs six times as much, and does. */
export const drawEntry: DrawEntry = (name, startMs, endMs, track, color) =>
  console.timeStamp?.(name, startMs, endMs, track, GROUP, color);
