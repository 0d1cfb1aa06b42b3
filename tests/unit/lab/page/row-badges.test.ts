/** What a whole run says about a loop on its panel. */
import { expect, test } from 'vitest';
import { compare, type LabRow } from '../../../../lab/engine/index.js';
import { determinismOf, turnsBadges } from '../../../../lab/page/row-badges.js';
import { engineInput, parseSettings } from '../../../../lab/page/settings.js';
import { COLUMNS, marksOf } from '../../../../lab/page/table-columns.js';
import { STEPPER_KINDS, type StepperKind } from '../../../../lab/engine/loops/registry.js';

function rowsIn(query: string, kinds: readonly StepperKind[] = STEPPER_KINDS): readonly LabRow[] {
  const { scenario, steppers } = engineInput(parseSettings(`?${query}`).settings);
  return compare(kinds, steppers, scenario);
}

const marksIn = (title: string, rows: readonly LabRow[]) => {
  const column = COLUMNS.find((each) => each.title === title);
  if (column === undefined) throw new Error(`no column ${title}`);
  return new Map(marksOf(column, rows).map((mark, index) => [rows[index]?.stepper, mark]));
};

test.each<[string, StepperKind, RegExp]>([
  ['preset=fast-machine', 'unpaced', /^$/],
  ['preset=fast-machine', 'fixed', /^same states on every display/],
  ['preset=fast-machine&variable.clampRatio=1:1', 'variable', /^$/],
  ['preset=slow-machine', 'frame-locked', /^$/],
  ['preset=one-lag', 'frame-locked', /^same states/],
  ['preset=variable', 'variable', /differ/],
])('in %s the states of %s are described truthfully', (query, kind, words) => {
  const [row] = rowsIn(query, [kind]);
  if (row === undefined) throw new Error('no row');
  expect(determinismOf(row)).toMatch(words);
});

test('a loop that wakes without work says how often, and no other does', () => {
  const rows = rowsIn('preset=rate-groups');
  const reported = rows.filter((row) => turnsBadges(row).length > 0);
  expect(reported.map(({ stepper }) => stepper)).toEqual(['rate-groups']);
  expect(reported.flatMap((row) => turnsBadges(row))).toEqual([
    { kind: 'fault', text: '1,018 iterations per second' },
  ]);
  const marks = marksIn('iterations per second', rows);
  expect(marks.get('rate-groups')).toBe('worst');
  expect(marks.get('fixed')).toBeUndefined();
});

test('sleeping in a thousand naps is not rated as the best sleep', () => {
  const rows = rowsIn('preset=fast-machine');
  expect([...marksIn('slept', rows).values()].filter((mark) => mark !== undefined)).toEqual([]);
  expect(marksIn('iterations per second', rows).get('rate-groups')).toBe('worst');
});

test('a busy loop has no turns without work', () => {
  for (const row of rowsIn('preset=slow-machine')) expect(turnsBadges(row)).toEqual([]);
});

test('input that is processed in windows shows later than polled input', () => {
  const [sliced] = rowsIn('preset=slow-machine', ['fixed']);
  const [polled] = rowsIn('preset=slow-machine&input=polled', ['fixed']);
  expect(polled?.inputLatencyMs).toBeLessThan(sliced?.inputLatencyMs ?? 0);
  const text = COLUMNS.find(({ title }) => title === 'input latency')?.text;
  expect(polled && text?.(polled)).toBe(`${polled?.inputLatencyMs.toFixed(1)} ms`);
});
