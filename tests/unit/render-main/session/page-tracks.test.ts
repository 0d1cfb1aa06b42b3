/** The entries that a page draws in the performance panel. */
import { expect, test, vi } from 'vitest';
import type { SampledFrame, SimulationStatus } from '../../../../src/render-main/index.js';
import { trackPage } from '../../../../src/render-main/session/page-tracks.js';
import { FrameStatistics } from '../../../../src/render-main/frame/frame-sampler.js';
import { Frame } from '../../../../src/render-main/frame/frame.js';
import { DrawnEntries } from '../../../fixtures/drawn-entries.js';
import { connectInVirtualTime } from '../../../fixtures/virtual-time.js';

const FRAME = Object.assign(new Frame(), { hasState: true, following: true });

const nothing = (): void => {};

function createTracked() {
  const drawn = new DrawnEntries();
  const statistics = new FrameStatistics();
  const emitted: string[] = [];
  const statuses = { emit: ({ kind }: SimulationStatus) => void emitted.push(kind) };
  /** The timeline's work in a frame. */
  let inFrame = nothing;
  const handle = {
    sample: (): SampledFrame => {
      inFrame();
      drawn.nowMs += 2;
      return { tick: 7 } as SampledFrame;
    },
  };
  trackPage({ frames: { sampler: { statistics } }, statuses }, handle, drawn.draw, drawn.now);
  const sample = (frameMs: number, act = nothing): SampledFrame => {
    inFrame = act;
    return (handle.sample as (frameMs: number) => SampledFrame)(frameMs);
  };
  return { drawn, statistics, emitted, statuses, sample };
}

test('each frame, a starved one and the inputs that one shows are drawn, and still counted', () => {
  const { drawn, statistics, sample } = createTracked();
  sample(990, () => {
    statistics.recordShownInput(40);
    statistics.recordFrame(990, Object.assign(new Frame(), FRAME, { starved: true }));
  });
  expect(sample(1006, () => statistics.recordFrame(1006, FRAME)).tick).toBe(7);
  expect(drawn.take()).toEqual([
    'Input to frame: input to frame 950–990 secondary',
    'Starved frames: starved 990–1000 error',
    'Sample: frame of tick 7 1000–1002 primary',
    'Sample: frame of tick 7 1002–1004 primary',
  ]);
  const { frames, starvedFrames, inputToFrameMs } = statistics.summary();
  expect([frames, starvedFrames, Math.round(inputToFrameMs.max)]).toEqual([2, 1, 40]);
});

test('restarts are marked, after the handlers, and other statuses are not', () => {
  const { drawn, emitted, statuses } = createTracked();
  statuses.emit({ kind: 'restarted', tick: 3, replayedTicks: 0, skippedInputs: 0 });
  statuses.emit({ kind: 'jumped', tick: 3 });
  statuses.emit({ kind: 'events-lost', lost: 3 });
  statuses.emit({ kind: 'gap', gapMs: 3 });
  expect(drawn.take()).toEqual([
    'Restarts: restarted 999–1000 error',
    'Restarts: jumped 999–1000 warning',
  ]);
  expect(emitted).toEqual(['restarted', 'jumped', 'events-lost', 'gap']);
});

test.each([true, false])('tracks are drawn only if devtools is true: %s', async (devtools) => {
  const drawn = new Set<string>();
  const timeStamp = (...[, , , track]: string[]): unknown => drawn.add(`${track}`);
  vi.stubGlobal('console', { ...console, timeStamp });
  const { time, simulation } = await connectInVirtualTime({ devtools });
  await time.advance(100);
  simulation.sample(time.nowMs);
  expect([...drawn].toSorted()).toEqual(
    devtools ? ['Publish', 'Sample', 'Sleep', 'Step', 'Tick'] : [],
  );
});
