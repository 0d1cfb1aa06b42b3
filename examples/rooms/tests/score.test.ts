import { expect, test } from 'vitest';
import { fallText, outSeats, scoreOf } from '../src/score.js';
import { PHASES, VALUE, VALUES, type Phase } from '../src/simulation.js';

const NAMES = new Map([
  [0, 'Ada'],
  [1, 'Bob'],
]);

/** @param seats Score and state of each seat, in this order. */
function values(phase: Phase, secondsLeft: number, winner: number, seats: readonly number[]) {
  const all = new Float32Array(VALUES);
  all.set([PHASES.indexOf(phase), secondsLeft, 3, winner, ...seats]);
  return all;
}

const title = (...given: Parameters<typeof values>) => scoreOf(values(...given), NAMES, 0).title;

test('the title says what is next', () => {
  expect(title('practice', 0, -1, [])).toMatch(/^Practice/);
  expect(title('ready', 2.4, -1, [])).toBe('Round 3 begins in 3');
  expect(title('round', 59.2, -1, [])).toBe('Round 3: 1:00 left');
  expect(title('over', 1.5, 1, [])).toBe('Bob wins. Next round in 2');
  expect(title('over', 1.5, -1, [])).toBe('No one wins. Next round in 2');
});

test('the players are in the order of their scores, with who is out', () => {
  const shown = values('round', 10, -1, [1, 2, 4, 1]);
  expect(shown[VALUE.seats]).toBe(1);
  expect(outSeats(shown).slice(0, 3)).toEqual([true, false, false]);
  expect(scoreOf(shown, NAMES, 1).players).toEqual([
    { seat: 1, name: 'Bob', score: 4, isOut: false, isOwn: true },
    { seat: 0, name: 'Ada', score: 1, isOut: true, isOwn: false },
  ]);
});

test('a fall names who pushed', () => {
  expect(fallText({ seat: 1, by: 0 }, NAMES)).toBe('Ada has pushed Bob off');
  expect(fallText({ seat: 1, by: -1 }, NAMES)).toBe('Bob has fallen');
});
