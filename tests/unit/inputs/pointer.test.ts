import { beforeEach, expect, test, vi } from 'vitest';
import { pointerSource, type PointerSourceOptions } from '../../../src/inputs/pointer-source.js';
import type { InputSource } from '../../../src/inputs/input-source.js';
import { fakeEvent } from '../../fixtures/fake-document.js';
import { FakeCanvas, FakeSink, openPage, setClock, type FakeWindow } from './fakes.js';

let page: FakeWindow;
let canvas: FakeCanvas;
let sink: FakeSink;

beforeEach(() => {
  page = openPage();
  canvas = new FakeCanvas(page);
  sink = new FakeSink();
});

function open(options: Partial<PointerSourceOptions> = {}): InputSource {
  return pointerSource(sink, { target: canvas as unknown as HTMLElement, ...options });
}

/** In the middle of the canvas, with nothing pressed. */
const POINTER = { pointerId: 7, button: -1, buttons: 0, pressure: 0, clientX: 110, clientY: 70 };
const WHEEL = { deltaMode: 0, deltaX: 0, deltaY: 0, deltaZ: 0 };

const send = (type: string, properties: object = {}): Event =>
  page.send(canvas, type, { ...POINTER, ...(type === 'wheel' && WHEEL), ...properties });

const LEFT = { button: 0, buttons: 1, pressure: 0.5 };

test('pointers are pushed with position, pressure, buttons, button and device', () => {
  open();
  send('pointerdown', { ...LEFT, clientX: 10, clientY: 20 });
  send('pointermove', { buttons: 1, pressure: 0.25, clientX: 160, clientY: 95 });
  send('pointerup', { button: 0, clientX: 210, clientY: 120 });
  expect(sink.pushed).toEqual([
    { kind: 'pointerdown', code: 0, device: 7, x: -1, y: 1, z: 0.5, w: 1, stampMs: 10 },
    { kind: 'pointermove', code: -1, device: 7, x: 0.5, y: -0.5, z: 0.25, w: 1, stampMs: 20 },
    { kind: 'pointerup', code: 0, device: 7, x: 1, y: -1, z: 0, w: 0, stampMs: 30 },
  ]);
});

test.each<[what: string, Partial<PointerSourceOptions>, properties: object, pushed: object]>([
  ['has an id of 32 bits', {}, { ...LEFT, pointerId: 2 ** 32 + 5 }, { device: 5 }],
  [
    "can be positioned in the application's coordinates",
    { coordinates: ({ clientX, clientY }) => ({ x: clientX, y: clientY * 2 }) },
    LEFT,
    { x: 110, y: 140 },
  ],
  ['of a script may lack buttons', {}, { button: 1 }, { code: 1, w: 4 }],
])('a press %s', (_, options, properties, pushed) => {
  open(options);
  send('pointerdown', properties);
  expect(sink.pushed[0]).toMatchObject(pushed);
});

test('pointers have a finite position on a canvas without size', () => {
  canvas.size = { width: 0, height: 0 };
  open();
  send('pointerdown', LEFT);
  expect(sink.pushed[0]).toMatchObject({ x: 0, y: 0 });
});

test('further buttons of a pointer are pressed and released one by one', () => {
  open();
  send('pointerdown', LEFT);
  // The right button, which browsers report as a move.
  send('pointermove', { button: 2, buttons: 3 });
  send('pointermove', { button: 0, buttons: 2 });
  send('pointerup', { button: 2, buttons: 0 });
  expect(sink.pushed.map(({ kind, code, w }) => [kind, code, w])).toEqual([
    ['pointerdown', 0, 1],
    ['pointerdown', 2, 3],
    ['pointerup', 0, 2],
    ['pointerup', 2, 0],
  ]);
});

test('pointers are captured, unless that is not possible', () => {
  const refuse = vi.spyOn(canvas, 'setPointerCapture');
  open();
  send('pointerdown', LEFT);
  expect(canvas.captured).toEqual([7]);
  refuse.mockImplementation(() => {
    throw new Error('NotFoundError');
  });
  sink.take();
  send('pointerdown', { ...LEFT, pointerId: 8 });
  expect(sink.take()).toHaveLength(1);
});

const part = (timeStamp: number, clientX: number) => ({
  ...POINTER,
  buttons: 1,
  timeStamp,
  clientX,
});
const joined = (...parts: readonly unknown[]) => ({
  buttons: 1,
  clientX: 210,
  getCoalescedEvents: () => parts,
});

test.each([
  ['all', 3],
  ['pressed', 1],
  ['none', 0],
] as const)('with the option moves: "%s", %i of three moves are pushed', (moves, count) => {
  open({ moves });
  send('pointermove');
  send('pointerdown', LEFT);
  send('pointermove', { buttons: 1 });
  send('pointerup', { button: 0 });
  send('pointermove');
  expect(sink.pushed.filter(({ kind }) => kind === 'pointermove')).toHaveLength(count);
});

