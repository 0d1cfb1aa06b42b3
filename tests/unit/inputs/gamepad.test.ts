import { beforeEach, expect, test, vi } from 'vitest';
import { gamepadSource, type GamepadSourceOptions } from '../../../src/inputs/gamepad-source.js';
import { fakeEvent } from '../../fixtures/fake-document.js';
import { FakeSink, openPage, setClock, type FakeWindow } from './fakes.js';

let page: FakeWindow;
let sink: FakeSink;
let pads: unknown[];

beforeEach(() => {
  page = openPage();
  sink = new FakeSink();
  pads = [];
  vi.stubGlobal('navigator', { getGamepads: () => pads });
});

function pad(buttons: readonly number[], axes: readonly number[], more: object = {}): object {
  const values = { buttons: buttons.map((value) => ({ value })), axes };
  return { index: 0, connected: true, timestamp: 0, ...values, ...more };
}

/** The inputs pushed since the last call: kind, device, code, value, timestamp. */
function taken(): unknown[][] {
  return sink.pushed
    .splice(0)
    .map(({ kind, device, code, x, stampMs }) => [kind.slice(7), device, code, x, stampMs]);
}

/** Button 1 and axis 0 at a value. */
const both = (value: number, atMs: number) => [
  ['button', 0, 1, value, atMs],
  ['axis', 0, 0, value, atMs],
];

/** Polls a gamepad with button 1 and axis 0 held. */
function openHeld() {
  const source = gamepadSource(sink);
  pads = [pad([0, 1], [1])];
  source.poll(100);
  sink.pushed.length = 0;
  return source;
}

test('the controls of each gamepad are pushed when they change', () => {
  const source = gamepadSource(sink);
  pads = [null, pad([0, 1], [0, -1], { index: 1 }), pad([], [1], { index: 2 })];
  source.poll(100);
  expect(taken()).toEqual([
    ['button', 1, 1, 1, 100],
    ['axis', 1, 1, -1, 100],
    ['axis', 2, 0, 1, 100],
  ]);
  source.poll(110);
  expect(taken()).toEqual([]);
  pads = [null, pad([0.5, 0], [0, -1], { index: 1 }), pads[2]];
  source.poll(120);
  expect(taken()).toEqual([
    ['button', 1, 0, 0.5, 120],
    ['button', 1, 1, 0, 120],
  ]);
});

test('a browser may have no gamepads, and a gamepad invalid values', () => {
  const source = gamepadSource(sink);
  vi.stubGlobal('navigator', {});
  source.poll(100);
  vi.stubGlobal('navigator', { getGamepads: () => pads });
  pads = [pad([NaN, 7], [-7, NaN])];
  source.poll(110);
  expect(taken()).toEqual([
    ['button', 0, 1, 1, 110],
    ['axis', 0, 0, -1, 110],
  ]);
});

test("the timestamp of a change is the gamepad's if it is between the last poll and now", () => {
  const source = gamepadSource(sink);
  const polled = (nowMs: number, frameMs: number, timestamp: number, value: number): unknown => {
    setClock(nowMs);
    pads = [pad([value], [], { timestamp })];
    source.poll(frameMs);
    return taken()[0]?.[4];
  };
  // Nothing is known about the time before the first poll; a frame's stamp in the future is invalid, too.
  expect(polled(1000, 1001, 990, 0.1)).toBe(1000);
  expect(polled(1010, 1009, 1004, 0.2)).toBe(1004);
  expect(polled(1020, 1018, 1004, 0.3)).toBe(1018);
  expect(polled(1020, 1019, 1021, 0.4)).toBe(1019);
});

const axisAt = (value: number, options?: GamepadSourceOptions): number => {
  const source = gamepadSource(sink, options);
  sink.pushed.length = 0;
  pads = [pad([], [value])];
  source.poll(100);
  source.dispose();
  return sink.pushed[0]?.x ?? 0;
};

test('the dead zone is a tenth unless it is changed, and the rest is stretched', () => {
  expect([0.1, -0.1, 0.05].map((value) => axisAt(value))).toEqual([0, 0, 0]);
  expect(axisAt(0.55)).toBeCloseTo(0.5, 12);
  expect(axisAt(-0.55)).toBeCloseTo(-0.5, 12);
  expect(axisAt(1)).toBe(1);
  expect(axisAt(0.01, { deadZone: 0 })).toBe(0.01);
  expect(axisAt(0.75, { deadZone: 0.5 })).toBe(0.5);
});

test.each([
  ['has gone', () => []],
  ['has left its place', () => [null, null]],
  ['reports that it is not connected', () => [pad([0, 1], [1], { connected: false })]],
  ['gave its place to a smaller one', () => [pad([0], [])]],
])('a held button or axis is 0 once the gamepad %s', (_, next) => {
  const source = openHeld();
  pads = next();
  source.poll(110);
  source.poll(120);
  expect(taken()).toEqual(both(0, 110));
});

const setFocus = (isThere: boolean): void => {
  page.dispatchEvent(fakeEvent(isThere ? 'focus' : 'blur', { timeStamp: 105 }));
};

test.each([
  ['focus', setFocus],
  ['page', (isThere: boolean) => page.document.show(isThere, 105)],
])('a held button or axis is 0 while the %s is lost, and sent again afterwards', (_, change) => {
  const source = openHeld();
  change(false);
  expect(taken()).toEqual(both(0, 105));
  source.poll(110);
  change(false);
  expect(taken()).toEqual([]);
  change(true);
  source.poll(120);
  expect(taken()).toEqual(both(1, 120));
});

test('a held button or axis stays 0 on a page that is shown without the focus', () => {
  const source = openHeld();
  page.document.show(false);
  page.document.isFocused = false;
  page.document.show(true);
  sink.pushed.length = 0;
  source.poll(920);
  expect(taken()).toEqual([]);
  setFocus(true);
  source.poll(930);
  expect(taken()).toHaveLength(2);
});

test('a control that was refused is sent at the next poll, with its newest value', () => {
  const source = gamepadSource(sink);
  sink.room = 0;
  pads = [pad([0.25], [])];
  source.poll(100);
  pads = [pad([0.75], [])];
  source.poll(110);
  sink.room = Infinity;
  source.poll(120);
  source.poll(130);
  expect(taken()).toEqual([['button', 0, 0, 0.75, 110]]);
});

test('a held control is released on demand and when the source is disposed, after which nothing is read', () => {
  const source = openHeld();
  source.release();
  expect(taken()).toEqual(both(0, 1000));
  source.poll(1000);
  expect(taken()).toHaveLength(2);
  source.dispose();
  expect(taken()).toEqual(both(0, 1000));
  source.poll(1000);
  setFocus(false);
  expect(taken()).toEqual([]);
  expect(page.listeners + page.document.listeners).toBe(0);
});
