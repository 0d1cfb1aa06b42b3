import { expect, test, vi } from 'vitest';
import { ControlClient, openPort } from '../../../../src/render-main/worker/control-client.js';
import { bufferEvents } from '../../../../src/render-main/worker/transport.js';
import { CONTROL_LENGTH } from '../../../../src/shared/memory/layout.js';
import { FakeWorker } from '../../../fixtures/fake-worker.js';

test('keeps messages in order, and stops listening once it is taken over', () => {
  const worker = new FakeWorker();
  const takeEvents = bufferEvents(worker);
  worker.emit('message', { data: 'the application may say something, too' });
  worker.emit('error', { message: 'no luck' });
  worker.emit('exit', {});
  const events = takeEvents();
  expect(events.map(({ type }) => type)).toEqual(['error', 'exit']);
  // The browser shows it, with its place in the source.
  expect(events[0]?.defaultPrevented).toBe(false);
  expect(worker.listeners).toBe(0);
  worker.emit('error', { message: 'again' });
  expect(takeEvents()).toEqual([]);
});

test.each([
  ['error', { message: 'no luck' }, /script failed: no luck/],
  ['exit', {}, /ended by itself/],
])('a failure before the client exists is still reported: %s', async (type, fields, says) => {
  const worker = new FakeWorker();
  const takeEvents = bufferEvents(worker);
  worker.emit(type, fields);
  const onFailure = vi.fn<(error: Error) => void>();
  const control = new Int32Array(CONTROL_LENGTH);
  const port = openPort(worker);
  const client = new ControlClient(
    worker,
    port,
    control,
    { onFailure, onMessage: () => {} },
    takeEvents(),
  );
  await expect(client.call((remote) => remote.start())).rejects.toThrow(says);
  expect(onFailure).toHaveBeenCalledTimes(1);
});
