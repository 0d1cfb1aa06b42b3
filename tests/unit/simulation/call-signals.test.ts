/** Calls whose callers no longer wait. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { CallOptions } from '../../../src/render-main/index.js';
import { STALL_MS, connectFaulty, outcomes, type FaultyToy } from '../../fixtures/faulty-toy.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const reason = new Error('no longer wanted');

type Make = (faulty: FaultyToy, options: CallOptions) => Promise<unknown>;
const CALLS: readonly Make[] = [
  ({ simulation }, options) => simulation.setTickRate(30, options),
  ({ simulation }, options) => simulation.pause(options),
  ({ simulation }, options) => simulation.save(options),
];
const ALL_STOPPED = CALLS.map(() => ({ reason }));

test('a signal ends the wait for a worker that hangs, and the calls run when it comes back', async () => {
  const { faulty, simulation } = await connectFaulty('transfer');
  await faulty.hang();
  const controller = new AbortController();
  const { signal } = controller;
  const calls = CALLS.map((make) => faulty.watch(make(faulty, { signal })));
  await faulty.pass(STALL_MS);
  expect(calls.map(({ settled }) => settled)).toEqual(CALLS.map(() => 0));
  controller.abort(reason);
  await faulty.pass(0);
  expect(outcomes(...calls)).toEqual(ALL_STOPPED);
  faulty.worker.release();
  await faulty.pass(500);
  expect(simulation.state).toBe('paused');
  const stepped = faulty.watch(simulation.step());
  await faulty.pass(300);
  expect(stepped).toMatchObject({ settled: 1 });
  expect(simulation.tickRateHz).toBe(30);
  expect(outcomes(...calls)).toEqual(ALL_STOPPED);
});

test('a call whose signal is aborted already is not made', async () => {
  const { faulty, simulation } = await connectFaulty('transfer');
  const options = { signal: AbortSignal.abort(reason) };
  const made = faulty.worker.calls.length;
  const calls = CALLS.map((make) => faulty.watch(make(faulty, options)));
  await faulty.pass(300);
  expect(outcomes(...calls)).toEqual(ALL_STOPPED);
  expect(faulty.worker.calls).toHaveLength(made);
  expect(simulation.state).toBe('running');
});

test('a call that was answered leaves no listener on its signal', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  const { signal } = new AbortController();
  const calls = [
    simulation.setTickRate(30, { signal }),
    simulation.resume({ signal }),
    simulation.save({ signal }),
  ];
  expect(getEventListeners(signal, 'abort')).toHaveLength(calls.length);
  await time.until(Promise.all(calls));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each<[unknown, RegExp]>([
  [{ signal: new AbortController() }, /^signal must be an AbortSignal/],
  [{ signals: 1 }, /^unknown option "signals" of a call: did you mean "signal"/],
  [{ timeoutMs: 500 }, /^unknown option "timeoutMs" of a call: it has signal$/],
  [null, /^the options of a call must be an object, but is null$/],
])('%o as the options of any call is refused', async (options, message) => {
  const { simulation } = await connectInVirtualTime();
  const given = options as CallOptions;
  // A call that returns a promise rejects, and never throws.
  for (const call of [
    simulation.pause(given),
    simulation.resume(given),
    simulation.step(1, given),
    simulation.setTickRate(30, given),
    simulation.setTimeScale(1, given),
    simulation.setMaxCatchUpTicks(3, given),
    simulation.save(given),
    simulation.seek(0, given),
    simulation.restore({ tick: 0, bytes: new Uint8Array() }, given),
    simulation.openReplay(simulation.recording(), given),
    simulation.replaceWorker(undefined, given),
  ]) {
    await expect(call).rejects.toThrow(message);
  }
  expect([simulation.state, simulation.stats().tickRateHz]).toEqual(['running', 60]);
});
