import { expect, test, vi } from 'vitest';
import { ControlClient } from '../../src/render-main/control-client.js';
import { EarlyEvents } from '../../src/render-main/early-events.js';
import { CONTROL_LENGTH } from '../../src/shared/layout.js';
import { FakeWorker } from '../fixtures/fake-worker.js';

test('keeps what comes in order, and listens no more once it is taken', () => {
  const worker = new FakeWorker();
  const early = new EarlyEvents(worker);
  worker.emit('message', { data: 1 });
  worker.emit('error', { message: 'no luck' });
  worker.emit('message', { data: 2 });
  const heard = early.take();
  expect(heard.map(({ type }) => type)).toEqual(['message', 'error', 'message']);
  expect(heard.map((event) => (event as MessageEvent).data as unknown)).toEqual([1, undefined, 2]);
  // The browser would report it as well.
  expect(heard[1]?.defaultPrevented).toBe(true);
  expect(worker.listenerCount).toBe(0);
  worker.emit('message', { data: 3 });
  expect(early.take()).toEqual([]);
});

test.each([
  ['error', { message: 'no luck' }, /script failed: no luck/],
  ['exit', {}, /ended by itself/],
  ['messageerror', {}, /could not be read/],
  [
    'message',
    { data: { type: 'betwixt:failure', tick: 3, message: 'bad luck' } },
    /in tick 3: bad luck/,
  ],
])(
  'a failure that came before the client does not stay unheard: %s',
  async (type, fields, says) => {
    const worker = new FakeWorker();
    const early = new EarlyEvents(worker);
    worker.emit(type, fields);
    const onFailure = vi.fn<(error: Error) => void>();
    const control = new Int32Array(CONTROL_LENGTH);
    const client = new ControlClient(worker, control, { onFailure }, early.take());
    expect(onFailure).toHaveBeenCalledTimes(1);
    await expect(client.call((remote) => remote.start())).rejects.toThrow(says);
  },
);
