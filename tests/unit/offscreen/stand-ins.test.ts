import { expect, test } from 'vitest';
import { StandIns } from '../../../src/offscreen/stand-ins.js';
import type { ToPage } from '../../../src/offscreen/messages.js';

const SIZE = { width: 200, height: 100, pixelRatio: 2, pixelWidth: 400, pixelHeight: 200 };

function open() {
  const sent: ToPage[] = [];
  const standIns = new StandIns(SIZE, (message) => sent.push(message));
  const { element, page } = standIns;
  return { sent, standIns, element, page };
}

test('an event bubbles from the canvas to document and window, with the same target', () => {
  const { standIns, element, page } = open();
  const seen: unknown[] = [];
  for (const at of [element, page, page.defaultView]) {
    at.addEventListener('pointerdown', (event) => {
      const { clientX } = event as PointerEvent;
      seen.push([event.target === element, event.timeStamp, clientX]);
    });
  }
  standIns.dispatch('pointerdown', { clientX: 5 }, 12.5);
  const atEach = [true, 12.5, 5];
  expect(seen).toEqual([atEach, atEach, atEach]);
});

test('an event that is stopped does not bubble', () => {
  const { standIns, element, page } = open();
  const seen: string[] = [];
  element.addEventListener('keydown', (event) => {
    seen.push('element');
    event.stopPropagation();
  });
  page.addEventListener('keydown', () => seen.push('document'));
  standIns.dispatch('keydown', { code: 'KeyA' }, 1);
  standIns.dispatch('keydown', { code: 'KeyB' }, 2);
  expect(seen).toEqual(['element', 'element']);
});

test('moves that the browser has joined are there, with their stamps', () => {
  const { standIns, element } = open();
  let coalesced: readonly PointerEvent[] = [];
  element.addEventListener('pointermove', (event) => {
    coalesced = (event as PointerEvent).getCoalescedEvents();
  });
  const joined = [{ clientX: 1, timeStamp: 3 }];
  standIns.dispatch('pointermove', { clientX: 2, coalesced: joined }, 4);
  expect(coalesced).toEqual(joined);
});

test('the element has the size of the canvas, from the origin', () => {
  const { standIns, element, page } = open();
  const box = { left: 0, top: 0, right: 200, bottom: 100 };
  expect(element.getBoundingClientRect()).toMatchObject(box);
  standIns.setSize({ ...SIZE, width: 300, pixelRatio: 1 });
  expect([element.clientWidth, element.clientHeight]).toEqual([300, 100]);
  expect(page.defaultView.devicePixelRatio).toBe(1);
});

test('styles, focus and capture are sent to the page, each change once', () => {
  const { sent, element } = open();
  expect(element.style['cursor']).toBe('');
  element.style['cursor'] = 'grab';
  element.style['cursor'] = 'grab';
  element.focus();
  element.setPointerCapture(7);
  expect(element.hasPointerCapture(7)).toBe(true);
  element.releasePointerCapture(7);
  element.releasePointerCapture(7);
  expect(sent).toEqual([
    { kind: 'style', name: 'cursor', value: 'grab' },
    { kind: 'focus' },
    { kind: 'capture', pointerId: 7, isOn: true },
    { kind: 'capture', pointerId: 7, isOn: false },
  ]);
});

test('a pointer that is up is not captured any more', () => {
  const { sent, standIns, element } = open();
  element.setPointerCapture(7);
  standIns.dispatch('pointerup', { pointerId: 7 }, 1);
  expect(element.hasPointerCapture(7)).toBe(false);
  element.releasePointerCapture(7);
  expect(sent).toHaveLength(1);
});

test('a page that goes away: hidden, without focus, or left for another one', () => {
  const { standIns, page } = open();
  const seen: string[] = [];
  for (const type of ['visibilitychange', 'freeze', 'resume']) {
    page.addEventListener(type, () => seen.push(`${type}, ${page.visibilityState}`));
  }
  for (const type of ['blur', 'pagehide', 'pageshow']) {
    page.defaultView.addEventListener(type, () => seen.push(`${type}, focus ${page.hasFocus()}`));
  }
  standIns.follow('blur', { hidden: false, hasFocus: false }, 1);
  standIns.follow('visibilitychange', { hidden: true, hasFocus: false }, 2);
  standIns.follow('pagehide', { hidden: true, hasFocus: false }, 3);
  standIns.follow('pageshow', { hidden: false, hasFocus: true }, 4);
  expect(seen).toEqual([
    'blur, focus false',
    'visibilitychange, hidden',
    'pagehide, focus false',
    'freeze, hidden',
    'pageshow, focus true',
    'resume, visible',
  ]);
});
