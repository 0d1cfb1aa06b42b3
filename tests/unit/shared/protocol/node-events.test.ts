import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { NodeEvents } from '../../../../src/shared/protocol/node-events.js';

class Emitter extends EventEmitter {
  postMessage(): void {}
}

type Received = Parameters<Parameters<NodeEvents['addEventListener']>[1]>[0];

let emitter: Emitter;
let events: NodeEvents;
let received: Received[];
const listener = (event: Received): void => {
  received.push(event);
};

beforeEach(() => {
  emitter = new Emitter();
  events = new NodeEvents(emitter);
  received = [];
});

test('listeners in the style of browsers receive what Node emits as `data`', () => {
  events.addEventListener('message', listener);
  emitter.emit('message', { text: 'hello' });
  expect(received).toMatchObject([{ type: 'message', data: { text: 'hello' } }]);
});

test('listeners in the style of browsers receive an error of Node with its message', () => {
  const error = new TypeError('boom');
  events.addEventListener('error', listener);
  emitter.emit('error', error);
  expect(received).toMatchObject([{ type: 'error', message: 'boom', error }]);
  expect(() => received[0]?.preventDefault()).not.toThrow();
});

test('listeners in the style of browsers may listen to several types, and are removed from one at a time', () => {
  events.addEventListener('message', listener);
  events.addEventListener('error', listener);
  events.removeEventListener('message', listener);
  // A second time has no effect.
  events.removeEventListener('message', listener);
  emitter.emit('message', 1);
  emitter.emit('error', new Error('boom'));
  expect(received.map(({ type }) => type)).toEqual(['error']);
  events.removeEventListener('error', listener);
  expect(emitter.listeners('error')).toEqual([]);
});

test('listeners in the style of browsers that are added twice are called once', () => {
  events.addEventListener('message', listener);
  events.addEventListener('message', listener);
  emitter.emit('message', 1);
  expect(received).toHaveLength(1);
  events.removeEventListener('message', listener);
  emitter.emit('message', 2);
  expect(received).toHaveLength(1);
});