test('coalesced moves are pushed one by one, oldest first, with their timestamps', () => {
  open();
  send('pointerdown', LEFT);
  page.stampMs = 90;
  send('pointermove', joined(part(92, 60), part(95, 110), part(100, 210)));
  // Without plausible timestamps they have that of the whole event; and the list of them may be empty.
  send('pointermove', joined(part(0, 60), part(5000, 110)));
  send('pointermove', joined());
  expect(sink.pushed.slice(1).map(({ x, stampMs: at }) => [x, at])).toEqual([
    [-0.5, 92],
    [0, 95],
    [1, 100],
    [-0.5, 110],
    [0, 110],
    [1, 120],
  ]);
});

test('a move of a pointer that was released by the loss of focus is no press', () => {
  open();
  send('pointerdown', LEFT);
  page.dispatchEvent(fakeEvent('blur', { timeStamp: 15 }));
  sink.take();
  send('pointermove', { buttons: 1 });
  send('pointerup', { button: 0 });
  expect(sink.take()).toEqual([]);
});

test('the wheel is pushed in CSS pixels', () => {
  open();
  send('wheel', { deltaX: 1, deltaY: -2, deltaZ: 3, buttons: 4 });
  send('wheel', { deltaMode: 1, deltaY: 3 });
  send('wheel', { deltaMode: 2, deltaY: 1 });
  const common = { kind: 'wheel', code: -1, device: 0 };
  expect(sink.pushed).toEqual([
    { ...common, x: 1, y: -2, z: 3, w: 4, stampMs: 10 },
    { ...common, x: 0, y: 48, z: 0, w: 0, stampMs: 20 },
    { ...common, x: 0, y: 100, z: 0, w: 0, stampMs: 30 },
  ]);
});

test('the wheel scrolls the page unless that is prevented', () => {
  const scrolling = open();
  expect(send('wheel').defaultPrevented).toBe(false);
  scrolling.dispose();
  open({ preventScroll: true, wheel: false });
  sink.take();
  expect(send('wheel').defaultPrevented).toBe(true);
  expect(sink.take()).toEqual([]);
});

test.each(['pointercancel', 'lostpointercapture'])('a %s releases held buttons, once', (type) => {
  open();
  send('pointerdown', { ...LEFT, clientX: 160 });
  send(type, { buttons: 1, clientX: 0, clientY: 0 });
  send('lostpointercapture');
  send('pointerup', { button: 0 });
  expect(sink.pushed.slice(1)).toEqual([
    { kind: 'pointerup', code: 0, device: 7, x: 0.5, y: 0, z: 0, w: 0, stampMs: 20 },
  ]);
});

test.each([
  ['focus', () => void page.dispatchEvent(fakeEvent('blur', { timeStamp: 50 }))],
  ['page', () => page.document.show(false, 50)],
])('held buttons are all released at their last position when the %s is lost, once', (_, lose) => {
  open({ moves: 'none' });
  send('pointerdown', { ...LEFT, buttons: 1 });
  send('pointermove', { button: 2, buttons: 3 });
  send('pointermove', { buttons: 3, clientX: 210 });
  send('pointerdown', { ...LEFT, pointerId: 9 });
  sink.take();
  lose();
  expect(sink.pushed.map(({ code, device, x, w }) => [device, code, x, w])).toEqual([
    [7, 0, 1, 2],
    [7, 2, 1, 0],
    [9, 0, 0, 0],
  ]);
  sink.take();
  lose();
  expect(sink.take()).toEqual([]);
});

test.each<[what: string, type: string, properties: object, pushed: string[]]>([
  ['a move with a button that is down is none', 'pointermove', LEFT, ['pointermove -1 @20']],
  ['an event that shows that a button is up releases it', 'pointermove', {}, ['pointerup 0 @20']],
  [
    'a button that is down is released first',
    'pointerdown',
    LEFT,
    ['pointerup 0 @20', 'pointerdown 0 @20'],
  ],
])('of a press after another one: %s', (_, type, properties, pushed) => {
  open();
  send('pointerdown', LEFT);
  send(type, properties);
  expect(sink.take().slice(1)).toEqual(pushed);
});

test('buttons whose release was refused are released with the next event, before it', () => {
  open({ moves: 'all' });
  send('pointerdown', LEFT);
  sink.room = 0;
  send('pointerup', { button: 0 });
  send('pointermove');
  sink.room = Infinity;
  send('pointermove');
  expect(sink.take()).toEqual(['pointerdown 0 @10', 'pointerup 0 @20', 'pointermove -1 @40']);
});

test('a source that was disposed has released its buttons and no longer listens', () => {
  const source = open({ moves: 'all' });
  send('pointerdown', LEFT);
  setClock(77);
  expect(canvas.listeners).toBeGreaterThan(0);
  source.dispose();
  expect(sink.take()).toEqual(['pointerdown 0 @10', 'pointerup 0 @77']);
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'wheel']) send(type, LEFT);
  expect(sink.take()).toEqual([]);
  expect(canvas.listeners + page.listeners + page.document.listeners).toBe(0);
});
