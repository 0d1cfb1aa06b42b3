/** The loop's measurements of its ticks, on a clock that the test and the step advance. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { Histogram } from '../../../src/shared/statistics/histogram.js';
import {
  HISTOGRAM_SHAPE,
  STATE_HEADER,
  type HistogramName,
} from '../../../src/shared/memory/layout.js';
import { SnapshotReader } from '../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../src/sim-worker/bodies/snapshot-writer.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import { PageCalls } from '../../../src/sim-worker/thread/page-calls.js';
import { scriptedHost } from '../../fixtures/scripted-host.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

const PERIOD_MS = 20;
const LATE_MS = 6;
const STEP_MS = 3;
const PUBLISH_MS = 2;

/** A simulation at 50 Hz in this thread whose steps take 3 ms. */
async function start() {
  const time = new VirtualTime();
  const views = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const host = scriptedHost(() => time.nowMs, { attachedMemory: () => views.buffer });
  const server = createControlServer({
    host,
    simulation: {
      init: () => {},
      step: () => {
        time.spend(STEP_MS);
      },
    },
    calls: new PageCalls(),
    post: () => {},
  });
  await server.initialize(
    { transport: 'local' },
    { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 1000 / PERIOD_MS },
  );
  server.start();
  const times = (name: HistogramName) => new Histogram(HISTOGRAM_SHAPE, views.histograms[name]);
  const newestState = () => {
    const reader = new SnapshotReader(views);
    reader.fetch();
    return reader.slot;
  };
  return { time, server, times, newestState };
}

test('lateness is from the due time to the wake-up; the step is measured separately', async () => {
  const { time, server, times, newestState } = await start();
  expect(times('lateness').total).toBe(0);
  await time.wakeLate(PERIOD_MS + LATE_MS);
  expect(times('lateness').total).toBe(1);
  expect(times('lateness').quantile(1)).toBeCloseTo(LATE_MS, 1);
  expect(times('step').total).toBe(1);
  expect(times('step').quantile(1)).toBeCloseTo(STEP_MS, 1);
  // Nothing advances the clock in a publication.
  expect([times('publish').total, times('publish').quantile(1)]).toEqual([1, 0]);
  // The page's margin adapts to the time when the state was available: after the wake-up and the
  // step.
  const header = newestState().stateHeaders[1];
  expect(header?.[STATE_HEADER.tick]).toBe(1);
  expect(header?.[STATE_HEADER.latenessMs]).toBeCloseTo(LATE_MS + STEP_MS, 9);
  server.stop();
});

test('the publication is not part of the step, nor the step of the publication', async () => {
  const { time, server, times } = await start();
  const publishState = SnapshotWriter.prototype.publishState;
  const publishing = vi
    .spyOn(SnapshotWriter.prototype, 'publishState')
    .mockImplementation(function publish(this: SnapshotWriter, ...state) {
      time.spend(PUBLISH_MS);
      return publishState.apply(this, state);
    });
  onTestFinished(() => publishing.mockRestore());
  await time.wakeLate(PERIOD_MS);
  expect(times('publish').total).toBe(1);
  expect(times('step').quantile(1)).toBeCloseTo(STEP_MS, 1);
  expect(times('publish').quantile(1)).toBeCloseTo(PUBLISH_MS, 1);
  server.stop();
});

test('a wake-up for several ticks is late once, by the first of them', async () => {
  const { time, server, times } = await start();
  await time.wakeLate(3 * PERIOD_MS + LATE_MS);
  expect(times('step').total).toBe(3);
  expect(times('lateness').total).toBe(1);
  expect(times('lateness').quantile(1)).toBeCloseTo(2 * PERIOD_MS + LATE_MS, 0);
  server.stop();
});

test('ticks that are stepped manually are not late', async () => {
  const { time, server, times, newestState } = await start();
  server.pause();
  await time.advance(50 * PERIOD_MS);
  expect(await server.step(2)).toBe(2);
  expect(times('step').total).toBe(2);
  expect(times('lateness').total).toBe(0);
  expect(newestState().stateHeaders[2]?.[STATE_HEADER.latenessMs]).toBe(0);
  server.stop();
});
