/** The figures of an application on each of the two libraries, and a summary of the repeats. Uses no browser. */

export const LIBRARIES = ['betwixt', 'rapier'] as const;
/** `betwixt/react` and `@react-three/rapier`. */
export type LibraryName = (typeof LIBRARIES)[number];

/**
 * The contents of an application: a component for each box, or all boxes as instances of one mesh. With `rays`, a component for
 * each box, the heap keeps moving, and each frame asks what is below some points.
 */
export interface Subject {
  readonly kind: 'meshes' | 'instances' | 'rays';
  readonly bodies: number;
  /** Of `rays`: how many in each frame. 0: none, and betwixt has `queries={false}`. */
  readonly rays?: number;
}

/** Processor time of the page's main thread for the frames of a run: unlike elapsed time, it does not depend on other load. */
export interface FrameFigures {
  readonly frames: number;
  /** Of the animation callback, which is fiber's frame: median, and the 95th percentile. */
  readonly frameMs: { readonly p50: number; readonly p95: number };
  /** Frames that took more than the display's period. */
  readonly overPeriod: number;
}

/** One run of an application. */
export interface RunFigures extends FrameFigures {
  /** Processor time of the page's main thread per elapsed time: frames, and the messages and garbage collections between them. */
  readonly busyShare: number;
  /** Of the page, after garbage collections: its heap, and the memory of the engine that it has. */
  readonly heapBytes: number;
  readonly engineBytes: number;
  /** Undefined with `rays`. */
  readonly mounts: MountFigures | undefined;
}

export interface MountFigures {
  /** The first mount of a page, the median of later ones, and the median of unmounts. */
  readonly mountMs: number;
  readonly mountAgainMs: number;
  readonly unmountMs: number;
  /** Heap after the last unmount over that before, after garbage collections. */
  readonly heapGrowth: number;
}

export interface SubjectResult extends Subject {
  readonly runs: Readonly<Record<LibraryName, readonly RunFigures[]>>;
}

export const DISPLAY_HZ = 60;

/** @param costsMs Of each frame. @throws RangeError when there are none. */
export function figuresOf(costsMs: readonly number[]): FrameFigures {
  const sorted = costsMs.toSorted((a, b) => a - b);
  if (sorted.length === 0) throw new RangeError('no frame was drawn');
  return {
    frames: sorted.length,
    frameMs: { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) },
    overPeriod: sorted.filter((ms) => ms > 1000 / DISPLAY_HZ).length,
  };
}

/** The nearest rank: always a measured value. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;

export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** A row of the table: both libraries, and the goal. */
export interface Row {
  readonly what: string;
  readonly betwixt: string;
  readonly rapier: string;
  readonly ratio: string;
  readonly goal: string;
}

const MAX_HEAP_GROWTH = 1.02;
/** Theirs over ours, of the time that frames take. */
const LEAST_GAIN = { meshes: 10, instances: 50, rays: 8 } as const;

export function rowsOf({ kind, runs }: SubjectResult): Row[] {
  const of = figuresIn(runs);
  const least = LEAST_GAIN[kind];
  const p95 = of(({ frameMs }) => frameMs.p95);
  const over = of(({ overPeriod, frames }) => overPeriod / frames);
  return [
    row(
      'frame p50, CPU ms',
      of(({ frameMs }) => frameMs.p50),
      ms,
    ),
    row('frame p95, CPU ms', p95, ms, goal(p95.betwixt * least <= p95.rapier, `1 : ${least}`)),
    row('frames over the period', over, percent, goal(over.betwixt === 0, '0')),
    row(
      'page thread, CPU share',
      of(({ busyShare }) => busyShare),
      percent,
    ),
    row(
      "page's heap, MB",
      of(({ heapBytes }) => heapBytes),
      megabytes,
    ),
    row(
      "page's engine, MB",
      of(({ engineBytes }) => engineBytes),
      megabytes,
    ),
    ...(kind === 'rays' ? [] : mountRows(runs)),
  ];
}

function mountRows(runs: SubjectResult['runs']): Row[] {
  const of = figuresIn(runs);
  const mount = of(({ mounts }) => mounts?.mountMs);
  const heap = of(({ mounts }) => mounts?.heapGrowth);
  const again = of(({ mounts }) => mounts?.mountAgainMs);
  return [
    row('first mount, ms', mount, ms, goal(mount.betwixt <= mount.rapier, 'no slower')),
    row('later mounts, ms', again, ms, goal(again.betwixt <= again.rapier, 'no slower')),
    row(
      'unmount, ms',
      of(({ mounts }) => mounts?.unmountMs),
      ms,
    ),
    row(
      'heap after ten mounts',
      heap,
      (value) => `${(value * 100).toFixed(1)} %`,
      goal(heap.betwixt <= MAX_HEAP_GROWTH, 'within 2 %'),
    ),
  ];
}

/** Medians of a figure, of both libraries. */
const figuresIn =
  (runs: SubjectResult['runs']) =>
  (figure: (run: RunFigures) => number | undefined): Record<LibraryName, number> => ({
    betwixt: median(runs.betwixt.map((run) => figure(run) ?? Number.NaN)),
    rapier: median(runs.rapier.map((run) => figure(run) ?? Number.NaN)),
  });

function row(
  what: string,
  { betwixt, rapier }: Readonly<Record<LibraryName, number>>,
  text: (value: number) => string,
  goalText = '',
): Row {
  return {
    what,
    betwixt: text(betwixt),
    rapier: text(rapier),
    ratio: ratio(betwixt, rapier),
    goal: goalText,
  };
}

const goal = (isMet: boolean, text: string): string => `${text}: ${isMet ? 'met' : 'missed'}`;
const ms = (value: number): string => String(Number(value.toPrecision(3)));
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

const digits = (value: number): string => String(Number(value.toPrecision(value < 10 ? 2 : 3)));

function ratio(ours: number, theirs: number): string {
  if (!(ours > 0 && theirs > 0)) return '';
  return ours < theirs ? `1 : ${digits(theirs / ours)}` : `${digits(ours / theirs)} : 1`;
}
