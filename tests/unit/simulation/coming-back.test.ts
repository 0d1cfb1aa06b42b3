/**
 * The page's reactions to time that passed unseen: after a pause, and when the worker reports a
 * gap.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { openDocument } from '../../fixtures/fake-document.js';
import { FakeWorker } from '../../fixtures/fake-worker.js';
import { turnsUntil } from '../../fixtures/scripted-host.js';

test('the first frame after a pause is not compared with the last one before it', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = openDocument();
  const idle = { init: () => {}, step: () => {}, queries: { look: () => {} } };
  const simulation = await connect(() => runLocally(idle), { transport: 'local' });
  for (const stampMs of [1000, 1007, 1014]) simulation.sample(stampMs);
  page.show(false);
  page.show(true);
  // One turn after the page's own requests.
  await simulation.queries['look']?.();
  for (const stampMs of [61_014, 61_021, 61_028]) simulation.sample(stampMs);
  const { frames, frameMs } = simulation.stats();
  expect(frames).toBe(6);
  expect(frameMs.max).toBeCloseTo(7, 1);
  await simulation.dispose();
});

/** The answers of a worker that does nothing to the page's calls. */
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  initialize: () => ({ commands: [], queries: [], canSave: false }),
  clockMs: () => 1234,
  clockStepMs: () => 0.005,
};

test('a gap of the worker causes a new clock alignment', async () => {
  const worker = new FakeWorker();
  worker.onPost = () => {
    const name = worker.calls.at(-1) ?? '';
    queueMicrotask(() => worker.answer(name, ANSWERS[name]?.()));
  };
  const simulation = await connect(() => worker, { transport: 'transfer' });
  const alignments = () => worker.calls.filter((name) => name === 'setClockOffset').length;
  expect(alignments()).toBe(1);
  worker.emit('message', {
    data: { type: 'betwixt:notice', notice: { kind: 'gap', gapMs: 1500 } },
  });
  await turnsUntil(() => alignments() === 2);
  // No worker acknowledges the end.
  worker.onPost = undefined;
  worker.emit('error', { message: 'the end of the test' });
  await simulation.dispose();
});
