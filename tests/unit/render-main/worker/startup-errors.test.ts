/** Errors that say why there is no worker, by the error of a browser and the answer of a server. */
import { expect, test, vi } from 'vitest';
import { WorkerFailedError, connect } from '../../../../src/render-main/index.js';
import {
  describeScript,
  failedToCreate,
  type FoundScript,
} from '../../../../src/render-main/worker/startup-errors.js';
import { createWorld, prepareWorld } from '../../../../src/world/page/create-world.js';

const refused = (address: string) =>
  new DOMException(
    `Failed to construct 'Worker': Script at '${address}' cannot be accessed from origin 'http://page'.`,
    'SecurityError',
  );
/** As a browser does it for a script of another origin. */
function Refused(): void {
  throw refused(THEIRS);
}
const THEIRS = 'http://other/sim.js';

test.each<[what: string, thrown: Error, text: string, globals?: object]>([
  ['is on another origin', refused(THEIRS), `(?=.*${THEIRS}).*that imports the script: import '`],
  ['is in a page without origin', refused(THEIRS), 'allow-same-origin.*local', { origin: 'null' }],
  ['has the address of a file', refused('file:///app/a.worker.js'), 'runWorld.*hosting.md#'],
  [
    'has no address',
    new TypeError("Failed to construct 'URL': Invalid URL"),
    'import.meta.url.*--format=esm',
  ],
  [
    'cannot be, because there are no workers',
    new ReferenceError('Worker is not defined'),
    "transport: 'local'.*runLocally",
    { Worker: undefined },
  ],
])('a worker that %s: the error says what to do', (_, thrown, text, globals) => {
  const page = { Worker: Object, origin: 'http://page', location: new URL('http://page/') };
  for (const [name, value] of Object.entries({ ...page, ...globals })) vi.stubGlobal(name, value);
  const error = failedToCreate(thrown);
  expect(error).toBeInstanceOf(WorkerFailedError);
  expect(error).toMatchObject({ stage: 'load', cause: thrown });
  expect((error as Error).message).toMatch(new RegExp(text));
  expect((error as Error).message).toContain(thrown.message);
});

test('an error of the function that creates the worker is passed on', async () => {
  vi.stubGlobal('Worker', Object);
  const denied = new DOMException("Failed to read 'localStorage': denied", 'SecurityError');
  for (const thrown of [new RangeError('no level'), new TypeError('no URL'), denied, 'nothing']) {
    const connecting = connect(() => {
      throw thrown;
    });
    await expect(connecting).rejects.toBe(thrown);
  }
});

test.each([
  ['there are no workers', undefined, "transport: 'local'"],
  ['workers are refused', Refused, 'another origin'],
])('where %s, a world says so, and preparing one says nothing', async (_, Worker, text) => {
  vi.stubGlobal('Worker', Worker);
  vi.stubGlobal('location', new URL('http://page/'));
  prepareWorld({});
  const world = createWorld();
  await expect(world.ready).rejects.toThrow(text);
  await world.dispose();
});

const address = 'http://page/sim.js';
const answered = (status: number, type = ''): FoundScript => ({
  address,
  answer: new Response('', { status, headers: { 'content-type': type } }),
});
const JAVASCRIPT = 'text/javascript; charset=utf-8';

test.each<[string, FoundScript, string]>([
  ['of which nothing is known', {}, 'check its address, its syntax.*require-corp'],
  ['that is missing', answered(404), `${address}.* 404.*inside of new Worker.*hosting.md#`],
  [
    'of the library, that is missing',
    { ...answered(404), isOwn: true },
    `${address}.* 404.*script of betwixt.*betwixt\\(\\).*runWorld.*createWorker.*hosting.md#`,
  ],
  ['that the server refuses', answered(403), `${address}.* 403.*server.fs.allow`],
  [
    'in whose place there is HTML',
    answered(200, 'text/html; charset=utf-8'),
    `${address}.*a page, as for addresses that it does not know.*inside of new Worker`,
  ],
  ['that is sent as text', answered(200, 'text/plain'), 'as text/javascript'],
  [
    'that the policy forbids',
    { ...answered(200, JAVASCRIPT), forbiddenBy: 'worker-src' },
    `policy of this page forbids.*${address}.*worker-src`,
  ],
  ['that cannot be fetched', { address }, `${address}.*connection`],
  [
    'without the header of an isolated page',
    { ...answered(200, JAVASCRIPT), isIsolated: true },
    'Cross-Origin-Embedder-Policy: require-corp',
  ],
  ['that is there', answered(200, JAVASCRIPT), `${address}\\) is there.*syntax.*imports`],
])('a script %s: the text names cause and cure', (_, found, text) => {
  expect(describeScript(found)).toMatch(new RegExp(text));
});
