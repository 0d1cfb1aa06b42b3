/** Workers that cannot start, or throw in a tick: what the page reports of a real thread. */
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { WorkerFailedError, connect, fromNodeWorker } from '../../src/render-main/index.js';
import { PATIENT, connectToyForTest, startThread } from '../fixtures/threads.js';

const failureOf = async (promise: Promise<unknown>): Promise<WorkerFailedError> => {
  const reason: unknown = await promise.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(WorkerFailedError);
  return reason as WorkerFailedError;
};

test.each<[string, () => Worker, RegExp, string]>([
  [
    'whose script throws',
    () => startThread('throwing'),
    /worker script failed: thrown at the top level/,
    'throwing.worker',
  ],
  [
    'whose script throws what is no error',
    () => startThread('throwing', { thrown: 'plain text' }),
    /^the worker script failed: plain text$/,
    '',
  ],
  [
    'whose file is missing',
    () => startThread('missing'),
    /worker script failed: .*missing\.worker\.js/,
    '',
  ],
])('a worker %s rejects connect by name, and is ended', async (_, start, message, where) => {
  const exits: Promise<unknown>[] = [];
  const failure = await failureOf(
    connect(() => {
      const thread = start();
      exits.push(new Promise((resolve) => thread.once('exit', resolve)));
      return fromNodeWorker(thread);
    }, PATIENT),
  );
  await Promise.all(exits);
  expect(failure.stage).toBe('load');
  expect(failure.message).toMatch(message);
  expect(String(failure.workerStack)).toContain(where);
});

test('a worker that throws in a tick rejects all pending and later calls with one error', async () => {
  const simulation = await connectToyForTest();
  const failures: unknown[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'failed') failures.push(status.error);
  });
  const failure = failureOf(simulation.queries.never());
  const { tick } = simulation.stats();
  // The failure may overtake its answer: they come through different ports.
  await simulation.queries.failInNextTick('out of bounds').catch(() => {});

  const error = await failure;
  expect(error.stage).toBe('tick');
  expect(error.message).toMatch(/^the simulation threw in tick \d+: out of bounds$/);
  const failedTick = Number(/\d+/.exec(error.message)?.[0]);
  expect(failedTick).toBeGreaterThan(tick);
  expect(error.workerStack).toContain('toy-simulation');
  // The last tick that ran is the one before, and it is still drawn.
  expect(simulation.stats()).toMatchObject({ state: 'failed', tick: failedTick - 1 });
  expect(simulation.sample(performance.now()).hasState).toBe(true);
  expect(failures).toEqual([error]);
  expect(await failureOf(simulation.pause())).toBe(error);
  expect(await failureOf(simulation.queries.echo(1))).toBe(error);
});
