import { beforeEach, expect, test, vi } from 'vitest';
import { isTyping, keyboardSource } from '../../../src/inputs/keyboard-source.js';
import { keyCode } from '../../../src/shared/input/key-codes.js';
import { fakeEvent } from '../../fixtures/fake-document.js';
import { inputValues } from '../../fixtures/input-values.js';
import { FakeSink, openPage, setClock, type FakeWindow } from './fakes.js';

const W = keyCode('KeyW');
const SPACE = keyCode('Space');

let page: FakeWindow;
let sink: FakeSink;

beforeEach(() => {
  page = openPage();
  sink = new FakeSink();
});

const down = (code: string, more: object = {}): Event =>
  page.send(page, 'keydown', { code, ...more });
const up = (code: string, more: object = {}): Event => page.send(page, 'keyup', { code, ...more });

const field = (isField: boolean) => ({ closest: () => (isField ? {} : null) });

test("keys are pushed once, with their number and the event's timestamp", () => {
  keyboardSource(sink);
  down('KeyW');
  down('KeyW', { repeat: true });
  // Some engines do not mark repeats.
  down('KeyW');
  up('KeyW');
  expect(sink.pushed).toEqual([
    { ...inputValues('keydown', { code: W }), stampMs: 10 },
    { ...inputValues('keyup', { code: W }), stampMs: 40 },
  ]);
});

test('keys without a number, not listed, or never pressed here are not pushed', () => {
  keyboardSource(sink, { keys: ['Space'] });
  down('Unidentified');
  down('KeyW');
  up('KeyW');
  up('Space');
  expect(sink.take()).toEqual([]);
  down('Space');
  expect(sink.take()).toEqual([`keydown ${SPACE} @50`]);
});

test('keys pressed at an element are released anywhere in its window', () => {
  const element = Object.assign(new EventTarget(), { ownerDocument: { defaultView: page } });
  keyboardSource(sink, { target: element });
  down('KeyW');
  expect(sink.take()).toEqual([]);
  page.send(element, 'keydown', { code: 'KeyW' });
  up('KeyW');
  expect(sink.take()).toEqual([`keydown ${W} @20`, `keyup ${W} @30`]);
});

test.each([
  ['into a field is', { composedPath: () => [field(true)] }, true],
  [
    'into editable text is',
    { composedPath: () => [{ ...field(false), isContentEditable: true }] },
    true,
  ],
  ['with an input method is', { isComposing: true }, true],
  ['at an element that is no field is not', { target: field(false) }, false],
  ['at a canvas is not', { composedPath: () => [field(false)] }, false],
  ['at the window is not', { composedPath: () => [{}] }, false],
  ['at nothing is not', {}, false],
])('a key pressed %s typing', (_, properties, expected) => {
  expect(isTyping(fakeEvent('keydown', properties) as KeyboardEvent)).toBe(expected);
});

test('typing is not pushed, but the release of a key held before it is', () => {
  keyboardSource(sink);
  const typing = { composedPath: () => [field(true)] };
  down('KeyW');
  down('Space', typing);
  up('KeyW', typing);
  up('Space', typing);
  expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @30`]);
});

test('the application can decide which keys are ignored', () => {
  keyboardSource(sink, { ignore: ({ ctrlKey }) => ctrlKey });
  down('KeyW', { ctrlKey: true });
  down('Space', { composedPath: () => [field(true)] });
  expect(sink.take()).toEqual([`keydown ${SPACE} @20`]);
});

test("the browser's use of a key is prevented only for keys that are sent, and if wanted", () => {
  const plain = keyboardSource(sink);
  expect(down('Space').defaultPrevented).toBe(false);
  plain.dispose();
  const preventing = keyboardSource(sink, { preventDefault: true, keys: ['Space'] });
  expect(down('Space').defaultPrevented).toBe(true);
  expect(down('Space', { repeat: true }).defaultPrevented).toBe(true);
  expect(up('Space').defaultPrevented).toBe(true);
  expect(up('Space').defaultPrevented).toBe(false);
  expect(down('KeyW').defaultPrevented).toBe(false);
  preventing.dispose();
  keyboardSource(sink, { preventDefault: ({ code }) => code === 'Space' });
  expect([down('Space'), down('KeyW')].map((event) => event.defaultPrevented)).toEqual([
    true,
    false,
  ]);
});

test.each<[string, () => void]>([
  ['the window loses the focus', () => void page.send(page, 'blur')],
  ['the page is left', () => void page.send(page, 'pagehide')],
  ['the page is frozen', () => void page.send(page.document, 'freeze')],
  ['the page is hidden', () => page.document.show(false, (page.stampMs += 10))],
  ['the context menu opens', () => void page.send(page, 'contextmenu')],
])('held keys are released exactly once when %s', (_, leave) => {
  keyboardSource(sink);
  down('KeyW');
  down('Space');
  sink.take();
  leave();
  expect(sink.take()).toEqual([`keyup ${W} @30`, `keyup ${SPACE} @30`]);
  leave();
  page.send(page, 'blur');
  up('KeyW');
  // Still held by the finger, which causes repeats.
  down('KeyW', { repeat: true });
  expect(sink.take()).toEqual([]);
  down('KeyW');
  expect(sink.take()).toEqual([`keydown ${W} @${page.stampMs}`]);
});

test('keys stay held while the page is shown, and where the context menu is prevented', () => {
  // Before the source, as an element would do: fake events do not bubble.
  page.addEventListener('contextmenu', (event) => event.preventDefault());
  keyboardSource(sink);
  down('KeyW');
  page.send(page, 'contextmenu');
  page.document.show(true);
  expect(sink.take()).toEqual([`keydown ${W} @10`]);
});

test.each(['MetaLeft', 'MetaRight'])(
  'held keys are released with %s, which hides their release on macOS',
  (command) => {
    keyboardSource(sink, { keys: ['KeyW'] });
    down('KeyW');
    down(command);
    up(command);
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @30`]);
  },
);

test('held keys are released on demand, at the time of the call', () => {
  const source = keyboardSource(sink);
  down('KeyW');
  setClock(555);
  source.release();
  source.release();
  up('KeyW');
  expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @555`]);
});

test.each<[string, (flush: () => boolean) => void]>([
  ['the next event', () => void up('KeyQ')],
  ['a repeat', () => void down('Space', { repeat: true })],
  ['the next departure', () => void page.send(page, 'pagehide')],
  ['flush', (flush) => expect(flush()).toBe(true)],
])('keys whose release was refused are released with %s', (_, cause) => {
  const source = keyboardSource(sink);
  down('KeyW');
  sink.room = 0;
  page.send(page, 'blur');
  expect(source.flush()).toBe(false);
  sink.room = Infinity;
  cause(() => source.flush());
  cause(() => source.flush());
  expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @20`]);
});

test('a source that was disposed has released its keys and no longer listens', () => {
  const source = keyboardSource(sink);
  down('KeyW');
  setClock(77);
  source.dispose();
  source.dispose();
  expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @77`]);
  down('KeyW');
  page.send(page, 'blur');
  expect(sink.take()).toEqual([]);
  expect(page.listeners + page.document.listeners).toBe(0);
});

test('a source that was disposed no longer listens even if its sink throws', () => {
  const source = keyboardSource(sink);
  down('KeyW');
  const push = vi.spyOn(sink, 'push').mockImplementation(() => {
    throw new Error('disposed');
  });
  expect(() => source.dispose()).toThrow('disposed');
  push.mockClear();
  down('Space');
  expect(push).not.toHaveBeenCalled();
});
