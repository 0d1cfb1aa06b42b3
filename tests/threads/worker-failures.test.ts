/** Workers that cannot start: what the page reports of a real thread. */
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { WorkerFailedError, connect, fromNodeWorker } from '../../src/render-main/index.js';
import { PATIENT, startThread } from '../fixtures/threads.js';

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
