/** The page's reactions to time that passed unseen: after a pause, and when the worker reports a gap. */
import { expect, test } from 'vitest';
import { openDocument } from '../../fixtures/fake-document.js';
import { connectFaulty, type FaultyToy } from '../../fixtures/faulty-toy.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('the first frame after a pause is not compared with the last one before it', async () => {
  const page = openDocument();
  const { time, simulation } = await connectInVirtualTime();
  for (const stampMs of [1000, 1007, 1014]) simulation.sample(stampMs);
  page.show(false);
  page.show(true);
  // One turn after the page's own requests.
  await time.until(simulation.queries.echo(1));
  for (const stampMs of [61_014, 61_021, 61_028]) simulation.sample(stampMs);
  const { frames, frameMs } = simulation.stats();
  expect(frames).toBe(6);
  expect(frameMs.max).toBeCloseTo(7, 1);
});

const alignmentsOf = ({ worker }: FaultyToy): number =>
  worker.calls.filter((name) => name === 'setClockOffset').length;

test('clocks are aligned again by each resume, except at the start', async () => {
  const { faulty } = await connectFaulty('transfer', { startPaused: true });
  await faulty.time.until(faulty.simulation.resume());
  expect(alignmentsOf(faulty)).toBe(1);
  await faulty.time.until(faulty.simulation.pause());
  await faulty.time.until(faulty.simulation.resume());
  expect(alignmentsOf(faulty)).toBe(2);
});

test('a gap of the worker causes a new clock alignment', async () => {
  const { faulty } = await connectFaulty('transfer');
  await faulty.pass(100);
  expect(alignmentsOf(faulty)).toBe(1);
  faulty.time.spend(5000);
  await faulty.pass(300);
  expect(faulty.statuses).toEqual([{ kind: 'gap', gapMs: expect.closeTo(4900, -1) as number }]);
  expect(alignmentsOf(faulty)).toBe(2);
});
