import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  isTyping,
  keyboardSource,
  type KeyboardSourceOptions,
} from '../../../../src/render-main/inputs/keyboard-source.js';
import { keyCode } from '../../../../src/shared/input/key-codes.js';
import { fakeEvent, FakeSink, openPage, setClock, type FakeWindow } from './fakes.js';

const W = keyCode('KeyW');
const SPACE = keyCode('Space');

let page: FakeWindow;
let sink: FakeSink;
let stampMs: number;

beforeEach(() => {
  page = openPage();
  sink = new FakeSink();
  stampMs = 0;
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Dispatches an event 10 ms after the previous one, the first at 10 ms. */
function send(target: EventTarget, type: string, properties: Record<string, unknown> = {}): Event {
  stampMs += 10;
  const event = fakeEvent(type, { timeStamp: stampMs, ...properties });
  target.dispatchEvent(event);
  return event;
}

const down = (code: string, more: Record<string, unknown> = {}): Event =>
  send(page, 'keydown', { code, ...more });
const up = (code: string): Event => send(page, 'keyup', { code });

const field = (isField: boolean) => ({ closest: () => (isField ? {} : null) });

const build = (options: unknown) => () => keyboardSource(sink, options as KeyboardSourceOptions);

describe('keys', () => {
  test("are pushed with their number and the event's timestamp", () => {
    keyboardSource(sink);
    down('KeyW');
    up('KeyW');
    const nothing = { device: 0, x: 0, y: 0, z: 0, w: 0 };
    expect(sink.pushed).toEqual([
      { kind: 'keydown', code: W, stampMs: 10, ...nothing },
      { kind: 'keyup', code: W, stampMs: 20, ...nothing },
    ]);
  });

  test('that repeat are pushed once', () => {
    keyboardSource(sink);
    down('KeyW');
    down('KeyW', { repeat: true });
    // Some engines do not mark repeats.
    down('KeyW');
    expect(sink.take()).toEqual([`keydown ${W} @10`]);
  });

  test('without a number, not listed, or never pressed here are not pushed', () => {
    keyboardSource(sink, { keys: ['Space'] });
    down('Unidentified');
    down('KeyW');
    up('KeyW');
    up('Space');
    expect(sink.take()).toEqual([]);
    down('Space');
    expect(sink.take()).toEqual([`keydown ${SPACE} @50`]);
  });

  test('pressed at an element are released anywhere in its window', () => {
    const element = Object.assign(new EventTarget(), { ownerDocument: { defaultView: page } });
    keyboardSource(sink, { target: element });
    down('KeyW');
    expect(sink.take()).toEqual([]);
    send(element, 'keydown', { code: 'KeyW' });
    up('KeyW');
    expect(sink.take()).toEqual([`keydown ${W} @20`, `keyup ${W} @30`]);
  });
});

describe('input that is not meant for the simulation', () => {
  test.each([
    ['a field', { composedPath: () => [field(true)] }, true],
    ['a field that the window sees as its host', { target: field(false) }, false],
    ['text', { composedPath: () => [{ ...field(false), isContentEditable: true }] }, true],
    ['an input method', { isComposing: true }, true],
    ['a canvas', { composedPath: () => [field(false)] }, false],
    ['the window', { composedPath: () => [{}] }, false],
    ['nothing', {}, false],
  ])('typing: %s', (_, properties, expected) => {
    expect(isTyping(fakeEvent('keydown', properties) as KeyboardEvent)).toBe(expected);
  });

  test('is not pushed, but the release of a key held before typing is', () => {
    keyboardSource(sink);
    const typing = { composedPath: () => [field(true)] };
    down('KeyW');
    down('Space', typing);
    send(page, 'keyup', { code: 'KeyW', ...typing });
    send(page, 'keyup', { code: 'Space', ...typing });
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @30`]);
  });

  test('can be decided by the application', () => {
    keyboardSource(sink, { ignore: ({ ctrlKey }) => ctrlKey });
    down('KeyW', { ctrlKey: true });
    down('Space', { composedPath: () => [field(true)] });
    expect(sink.take()).toEqual([`keydown ${SPACE} @20`]);
  });
});

describe("the browser's own use of a key", () => {
  test('is left to it by default', () => {
    keyboardSource(sink);
    expect(down('Space').defaultPrevented).toBe(false);
  });

  test('is prevented for keys that are sent, their repeats and releases', () => {
    keyboardSource(sink, { preventDefault: true, keys: ['Space'] });
    expect(down('Space').defaultPrevented).toBe(true);
    expect(down('Space', { repeat: true }).defaultPrevented).toBe(true);
    expect(up('Space').defaultPrevented).toBe(true);
    expect(up('Space').defaultPrevented).toBe(false);
    expect(down('KeyW').defaultPrevented).toBe(false);
  });

  test('can be configured per key', () => {
    keyboardSource(sink, { preventDefault: ({ code }) => code === 'Space' });
    expect(down('Space').defaultPrevented).toBe(true);
    expect(down('KeyW').defaultPrevented).toBe(false);
  });
});

describe('held keys', () => {
  const departures: readonly [string, () => void][] = [
    ['the window loses the focus', () => void send(page, 'blur')],
    ['the page is left', () => void send(page, 'pagehide')],
    ['the page is frozen', () => void send(page.document, 'freeze')],
    ['the page is hidden', () => page.show(false, (stampMs += 10))],
    ['the context menu opens', () => void send(page, 'contextmenu')],
  ];

  test.each(departures)('are released exactly once when %s', (_, leave) => {
    keyboardSource(sink);
    down('KeyW');
    down('Space');
    sink.take();
    leave();
    expect(sink.take()).toEqual([`keyup ${W} @30`, `keyup ${SPACE} @30`]);
    leave();
    send(page, 'blur');
    up('KeyW');
    // Still held by the finger, which causes repeats.
    down('KeyW', { repeat: true });
    expect(sink.take()).toEqual([]);
    down('KeyW');
    expect(sink.take()).toEqual([`keydown ${W} @${stampMs}`]);
  });

  test('stay held while the page is shown, and where the context menu is prevented', () => {
    // Before the source, as an element would do: fake events do not bubble.
    page.addEventListener('contextmenu', (event) => event.preventDefault());
    keyboardSource(sink);
    down('KeyW');
    send(page, 'contextmenu');
    page.show(true);
    expect(sink.take()).toEqual([`keydown ${W} @10`]);
  });

  test('are released with Command, which hides their release on macOS', () => {
    keyboardSource(sink, { keys: ['KeyW'] });
    down('KeyW');
    down('MetaLeft');
    up('MetaLeft');
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @30`]);
  });

  test('are released on demand, at the time of the call', () => {
    const source = keyboardSource(sink);
    down('KeyW');
    setClock(555);
    source.release();
    source.release();
    up('KeyW');
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @555`]);
  });

  test.each([
    ['the next event', () => void up('KeyQ')],
    ['a repeat', () => void down('Space', { repeat: true })],
    ['the next departure', () => void send(page, 'pagehide')],
  ])('whose release was refused are released with %s', (_, cause) => {
    keyboardSource(sink);
    down('KeyW');
    sink.room = 0;
    send(page, 'blur');
    sink.room = Infinity;
    cause();
    cause();
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @20`]);
  });

  test('whose release was refused are released by flush', () => {
    const source = keyboardSource(sink);
    down('KeyW');
    sink.room = 0;
    up('KeyW');
    expect(source.flush()).toBe(false);
    sink.room = Infinity;
    expect(source.flush()).toBe(true);
    expect(source.flush()).toBe(true);
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @20`]);
  });
});

describe('a source that was disposed', () => {
  test('has released its keys and no longer listens', () => {
    const source = keyboardSource(sink);
    down('KeyW');
    setClock(77);
    source.dispose();
    source.dispose();
    expect(sink.take()).toEqual([`keydown ${W} @10`, `keyup ${W} @77`]);
    down('KeyW');
    down('Space');
    send(page, 'blur');
    expect(sink.take()).toEqual([]);
    expect(page.listeners + page.document.listeners).toBe(0);
  });

  test('no longer listens even if its sink throws', () => {
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
});

describe('wrong arguments', () => {
  test.each([
    [null, /options/],
    [{ key: ['KeyW'] }, /unknown option "key" .* "keys"/],
    [{ target: 'canvas' }, /target/],
    [{ keys: 'KeyW' }, /keys/],
    [{ ignore: true }, /ignore/],
    [{ preventDefault: 'yes' }, /preventDefault/],
  ])('%j is a TypeError', (options, message) => {
    expect(build(options)).toThrow(TypeError);
    expect(build(options)).toThrow(message);
  });

  test('a key without a number is a RangeError', () => {
    expect(build({ keys: ['W'] })).toThrow(RangeError);
    expect(build({ keys: ['W'] })).toThrow(/keys.*"W"/);
  });

  test('a sink must accept inputs', () => {
    expect(() => keyboardSource({} as FakeSink)).toThrow(/sink/);
  });

  test('there must be a window', () => {
    vi.unstubAllGlobals();
    expect(build({})).toThrow(/target/);
    expect(build({ target: new EventTarget() })).toThrow(/window/);
  });
});
