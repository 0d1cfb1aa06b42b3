import { afterEach, expect, test, vi } from 'vitest';
import {
  StatusHandlers,
  type SimulationStatus,
  type StatusHandler,
} from '../../src/render-main/simulation-status.js';

const RECOVERED: SimulationStatus = { kind: 'recovered' };

afterEach(() => {
  vi.unstubAllGlobals();
});

test('every handler is told, in the order in which they came', () => {
  const handlers = new StatusHandlers();
  const told: string[] = [];
  handlers.add(({ kind }) => told.push(`first ${kind}`));
  handlers.add(({ kind }) => told.push(`second ${kind}`));
  handlers.tell(RECOVERED);
  handlers.tell({ kind: 'gap', gapMs: 300 });
  expect(told).toEqual(['first recovered', 'second recovered', 'first gap', 'second gap']);
});

test('a handler that throws is reported, and keeps nothing from the others', () => {
  const reportError = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', reportError);
  const handlers = new StatusHandlers();
  const after = vi.fn<StatusHandler>();
  const error = new Error('of a handler');
  handlers.add(() => {
    throw error;
  });
  handlers.add(after);
  expect(() => handlers.tell(RECOVERED)).not.toThrow();
  expect(after.mock.calls).toEqual([[RECOVERED]]);
  expect(reportError.mock.calls).toEqual([[error]]);
});

test('a handler that throws stops nobody where nothing can be reported either', () => {
  vi.stubGlobal('reportError', undefined);
  const handlers = new StatusHandlers();
  const after = vi.fn<StatusHandler>();
  handlers.add(() => {
    throw new Error('of a handler');
  });
  handlers.add(after);
  handlers.tell(RECOVERED);
  expect(after).toHaveBeenCalledTimes(1);
});

test('a handler is told until it is taken away, and each addition is one', () => {
  const handlers = new StatusHandlers();
  const handler = vi.fn<StatusHandler>();
  const takeAway = handlers.add(handler);
  handlers.add(handler);
  handlers.tell(RECOVERED);
  expect(handler).toHaveBeenCalledTimes(2);
  takeAway();
  takeAway();
  handlers.tell(RECOVERED);
  expect(handler).toHaveBeenCalledTimes(3);
});

test('a handler may take itself away while it is told', () => {
  const handlers = new StatusHandlers();
  const after = vi.fn<StatusHandler>();
  const takeAway = handlers.add(() => takeAway());
  handlers.add(after);
  handlers.tell(RECOVERED);
  handlers.tell(RECOVERED);
  expect(after).toHaveBeenCalledTimes(2);
});

test('a handler must be a function', () => {
  const handlers = new StatusHandlers();
  expect(() => handlers.add('told' as unknown as StatusHandler)).toThrow(TypeError);
});
