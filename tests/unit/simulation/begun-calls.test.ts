/** Calls that are cancelled: before the worker has begun them, and after. */
import { describe, expect, test, vi } from 'vitest';
import {
  CallLimit,
  isNotWaitedFor,
  type Withdraw,
} from '../../../src/render-main/queues/call-limits.js';
import { ControlClient, openPort } from '../../../src/render-main/worker/control-client.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { beginCall } from '../../../src/shared/memory/call-guard.js';
import { CONTROL_LENGTH } from '../../../src/shared/memory/layout.js';
import { FakeWorker } from '../../fixtures/fake-worker.js';
import { takeTurn } from '../../fixtures/scripted-host.js';

const REASON = new Error('no longer wanted');

describe.each(['shared', 'apart'] as const)('where memory is %s', (memory) => {
  function asked(endBegun?: Withdraw) {
    const bytes = 4 * CONTROL_LENGTH;
    const buffer = memory === 'shared' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
    const worker = new FakeWorker();
    const control = new Int32Array(buffer);
    const client = new ControlClient(worker, openPort(worker), control, {
      onFailure: () => {},
      onMessage: () => {},
    });
    const onWithdrawn = vi.fn<(reason: unknown) => void>();
    const limit = new CallLimit(onWithdrawn);
    const answer = client.call((remote) => remote.save(), limit, endBegun);
    return { worker, limit, onWithdrawn, answer };
  }

  async function begun(endBegun?: Withdraw) {
    const made = asked(endBegun);
    const { worker } = made;
    if (memory === 'shared') {
      const [posted] = worker.posted as { argumentList: { value: unknown }[] }[];
      beginCall(posted?.argumentList[0]?.value as Int32Array);
    } else {
      worker.answer('ready', undefined);
      await takeTurn();
    }
    return made;
  }

  const name = memory === 'shared' ? 'guarded' : 'save';

  test('a call that has not begun is settled immediately', async () => {
    const { limit, onWithdrawn, answer } = asked();
    limit.end(REASON);
    expect(onWithdrawn.mock.calls).toEqual([[REASON]]);
    // Calls queued behind it need not wait for a worker that hangs.
    expect(await answer).toBeUndefined();
  });

  test('a call that has begun is waited for', async () => {
    const { worker, limit, onWithdrawn, answer } = await begun();
    limit.end(REASON);
    await takeTurn();
    expect(onWithdrawn).not.toHaveBeenCalled();
    worker.answer(name, 'done');
    expect(await answer).toBe('done');
  });

  test('a call that has begun and changes nothing is not waited for', async () => {
    const { limit, onWithdrawn, answer } = await begun(isNotWaitedFor);
    limit.end(REASON);
    expect(onWithdrawn.mock.calls).toEqual([[REASON]]);
    expect(await answer).toBeUndefined();
  });

  test.each([true, false])(
    'a call that can be cancelled reports whether it was: %s',
    async (isEnded) => {
      const { promise, resolve } = withResolvers<boolean>();
      const { worker, limit, onWithdrawn, answer } = await begun(() => promise);
      limit.end(REASON);
      await takeTurn();
      expect(onWithdrawn).not.toHaveBeenCalled();
      resolve(isEnded);
      await takeTurn();
      expect(onWithdrawn.mock.calls).toEqual(isEnded ? [[REASON]] : []);
      worker.answer(name, 'done');
      expect(await answer).toBe('done');
    },
  );
});
