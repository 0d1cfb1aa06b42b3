/** A worker that fails again before the page is notified that it runs. */
import { expect, test } from 'vitest';
import { WorkerFailedError, type SimulationStatus } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { failureOf } from '../../fixtures/stepped-toy.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('the recording does not contain dropped inputs', async () => {
  // This loop makes its first tick as soon as it begins: before the call that starts it is
  // answered.
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 50,
    recovery: 'restart',
    recording: { hashEveryTicks: 1 },
    stepper: { kind: 'frame-locked' },
  });
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  await time.advance(100);
  const { reason } = failureOf(simulation.commands.poison('bad luck'));
  expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  await time.advance(100);
  expect(statuses.at(-1)).toMatchObject({ kind: 'restarted', skippedInputs: 1 });
  await time.until(simulation.commands.push(1, 0.5));
  await time.until(simulation.pause());
  const recording = simulation.recording();
  expect(recording.entries.filter(({ kind }) => kind === 'command')).toMatchObject([
    { name: 'push' },
  ]);
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
});
