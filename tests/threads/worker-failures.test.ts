/** Workers that cannot start: what the page reports of a real thread. */
import { expect, test } from 'vitest';
import { WorkerFailedError, connect, fromNodeWorker } from '../../src/render-main/index.js';
import { PATIENT, startThread } from '../fixtures/threads.js';

test.each([
  [
    'whose script throws',
    'throwing',
    {},
    /worker script failed: thrown at the top level/,
    'throwing.worker',
  ],
  [
    'whose script throws what is no error',
    'throwing',
    { thrown: 'plain text' },
    /^the worker script failed: plain text$/,
    '',
  ],
  ['whose file is missing', 'missing', {}, /worker script failed: .*missing\.worker\.js/, ''],
])('a worker %s rejects connect by name, and is ended', async (_, file, data, message, where) => {
  const exits: Promise<unknown>[] = [];
  const connecting = connect(() => {
    const thread = startThread(file, data);
    exits.push(new Promise((resolve) => thread.once('exit', resolve)));
    return fromNodeWorker(thread);
  }, PATIENT);
  const failure: unknown = await connecting.catch((error: unknown) => error);
  await Promise.all(exits);
  expect(failure).toBeInstanceOf(WorkerFailedError);
  const { stage, message: said, workerStack } = failure as WorkerFailedError;
  expect(stage).toBe('load');
  expect(said).toMatch(message);
  expect(String(workerStack)).toContain(where);
});
