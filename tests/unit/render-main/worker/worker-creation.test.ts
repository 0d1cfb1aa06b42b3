import { expect, test, vi } from 'vitest';
import { NotIsolatedError, connect } from '../../../../src/render-main/index.js';
import {
  requireIsolation,
  bufferEvents,
} from '../../../../src/render-main/worker/worker-creation.js';
import { ControlClient, openPort } from '../../../../src/render-main/worker/control-client.js';
import { CONTROL_LENGTH } from '../../../../src/shared/memory/layout.js';
import { FakeWorker } from '../../../fixtures/fake-worker.js';

const COOP = 'Cross-Origin-Opener-Policy';
const COEP = 'Cross-Origin-Embedder-Policy';

type SentHeaders = Readonly<Record<string, string>>;

/**
 * Makes the globals those of a page that is not isolated.
 *
 * @param headers Of its response. Undefined: it cannot be requested.
 * @returns The requests that it makes.
 */
function openPage(headers?: SentHeaders, isSecureContext = true): string[] {
  const requests: string[] = [];
  vi.stubGlobal('crossOriginIsolated', false);
  vi.stubGlobal('isSecureContext', isSecureContext);
  vi.stubGlobal('location', { href: 'https://example.org/app/?seed=1#top' });
  vi.stubGlobal('fetch', async (address: string, { method }: { method: string }) => {
    requests.push(`${method} ${address}`);
    if (headers === undefined) throw new TypeError('Failed to fetch');
    return { headers: new Headers(headers) };
  });
  return requests;
}
const BOTH = `https://example.org/app/ lacks ${COOP}: same-origin and ${COEP}: require-corp`;

test.each<[string, SentHeaders | undefined, string | RegExp]>([
  ['which headers its response lacks', {}, `${BOTH}. Send`],
  ['what to send them with', {}, 'every page and worker script'],
  ['which header is missing', { [COOP]: 'same-origin' }, `/ lacks ${COEP}: require-corp. Send`],
  [
    'that a value is wrong',
    { [COOP]: 'same-origin-allow-popups', [COEP]: 'credentialless' },
    `/ lacks ${COOP}: same-origin. Send`,
  ],
  ...['require-corp', 'credentialless', 'require-corp; report-to="x"'].map(
    (policy): [string, SentHeaders, RegExp] => [
      `to look elsewhere when both are present, with ${policy}`,
      { [COOP]: 'same-origin', [COEP]: policy },
      /sent with both headers.*inside a frame/,
    ],
  ),
  ['both headers when its response cannot be requested', undefined, BOTH],
])('the error without shared memory says %s, from one request', async (_, headers, says) => {
  const requests = openPage(headers);
  const refused = requireIsolation();
  await expect(refused).rejects.toThrow(NotIsolatedError);
  await expect(refused).rejects.toThrow(says);
  expect(requests).toEqual(['HEAD https://example.org/app/?seed=1#top']);
});

test('the error on a page that may not share memory says to use https, before anything else', async () => {
  const requests = openPage({}, false);
  await expect(requireIsolation()).rejects.toThrow(/secure address.*https.*localhost/);
  expect(requests).toEqual([]);
});

test('connect rejects before a worker is made, if shared memory is requested', async () => {
  openPage({});
  const createWorker = vi.fn<() => never>();
  await expect(connect(createWorker, { transport: 'shared' })).rejects.toThrow(NotIsolatedError);
  expect(createWorker).not.toHaveBeenCalled();
});

test('a page that is isolated requests nothing', async () => {
  const requests = openPage({});
  vi.stubGlobal('crossOriginIsolated', true);
  await expect(requireIsolation()).resolves.toBeUndefined();
  expect(requests).toEqual([]);
});

test('Node threads share memory as they are', async () => {
  expect('crossOriginIsolated' in globalThis).toBe(false);
  await expect(requireIsolation()).resolves.toBeUndefined();
});

test('the failures of a worker are buffered in order, until another listens', () => {
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
  const client = new ControlClient({
    worker,
    port,
    control,
    events: { onFailure, onMessage: () => {} },
    bufferedEvents: takeEvents(),
  });
  await expect(client.call((remote) => remote.ready())).rejects.toThrow(says);
  expect(onFailure).toHaveBeenCalledTimes(1);
});
