/** The check that a name means one thing. */
import { expect, test } from 'vitest';
import { problemsIn, variablesIn } from '../lint/names.js';

const SOURCES = new Map([
  ['core/index.ts', ''],
  ['world/index.ts', ''],
  ['core/timeline.ts', 'export class Timeline {}\ninterface Waiting {}\ntype Short = string;\n'],
  ['page/timeline.tsx', 'interface Waiting {}\ntype Short = number;\n'],
  ['page/seek-bar.ts', 'export type Row = string;\n'],
  ['page/bars.ts', 'class SeekBar {\n  readonly timeline: SeekBar;\n}\n'],
]);

const FOUND = [
  'timeline means several things: core/timeline.ts, page/timeline.tsx',
  'Waiting means several things: core/timeline.ts, page/timeline.tsx',
  'SeekBar means several things: page/bars.ts, page/seek-bar.ts',
];

test('files and types of one name, and a class outside the file of its name, are reported', () => {
  expect(problemsIn(SOURCES, {})).toEqual(FOUND);
});

test('what is listed with a reason may share a name, for as long as it does', () => {
  const allowed = { Waiting: 'private to each', Row: 'none' };
  const [timeline, , seekBar] = FOUND;
  const unused = 'Row means one thing: remove it from scripts/lint/names.json';
  expect(problemsIn(SOURCES, allowed)).toEqual([timeline, seekBar, unused]);
});

test('variables that have the name of another type than theirs are listed', () => {
  expect(variablesIn(SOURCES)).toEqual(['timeline: SeekBar']);
});
