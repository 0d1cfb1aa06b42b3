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

test.each<[phase: Phase, secondsLeft: number, winner: number, title: RegExp]>([
  ['practice', 0, -1, /^Practice/],
  ['ready', 2.4, -1, /^Round 3 begins in 3$/],
  ['round', 59.2, -1, /^Round 3: 1:00 left$/],
  ['over', 1.5, 1, /^Bob wins\. Next round in 2$/],
  ['over', 1.5, -1, /^No one wins\. Next round in 2$/],
])('the title of the page of Sumo says what is next: %s', (phase, secondsLeft, winner, title) => {
  expect(scoreOf(values(phase, secondsLeft, winner, []), NAMES, 0).title).toMatch(title);
});

test('the players of Sumo are in the order of their scores, with who is out, and a fall names who pushed', () => {
  const shown = values('round', 10, -1, [1, 2, 4, 1]);
  expect(shown[VALUE.seats]).toBe(1);
  expect(outSeats(shown).slice(0, 3)).toEqual([true, false, false]);
  expect(scoreOf(shown, NAMES, 1).players).toEqual([
    { seat: 1, name: 'Bob', score: 4, isOut: false, isOwn: true },
    { seat: 0, name: 'Ada', score: 1, isOut: true, isOwn: false },
  ]);
  expect(fallText({ seat: 1, by: 0 }, NAMES)).toBe('Ada has pushed Bob off');
  expect(fallText({ seat: 1, by: -1 }, NAMES)).toBe('Bob has fallen');
});
