/** Tracks of the page in the performance panel: with the option `devtools`, it wraps methods, as in the worker. */
import { drawEntry, type DrawEntry } from '../../shared/util/development.js';
import type { SampledFrame } from '../frame/frame.js';
import type { SimulationStatus } from './simulation-status.js';
import type { FrameStatistics } from '../frame/frame-sampler.js';

/** The parts of a session that are watched. */
export interface TrackedSession {
  readonly frames: { readonly sampler: { readonly statistics: TrackedStatistics } };
  readonly statuses: { emit: (status: SimulationStatus) => void };
}

type TrackedStatistics = {
  -readonly [Name in 'recordFrame' | 'recordShownInput']: FrameStatistics[Name];
};

/** The part of a handle that is watched. */
export interface TrackedHandle {
  sample: (frameMs: number) => SampledFrame;
}

/** Statuses that are drawn. The worker draws gaps itself. */
const MARKED: ReadonlySet<SimulationStatus['kind']> = new Set([
  'failed',
  'jumped',
  'recovered',
  'replaced',
  'restarted',
  'restarting',
  'stalled',
]);

/** So long is the entry of what has no length, in ms: it would not be seen otherwise. */
const MARK_MS = 1;

/**
 * Draws the frames of a simulation from now on: how long sampling took, which were starved, which inputs they show; and
 * restarts.
 *
 * @param now The time of this thread's clock, in ms.
 */
export function trackPage(
  { frames: { sampler }, statuses }: TrackedSession,
  handle: TrackedHandle,
  draw: DrawEntry = drawEntry,
  now: () => number = () => performance.now(),
): void {
  const { sample } = handle;
  const { statistics } = sampler;
  const { recordFrame, recordShownInput } = statistics;
  const { emit } = statuses;
  let stampMs = 0;

  handle.sample = (frameMs) => {
    stampMs = frameMs;
    const startMs = now();
    const frame = sample(frameMs);
    draw(`frame of tick ${frame.tick}`, startMs, now(), 'Sample', 'primary');
    return frame;
  };
  statistics.recordFrame = (frameMs, frame, isMeasurable) => {
    recordFrame.call(statistics, frameMs, frame, isMeasurable);
    if (frame.starved) draw('starved', frameMs, now(), 'Starved frames', 'error');
  };
  statistics.recordShownInput = (latencyMs) => {
    recordShownInput.call(statistics, latencyMs);
    draw('input to frame', stampMs - latencyMs, stampMs, 'Input to frame', 'secondary');
  };
  statuses.emit = (status) => {
    emit.call(statuses, status);
    if (!MARKED.has(status.kind)) return;
    const color = status.kind === 'jumped' || status.kind === 'replaced' ? 'warning' : 'error';
    draw(status.kind, now() - MARK_MS, now(), 'Restarts', color);
  };
}
