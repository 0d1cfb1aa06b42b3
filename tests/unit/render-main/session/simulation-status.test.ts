import { beforeEach, expect, test, vi } from 'vitest';
import { bodyId } from '../../../../src/shared/memory/body-meta.js';
import { WorkerFailedError, type SimulationStatus } from '../../../../src/render-main/index.js';
import {
  StatusHandlers,
  type StatusHandler,
  ofLibrary,
} from '../../../../src/render-main/session/simulation-status.js';

const RECOVERED: SimulationStatus = { kind: 'recovered' };

let handlers: StatusHandlers;
const reportError = vi.fn<(error: unknown) => void>();

beforeEach(() => {
  handlers = new StatusHandlers();
  vi.stubGlobal('reportError', reportError.mockClear());
});

test('a handler that throws is reported, and the other handlers are still called', () => {
  const after = vi.fn<StatusHandler>();
  const error = new Error('of a handler');
  handlers.add(() => {
    throw error;
  });
  handlers.add(after);
  expect(() => handlers.emit(RECOVERED)).not.toThrow();
  expect(after.mock.calls).toEqual([[RECOVERED]]);
  expect(reportError.mock.calls).toEqual([[error]]);
});

const FAILED: SimulationStatus = {
  kind: 'failed',
  error: new WorkerFailedError('the simulation threw in tick 3: no luck', 'tick'),
};

test('a failure without a handler is thrown if there is no reportError', () => {
  vi.stubGlobal('reportError', undefined);
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
  handlers.emit(FAILED);
  expect(later).toHaveBeenCalledTimes(1);
  expect(() => later.mock.calls[0]?.[0]()).toThrow(FAILED.error);
});

test('each reason for a frozen display is on the console once, also with a handler', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const stalled: SimulationStatus = {
    kind: 'stalled',
    stalledMs: 800,
    error: new WorkerFailedError('the worker has been in one step for 0.8 s', 'hang'),
  };
  const invalid: SimulationStatus = {
    kind: 'invalid-pose',
    body: bodyId(7, 0),
    tag: { shape: 'ball' },
    tick: 3,
    policy: 'freeze',
  };
  for (const status of [stalled, invalid, RECOVERED, stalled, invalid]) handlers.emit(status);
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('in one step for 0.8 s')],
    [expect.stringMatching(/body 7 with the tag \{"shape":"ball"\} .* in tick 3/)],
  ]);
  handlers.emit({ ...invalid, body: bodyId(8, 0) });
  expect(warn).toHaveBeenCalledTimes(2);

  const handled = new StatusHandlers();
  handled.add(({ kind }) => expect(kind).not.toBe('slow'));
  const error = new WorkerFailedError('no luck', 'tick');
  for (const status of [invalid, { kind: 'failed', error } as const]) handled.emit(status);
  expect(warn.mock.calls.slice(2)).toEqual([
    [expect.stringContaining('body 7')],
    [expect.stringContaining('the simulation has failed: no luck.')],
  ]);
});

test('a recording that is full is on the console once if there is no handler', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (const tick of [7, 9]) handlers.emit({ kind: 'recording-full', tick, limitBytes: 4096 });
  const text = /the recording is full and ends at tick 7; the run continues without/;
  expect(warn.mock.calls).toEqual([[expect.stringMatching(text)]]);
});

test('a handler is called until it is removed, and adding it twice calls it twice', () => {
  const handler = vi.fn<StatusHandler>();
  const takeAway = handlers.add(handler);
  handlers.add(handler);
  handlers.emit(RECOVERED);
  expect(handler).toHaveBeenCalledTimes(2);
  takeAway();
  takeAway();
  handlers.emit(RECOVERED);
  expect(handler).toHaveBeenCalledTimes(3);
});

test('a handler may remove itself while it is called', () => {
  const after = vi.fn<StatusHandler>();
  const takeAway = handlers.add(() => takeAway());
  handlers.add(after);
  handlers.emit(RECOVERED);
  handlers.emit(RECOVERED);
  expect(after).toHaveBeenCalledTimes(2);
});

test("the library's own handlers do not hide a failure", () => {
  const own = vi.fn<StatusHandler>();
  const removeOwn = handlers.add(ofLibrary(own));
  handlers.emit(FAILED);
  expect(own).toHaveBeenCalledTimes(1);
  expect(reportError.mock.calls).toEqual([[FAILED.error]]);
  const remove = handlers.add(() => {});
  removeOwn();
  removeOwn();
  handlers.emit(FAILED);
  expect(reportError).toHaveBeenCalledTimes(1);
  remove();
  remove();
  handlers.emit(FAILED);
  expect(reportError).toHaveBeenCalledTimes(2);
});
