/** The figures of an application on each of the two libraries, and what the tables say of them. Uses no browser. */
import { distributionOf } from '../engine/samples.js';
import type { Metric } from '../tables/figures.js';

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
  /** How many `rays` each frame casts. 0: none, and betwixt has `queries={false}`. */
  readonly rays?: number;
}

/** Processor time of the page's main thread for the frames of a run: unlike elapsed time, it does not depend on other load. */
export interface FrameFigures {
  readonly frames: number;
  /** The animation callback, which is fiber's frame: median, and the 95th percentile. */
  readonly frameMs: { readonly p50: number; readonly p95: number };
  /** Frames that took more than the display's period. */
  readonly overPeriod: number;
}

/** One run of an application. */
export interface RunFigures extends FrameFigures {
  /** Processor time of the page's main thread per elapsed time: frames, and the messages and garbage collections between them. */
  readonly busyShare: number;
  /** The page after garbage collections: its heap, and the memory of the engine that it has. */
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

const DISPLAY_HZ = 60;

/** @param costsMs Of each frame. @throws RangeError when there are none. */
export function figuresOf(costsMs: readonly number[]): FrameFigures {
  return {
    frames: costsMs.length,
    frameMs: distributionOf(costsMs),
    overPeriod: costsMs.filter((ms) => ms > 1000 / DISPLAY_HZ).length,
  };
}

const MB = 1e6;
/** Theirs over ours, of the time that frames take. */
const LEAST_GAIN = { meshes: 10, instances: 50, rays: 8 } as const;

export const metricsOf = (kind: Subject['kind']): readonly Metric<RunFigures>[] => [
  { what: 'frame p50, CPU', unit: 'ms', of: ({ frameMs }) => frameMs.p50 },
  {
    what: 'frame p95, CPU',
    unit: 'ms',
    of: ({ frameMs }) => frameMs.p95,
    ratioLimit: 1 / LEAST_GAIN[kind],
  },
  {
    what: 'frames over the period',
    unit: '%',
    of: ({ overPeriod, frames }) => (overPeriod / frames) * 100,
    limit: 0,
  },
  { what: 'page thread, CPU', unit: '%', of: ({ busyShare }) => busyShare * 100 },
  { what: "page's heap", unit: 'MB', of: ({ heapBytes }) => heapBytes / MB },
  { what: "page's engine", unit: 'MB', of: ({ engineBytes }) => engineBytes / MB },
  { what: 'first mount', unit: 'ms', of: ({ mounts }) => mounts?.mountMs, ratioLimit: 1 },
  { what: 'later mounts', unit: 'ms', of: ({ mounts }) => mounts?.mountAgainMs, ratioLimit: 1 },
  { what: 'unmount', unit: 'ms', of: ({ mounts }) => mounts?.unmountMs },
  {
    what: 'heap after ten mounts',
    unit: '%',
    of: ({ mounts }) => mounts && mounts.heapGrowth * 100,
    limit: 102,
  },
];
