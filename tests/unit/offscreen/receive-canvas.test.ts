import { beforeEach, expect, test, vi } from 'vitest';
import { ForwardedInputs } from '../../../src/offscreen/receive-canvas.js';
import type { InputValues } from '../../../src/inputs/index.js';
import { inputValues } from '../../fixtures/input-values.js';

beforeEach(() => {
  vi.useFakeTimers();
});
const input = (kind: InputValues['kind'], code: number, x = 0) => inputValues(kind, { code, x });

/** A queue that is full until `hasRoom`. */
function open() {
  const taken: string[] = [];
  const queue = { hasRoom: true };
  const inputs = new ForwardedInputs({
    push: ({ kind, code }, stampMs) => {
      if (queue.hasRoom) taken.push(`${kind} ${code} at ${stampMs}`);
      return queue.hasRoom;
    },
  });
  return { taken, queue, inputs };
}

test('of the inputs that a full queue refuses, the newest one of each control waits, in order', () => {
  const { taken, queue, inputs } = open();
  queue.hasRoom = false;
  inputs.push(input('keydown', 1), 10);
  inputs.push(input('keydown', 2), 11);
  inputs.push(input('pointermove', -1), 12);
  inputs.push(input('wheel', -1), 13);
  inputs.push(input('keyup', 1), 14);
  inputs.push(input('gamepadaxis', 0, 0.5), 15);
  vi.advanceTimersByTime(1000);
  expect(taken).toEqual([]);
  queue.hasRoom = true;
  vi.advanceTimersByTime(1000);
  expect(taken).toEqual(['keydown 2 at 11', 'keyup 1 at 14', 'gamepadaxis 0 at 15']);
  expect(vi.getTimerCount()).toBe(0);
});

test('an input that waits comes before those that follow it', () => {
  const { taken, queue, inputs } = open();
  queue.hasRoom = false;
  inputs.push(input('keydown', 1), 10);
  queue.hasRoom = true;
  inputs.push(input('keydown', 2), 11);
  inputs.push(input('pointermove', -1), 12);
  expect(taken).toEqual(['keydown 1 at 10', 'keydown 2 at 11', 'pointermove -1 at 12']);
});

test('no input is pushed after the end', () => {
  const { taken, queue, inputs } = open();
  queue.hasRoom = false;
  inputs.push(input('keydown', 1), 10);
  inputs.dispose();
  queue.hasRoom = true;
  vi.advanceTimersByTime(1000);
  expect(taken).toEqual([]);
});
