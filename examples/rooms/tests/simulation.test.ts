import { keyCode } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { BENCH, createSumo, PHASES, SEAT_VALUE, VALUE, VALUES } from '../src/simulation.js';

const join = (seat: number, tick = 1, name: string | null = null) =>
  ({ tick, name: 'join', args: [seat, name] }) as const;
/** The device of an input of a seat: the upper half. */
const deviceOf = (seat: number) => seat << 16;
const key = (tick: number, kind: 'keydown' | 'keyup', seat: number, code: number) => ({
  tick,
  kind,
  code,
  device: deviceOf(seat),
});
const LEFT = keyCode('ArrowLeft');

/** Two players, opposite of each other. The round begins after three seconds, and 0 drives into 1, which falls. */
const DUEL = {
  values: VALUES,
  commands: [join(0), join(1)],
  inputs: [key(185, 'keydown', 0, LEFT), key(250, 'keyup', 0, LEFT)],
};

const ofSeat = (seat: number) => VALUE.seats + seat * SEAT_VALUE.count;

/** The values as a page shows them. */
function shown(values: Float32Array) {
  return {
    phase: PHASES[values[VALUE.phase] ?? -1],
    round: values[VALUE.round],
    winner: values[VALUE.winner],
    scores: [0, 1, 2].map((seat) => values[ofSeat(seat) + SEAT_VALUE.score]),
    states: [0, 1, 2].map((seat) => values[ofSeat(seat) + SEAT_VALUE.state]),
  };
}

test('in Sumo, who is pushed off is out, and the last one wins the round', async () => {
  const run = await runTicks(createSumo(), { ...DUEL, ticks: 340 });
  expect(run.eventsOf('fall').map(({ value }) => value)).toEqual([{ seat: 1, by: 0 }]);
  expect(shown(run.values)).toEqual({
    phase: 'over',
    round: 1,
    winner: 0,
    scores: [1, 0, 0],
    states: [1, 2, 0],
  });
  const [, , loser] = [...run.poses.values()];
  expect(loser).toMatchObject({ z: BENCH.z });
});

test('the next round of Sumo has all who are here, and those who come during one wait for it', async () => {
  const phases: unknown[] = [];
  const run = await runTicks(createSumo(), {
    ...DUEL,
    ticks: 700,
    commands: [...DUEL.commands, join(2, 300, 'Ada')],
    onTick: ({ tick, values }) => {
      const { phase, states } = shown(values);
      if (tick % 100 === 0) phases.push([phase, ...states]);
    },
  });
  expect(phases).toEqual([
    ['ready', 1, 1, 0],
    ['round', 1, 1, 0],
    ['round', 1, 1, 2],
    ['over', 1, 2, 2],
    ['over', 1, 2, 2],
    ['ready', 1, 1, 1],
    ['round', 1, 1, 1],
  ]);
  expect(shown(run.values)).toMatchObject({ round: 2, winner: -1, scores: [1, 0, 0] });
  expect([...run.tags.values()].at(-1)).toMatchObject({ seat: 2, name: 'Ada' });
});

test('a round of Sumo that no one wins ends after a minute', async () => {
  const run = await runTicks(createSumo(), { ...DUEL, inputs: [], ticks: 3850 });
  expect(shown(run.values)).toMatchObject({ phase: 'over', winner: -1, scores: [0, 0, 0] });
});

test('who is alone in Sumo practises: a ball that falls returns to its place', async () => {
  const run = await runTicks(createSumo(), {
    ticks: 300,
    values: VALUES,
    commands: [join(0)],
    inputs: [key(60, 'keydown', 0, LEFT), key(150, 'keyup', 0, LEFT)],
  });
  expect(run.eventsOf('fall').map(({ value }) => value)).toEqual([{ seat: 0, by: -1 }]);
  expect(shown(run.values)).toMatchObject({ phase: 'practice', states: [1, 0, 0] });
  const [, ball] = [...run.poses.values()];
  expect(ball?.x).toBeCloseTo(4, 1);
});

test('who has left Sumo is gone, the other one is alone, and what others press does not move a ball', async () => {
  const run = await runTicks(createSumo(), {
    ticks: 120,
    values: VALUES,
    commands: [join(0), join(1), { tick: 30, name: 'leave', args: [1] }],
    inputs: [key(40, 'keydown', 1, LEFT), key(40, 'keydown', 7, LEFT)],
  });
  expect(run.poses.size).toBe(2);
  const [, ball] = [...run.poses.values()];
  expect(ball?.x).toBeCloseTo(4, 2);
  expect(shown(run.values)).toMatchObject({ phase: 'practice', states: [1, 0, 0] });
});

test('a key of Sumo that is released in the tick in which it was pressed pushes for that tick, and no longer', async () => {
  const xs: number[] = [];
  await runTicks(createSumo(), {
    ticks: 130,
    commands: [join(0)],
    inputs: [key(100, 'keydown', 0, LEFT), key(100, 'keyup', 0, LEFT)],
    onTick: ({ poses }) => xs.push([...poses.values()][1]?.x ?? Number.NaN),
  });
  const speedAt = (tick: number) => 60 * ((xs[tick - 1] ?? 0) - (xs[tick - 2] ?? 0));
  expect(speedAt(99)).toBeCloseTo(0, 2);
  expect(speedAt(101)).toBeLessThan(-0.1);
  expect(speedAt(130)).toBeGreaterThan(speedAt(101));
});

const pointer = (tick: number, kind: 'pointerdown' | 'pointermove' | 'pointerup', x: number) => ({
  tick,
  kind,
  device: deviceOf(0),
  x,
  y: 2,
});

test('a ball of Sumo goes to where the pointer is pressed, and stays there until it is released', async () => {
  const positions = new Map<number, { x: number; z: number } | undefined>();
  await runTicks(createSumo(), {
    ticks: 600,
    commands: [join(0)],
    inputs: [
      // Without a press before it, a move is none.
      pointer(50, 'pointermove', -5),
      pointer(100, 'pointerdown', 0),
      pointer(160, 'pointermove', 2),
      pointer(500, 'pointerup', 2),
      pointer(501, 'pointermove', -5),
    ],
    onTick: ({ tick, poses }) => positions.set(tick, [...poses.values()][1]),
  });
  expect(positions.get(99)?.x).toBeCloseTo(4, 2);
  expect(positions.get(130)?.x).toBeLessThan(4);
  // The obstacle swings around that place.
  const path = Array.from({ length: 250 }, (_, index) => positions.get(250 + index)?.x ?? 0);
  expect(Math.min(...path)).toBeLessThan(2);
  expect(Math.max(...path)).toBeGreaterThan(2);
});

test('Sumo continues from a saved state bit for bit', async () => {
  const commands = [join(0), join(1), join(2, 50)];
  const whole = await runTicks(createSumo(), {
    ...DUEL,
    commands,
    ticks: 320,
    saveEveryTicks: 120,
  });
  const [, start] = whole.recording.states;
  if (start === undefined) throw new Error('no state was saved');
  // The key is still held, which the state contains.
  const rest = await runTicks(createSumo(), { inputs: DUEL.inputs.slice(1), ticks: 80, start });
  expect([start.tick, rest.tick]).toEqual([240, 320]);
  expect(rest.hash).toBe(whole.hash);
});
