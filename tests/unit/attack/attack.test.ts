/** The attack command finds a planted failure, with its smallest case and the seed that finds it again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { readArguments } from '../../attack/arguments.js';
import type { AttackPart } from '../../attack/part.js';
import { attackProperty } from '../../attack/property.js';
import { runAttack } from '../../attack/run.js';
import { testOutcomeOf } from '../../attack/test-outcome.js';

const ignore = (): void => {};

const partOf = (name: string, run: AttackPart['run']): AttackPart => ({
  name,
  about: name,
  unit: 'cases',
  run,
});
const broken = partOf('broken', (context) =>
  attackProperty(
    fc.nat({ max: 100_000 }),
    (value) => {
      if (value >= 1000) throw new Error('too much');
    },
    context,
  ),
);
const sound = partOf('sound', (context) => attackProperty(fc.nat(), () => {}, context));
const throwing = partOf('throwing', () => Promise.reject(new Error('no thread')));

test('an attack reports the smallest case that breaks a promise, how to repeat it, and tries the other parts', async () => {
  const outcomes = await runAttack({
    parts: [broken, throwing, sound],
    seed: 7,
    minutes: 0,
    onProgress: ignore,
    onReduction: ignore,
    onEnd: ignore,
  });
  const [first, second, third] = outcomes;
  expect(first?.failure).toEqual({ message: 'Error: too much', steps: '[1000]', seed: 7 });
  expect(second?.failure?.message).toBe('the part itself failed: Error: no thread');
  expect(third).toMatchObject({ tried: 200 });
  expect(third?.failure).toBeUndefined();
  const again = 'npm run attack -- broken --seed 7 --minutes 0.01';
  expect(first && testOutcomeOf(first, 7)).toMatchObject({
    name: 'broken: broken',
    result: 'failed',
    detail: `Error: too much\n${again}\nsmallest case: [1000]`,
  });
});

test('an attack runs the named parts in their own order, and refuses others', () => {
  const parts = [broken, sound];
  const given = readArguments(['sound', 'broken', '--seed', '7', '--minutes', '0.5'], parts);
  expect(given).toEqual({ parts, seed: 7, minutes: 0.5, jsonFile: undefined });
  expect(() => readArguments(['solid'], parts)).toThrow(RefusedError);
});
