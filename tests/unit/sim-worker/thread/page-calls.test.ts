import { expose, type Endpoint } from 'comlink';
import { beforeEach, expect, test } from 'vitest';
import { withResolvers } from '../../../../src/render-main/util/promises.js';
import { PageCalls } from '../../../../src/sim-worker/thread/page-calls.js';
import { PagePort } from '../../../fixtures/page-port.js';

/** Something that is loaded when the test says so. */
function createPart() {
  const { promise, resolve, reject } = withResolvers<string>();
  return { load: () => promise, arrives: () => resolve('part'), fails: reject };
}

const nothingLeft = async (): Promise<void> => {
  for (let task = 0; task < 20; task++) await Promise.resolve();
};

const asked = withResolvers<string>();
let port: PagePort;
let calls: PageCalls;
let parts: Record<'seek' | 'save', ReturnType<typeof createPart>>;
let log: string[];
let mayRun: boolean;

beforeEach(() => {
  port = new PagePort();
  calls = new PageCalls(port as Endpoint, () => true);
  calls.askBefore(() => mayRun);
  parts = { seek: createPart(), save: createPart() };
  log = [];
  mayRun = true;
  const note = (name: string) => (): void => void log.push(name);
  const loadsFor = (name: keyof typeof parts) => () =>
    calls.loaded(parts[name].load, (part) => void log.push(`${name} by ${part}`));
  expose(
    {
      seek: loadsFor('seek'),
      save: loadsFor('save'),
      step: note('step'),
      pause: note('pause'),
      stop: note('stop'),
      addAssets: note('addAssets'),
      ask: () => asked.promise,
      seekForever: () => calls.loaded(parts.seek.load, () => new Promise(() => {})),
    },
    calls,
  );
});

const arrive = (...names: readonly string[]): void => names.forEach((name) => port.call(name));

test('calls that arrive while parts are loading wait for the calls that need them, in order', async () => {
  arrive('step');
  expect([log.splice(0), calls.isLoading]).toEqual([['step'], false]);
  arrive('seek', 'step', 'save', 'pause');
  await nothingLeft();
  expect([log, calls.begun, calls.isLoading]).toEqual([[], 1, true]);
  parts.seek.arrives();
  await nothingLeft();
  expect([log, calls.begun]).toEqual([['seek by part', 'step'], 3]);
  parts.save.arrives();
  await nothingLeft();
  expect(log).toEqual(['seek by part', 'step', 'save by part', 'pause']);
  expect([calls.begun, calls.isLoading]).toEqual([5, false]);
});

test('a stop and assets do not wait for a part that is loading', () => {
  arrive('seek', 'step', 'addAssets', 'stop');
  expect([log, calls.begun]).toEqual([['addAssets', 'stop'], 2]);
});

test('a call that takes long after its part was loaded delays no other call', async () => {
  arrive('seekForever', 'step');
  parts.seek.arrives();
  await nothingLeft();
  expect(log).toEqual(['step']);
});

test('a part that cannot be loaded rejects its call, and the other calls run', async () => {
  arrive('seek', 'pause');
  parts.seek.fails(new Error('offline'));
  await nothingLeft();
  expect(port.posted).toMatchObject([
    { id: 'seek', value: { isError: true, value: { message: 'offline' } } },
    { id: 'pause' },
  ]);
  expect(log).toEqual(['pause']);
});

test('no call runs if the loop has failed in the meantime, except a stop', async () => {
  arrive('seek', 'step');
  mayRun = false;
  parts.seek.arrives();
  await nothingLeft();
  arrive('pause', 'stop');
  await nothingLeft();
  expect([log, calls.begun]).toEqual([['stop'], 4]);
  expect(port.posted.map(({ id }) => id)).toEqual(['stop']);
});

test('the worker is busy until all calls have an answer, whatever that is', async () => {
  const found = [calls.isBusy];
  const note = async (): Promise<void> => {
    await nothingLeft();
    found.push(calls.isBusy);
  };
  arrive('seek', 'ask');
  await note();
  parts.seek.fails(new Error('no'));
  await note();
  asked.resolve('answer');
  await note();
  expect(found).toEqual([false, true, true, false]);
});
