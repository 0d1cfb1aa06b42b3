import { assert, double, property } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  gamepadSource,
  type GamepadSourceOptions,
} from '../../../../src/render-main/inputs/gamepad-source.js';
import { fakeEvent, FakeSink, openPage, setClock, type FakeWindow } from './fakes.js';

let page: FakeWindow;
let sink: FakeSink;
let pads: unknown[];

beforeEach(() => {
  page = openPage();
  sink = new FakeSink();
  pads = [];
  vi.stubGlobal('navigator', { getGamepads: () => pads });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
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

const axisAt = (value: number, options?: GamepadSourceOptions): number => {
  const source = gamepadSource(sink, options);
  sink.pushed.length = 0;
  pads = [pad([], [value])];
  source.poll(100);
  source.dispose();
  return sink.pushed[0]?.x ?? 0;
};

const zeros = (atMs: number) => [
  ['button', 0, 1, 0, atMs],
  ['axis', 0, 0, 0, atMs],
];

/** Polls a gamepad with button 1 and axis 0 held. */
function openHeld() {
  const source = gamepadSource(sink);
  pads = [pad([0, 1], [1])];
  source.poll(100);
  sink.pushed.length = 0;
  return source;
}

const build = (options: unknown) => () => gamepadSource(sink, options as GamepadSourceOptions);

describe('gamepads', () => {
  test('are pushed when they change', () => {
    const source = gamepadSource(sink);
    pads = [null, pad([0, 1], [0, -1], { index: 1 })];
    source.poll(100);
    expect(taken()).toEqual([
      ['button', 1, 1, 1, 100],
      ['axis', 1, 1, -1, 100],
    ]);
    source.poll(110);
    expect(taken()).toEqual([]);
    pads = [null, pad([0.5, 0], [0, -1], { index: 1 })];
    source.poll(120);
    expect(taken()).toEqual([
      ['button', 1, 0, 0.5, 120],
      ['button', 1, 1, 0, 120],
    ]);
  });

  test('are distinguished', () => {
    const source = gamepadSource(sink);
    pads = [pad([1], [1]), pad([1], [1], { index: 1 })];
    source.poll(100);
    expect(taken().map(([kind, device]) => [kind, device])).toEqual([
      ['button', 0],
      ['axis', 0],
      ['button', 1],
      ['axis', 1],
    ]);
  });

  test('may be missing from the browser, or invalid', () => {
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
});

describe('stamps', () => {
  test("are the gamepad's own if they are between the last poll and now", () => {
    const source = gamepadSource(sink);
    setClock(1000);
    pads = [pad([0.1], [], { timestamp: 990 })];
    source.poll(1001);
    // Nothing is known about the time before the first poll; a timestamp in the future is invalid
    // too.
    expect(taken()).toEqual([['button', 0, 0, 0.1, 1000]]);
    setClock(1010);
    pads = [pad([0.2], [], { timestamp: 1004 })];
    source.poll(1009);
    expect(taken()).toEqual([['button', 0, 0, 0.2, 1004]]);
    setClock(1020);
    pads = [pad([0.3], [], { timestamp: 1004 })];
    source.poll(1018);
    pads = [pad([0.4], [], { timestamp: 1021 })];
    source.poll(1019);
    expect(taken()).toEqual([
      ['button', 0, 0, 0.3, 1018],
      ['button', 0, 0, 0.4, 1019],
    ]);
  });
});

describe('the dead zone', () => {
  test('is a tenth by default, and the rest is stretched', () => {
    expect([0.1, -0.1, 0.05].map((value) => axisAt(value))).toEqual([0, 0, 0]);
    expect(axisAt(0.55)).toBeCloseTo(0.5, 12);
    expect(axisAt(-0.55)).toBeCloseTo(-0.5, 12);
    expect(axisAt(1)).toBe(1);
  });

  test('can be changed or disabled', () => {
    expect(axisAt(0.01, { deadZone: 0 })).toBe(0.01);
    expect(axisAt(0.75, { deadZone: 0.5 })).toBe(0.5);
  });

  test('keeps the order, the ends and the range of values', () => {
    const value = double({ min: -1, max: 1, noNaN: true });
    const deadZone = double({ min: 0, max: 0.9, noNaN: true });
    assert(
      property(value, value, deadZone, (a, b, zone) => {
        const [low, high] = [
          axisAt(Math.min(a, b), { deadZone: zone }),
          axisAt(Math.max(a, b), { deadZone: zone }),
        ];
        expect(low).toBeLessThanOrEqual(high);
        expect(Math.max(Math.abs(low), Math.abs(high))).toBeLessThanOrEqual(1);
        expect(Math.abs(axisAt(a, { deadZone: zone }))).toBeLessThanOrEqual(Math.abs(a));
      }),
    );
  });
});

describe('a held button or axis', () => {
  test.each([
    ['has gone', () => []],
    ['has left its place', () => [null, null]],
    ['reports that it is not connected', () => [pad([0, 1], [1], { connected: false })]],
    ['gave its place to a smaller one', () => [pad([0], [])]],
  ])('is 0 once the gamepad %s', (_, next) => {
    const source = openHeld();
    pads = next();
    source.poll(110);
    source.poll(120);
    expect(taken()).toEqual(zeros(110));
  });

  test.each([
    [
      'focus',
      (isThere: boolean) =>
        void page.dispatchEvent(fakeEvent(isThere ? 'focus' : 'blur', { timeStamp: 105 })),
    ],
    ['page', (isThere: boolean) => page.show(isThere, 105)],
  ])('is 0 while the %s is lost, once, and sent again afterwards', (_, change) => {
    const source = openHeld();
    change(false);
    expect(taken()).toEqual(zeros(105));
    source.poll(110);
    change(false);
    expect(taken()).toEqual([]);
    change(true);
    source.poll(120);
    expect(taken()).toEqual([
      ['button', 0, 1, 1, 120],
      ['axis', 0, 0, 1, 120],
    ]);
  });

  test('stays 0 on a page that is shown without the focus', () => {
    const source = openHeld();
    page.show(false);
    page.document.isFocused = false;
    page.show(true);
    sink.pushed.length = 0;
    source.poll(920);
    expect(taken()).toEqual([]);
    page.dispatchEvent(fakeEvent('focus'));
    source.poll(930);
    expect(taken()).toHaveLength(2);
  });

  test('is sent at the next poll if it was refused, with its newest value', () => {
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

  test('is released by flush if its release was refused', () => {
    const source = openHeld();
    sink.room = 1;
    page.dispatchEvent(fakeEvent('blur', { timeStamp: 105 }));
    expect(source.flush()).toBe(false);
    sink.room = Infinity;
    expect(source.flush()).toBe(true);
    expect(taken()).toEqual(zeros(105));
  });

  test('is released by release and by dispose, after which polls read nothing', () => {
    const source = openHeld();
    source.release();
    expect(taken()).toEqual(zeros(1000));
    source.poll(1000);
    expect(taken()).toHaveLength(2);
    source.dispose();
    expect(taken()).toEqual(zeros(1000));
    source.poll(1000);
    page.dispatchEvent(fakeEvent('blur'));
    expect(taken()).toEqual([]);
    expect(page.listeners + page.document.listeners).toBe(0);
  });
});

describe('wrong arguments', () => {
  test.each([
    [null, TypeError, /options/],
    [{ deadzone: 0 }, TypeError, /unknown option "deadzone" .* "deadZone"/],
    [{ deadZone: '0' }, TypeError, /deadZone/],
    [{ deadZone: 1 }, RangeError, /deadZone/],
    [{ deadZone: NaN }, RangeError, /deadZone/],
  ])('%j', (options, error, message) => {
    expect(build(options)).toThrow(error);
    expect(build(options)).toThrow(message);
  });

  test('a sink, a window and a timestamp are needed', () => {
    expect(() => gamepadSource({} as FakeSink)).toThrow(/sink/);
    expect(() => gamepadSource(sink).poll(NaN)).toThrow(/frameMs/);
    vi.unstubAllGlobals();
    expect(build({})).toThrow(/window/);
  });
});
