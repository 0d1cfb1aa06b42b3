import { expect, test } from 'vitest';
import {
  CapacityExceededError,
  WorkerFailedError,
  thrownError,
} from '../../../../src/shared/util/errors.js';
import { failedBy, revivedError } from '../../../../src/render-main/util/page-errors.js';

/** As the page gets it. */
const received = (thrown: unknown): Error => revivedError(structuredClone(thrownError(thrown)));

class GameError extends Error {
  override readonly name = 'GameError';
}

test('an error from a worker keeps name, message, stack and cause, and the class of a standard error', () => {
  const thrown = new TypeError('no number', { cause: { key: 'speed' } });
  const error = received(thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: 'no number', cause: { key: 'speed' } });
  expect(error.stack).toBe(thrown.stack);
});

test('an error from a worker of a class of the application keeps its name', () => {
  const error = received(new GameError('no level'));
  expect([error.name, error.message]).toEqual(['GameError', 'no level']);
  expect(Object.keys(error)).toEqual([]);
});

test("an error from a worker of one of the library's classes is of that class", () => {
  expect(received(new CapacityExceededError('full'))).toBeInstanceOf(CapacityExceededError);
  expect(received(new GameError('full'))).not.toBeInstanceOf(CapacityExceededError);
});

test('an error from a worker that cannot be cloned keeps name, message and stack', () => {
  const thrown = new GameError('no level', { cause: () => {} });
  const error = received(thrown);
  expect([error.name, error.message, error.stack]).toEqual(['GameError', 'no level', thrown.stack]);
});

test.each(['plain text', 7, null, { code: 3 }])(
  '%j, thrown in a worker, is the cause of an error without a stack',
  (thrown) => {
    const error = received(thrown);
    expect(error).toMatchObject({ name: 'Error', message: String(thrown), stack: undefined });
    expect(error.cause).toEqual(thrown);
  },
);

const failureWith = (stack: string | undefined): WorkerFailedError =>
  failedBy(Object.assign(new Error('boom'), { stack }), 'tick', 'it threw: boom');

test("the stack of a failure is the worker's, after its own message", () => {
  const error = failureWith('Error: boom\n    at step (sim.ts:3:7)\n    at tick (loop.ts:1:1)');
  expect(error.stack).toBe(
    'WorkerFailedError: it threw: boom\n    at step (sim.ts:3:7)\n    at tick (loop.ts:1:1)',
  );
});

test("the stack of a failure is the worker's, in browsers whose stacks are only places", () => {
  expect(failureWith('step@sim.ts:3:7\n').stack).toBe('step@sim.ts:3:7\n');
});

test('the stack of a failure is its own, if the worker has none', () => {
  for (const error of [failureWith(undefined), new WorkerFailedError('it hangs', 'hang')]) {
    expect(error.workerStack).toBeUndefined();
    expect(error.stack).toContain('errors.test.ts');
  }
});
