import { expose, type Endpoint } from 'comlink';
import { beforeEach, expect, test } from 'vitest';
import { withResolvers } from '../../../../src/render-main/util/promises.js';
import type { WorkerControl } from '../../../../src/shared/protocol/control-protocol.js';
import { PageCalls } from '../../../../src/sim-worker/loop/control-server.js';
import { PagePort } from '../../../fixtures/page-port.js';

const nothingLeft = async (): Promise<void> => {
  for (let task = 0; task < 20; task++) await Promise.resolve();
};

let port: PagePort;
let calls: PageCalls;
let log: string[];
let mayRun: boolean;
let asked: ReturnType<typeof withResolvers<string>>;

beforeEach(() => {
  port = new PagePort();
  calls = new PageCalls(port as Endpoint);
  calls.askBefore(() => mayRun);
  log = [];
  mayRun = true;
  asked = withResolvers();
  const note = (name: string) => (): void => void log.push(name);
  const server = { step: note('step'), stop: note('stop'), ask: () => asked.promise };
  expose(calls.counted(server as unknown as WorkerControl), port as Endpoint);
});

test('after a failure of the loop, no call runs or is answered, except a stop', async () => {
  port.call('step');
  mayRun = false;
  port.call('step');
  port.call('stop');
  await nothingLeft();
  expect([log, calls.arrived]).toEqual([['step', 'stop'], 3]);
  expect(port.posted.map(({ id }) => id)).toEqual(log);
});

test('the worker is busy until all calls have an answer, which may be an error with its cause', async () => {
  const found = [calls.isBusy];
  const note = async (): Promise<void> => {
    await nothingLeft();
    found.push(calls.isBusy);
  };
  port.call('ask');
  port.call('step');
  await note();
  expect(port.posted.map(({ id }) => id)).toEqual(['step']);
  asked.reject(new RangeError('no'));
  await note();
  expect(found).toEqual([false, true, false]);
  expect(port.posted.at(-1)).toMatchObject({
    value: { value: { name: 'RangeError', cause: new RangeError('no') } },
  });
});
