import { keyCode } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { createSumo } from '../src/simulation.js';

const join = (seat: number, tick = 1) => ({ tick, name: 'join', args: [seat] }) as const;
/** A key of a seat: the upper half of the device. */
const key = (tick: number, kind: 'keydown' | 'keyup', seat: number, code: number) => ({
  tick,
  kind,
  code,
  device: seat << 16,
});
const LEFT = keyCode('ArrowLeft');

test('a ball that is pushed off the disc falls, and returns to its place', async () => {
  const run = await runTicks(createSumo(), {
    ticks: 300,
    commands: [join(0), join(4)],
    // The first drives through the middle into the other, and both go over the edge.
    inputs: [key(60, 'keydown', 0, LEFT), key(200, 'keyup', 0, LEFT)],
  });
  const falls = run.eventsOf('fall').map(({ value }) => value);
  expect(falls[0]).toEqual({ seat: 4, by: 0 });
  expect([...run.tags.values()]).toHaveLength(3);
});

test('who has left is gone, and what others press does not move a ball', async () => {
  const run = await runTicks(createSumo(), {
    ticks: 120,
    commands: [join(0), join(1), { tick: 30, name: 'leave', args: [1] }],
    inputs: [key(40, 'keydown', 1, LEFT), key(40, 'keydown', 7, LEFT)],
  });
  expect(run.poses.size).toBe(2);
  const [, ball] = [...run.poses.values()];
  expect(ball?.x).toBeCloseTo(4, 2);
});

test('it continues from a saved state bit for bit', async () => {
  const commands = [join(0), join(4), join(2, 50)];
  const inputs = [key(60, 'keydown', 0, LEFT)];
  const whole = await runTicks(createSumo(), { ticks: 200, commands, inputs, saveEveryTicks: 40 });
  const [, start] = whole.recording.states;
  if (start === undefined) throw new Error('no state was saved');
  // The key is still held, which the state contains.
  const rest = await runTicks(createSumo(), { ticks: 120, start });
  expect([start.tick, rest.tick]).toEqual([80, 200]);
  expect(rest.hash).toBe(whole.hash);
});
