/** The attack command itself: it finds planted failures, and shrinks them. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { readArguments } from '../../attack/arguments.js';
import type { AttackPart } from '../../attack/part.js';
import { attackProperty } from '../../attack/property.js';
import { runAttack } from '../../attack/run.js';
import { testOutcomeOf } from '../../attack/test-outcome.js';

const partOf = (name: string, run: AttackPart['run']): AttackPart => ({
  name,
  about: name,
  unit: 'cases',
  run,
});

/** Breaks at 1000 and above. */
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

const quiet = { onProgress: () => {}, onReduction: () => {}, onEnd: () => {} };

const attack = (parts: readonly AttackPart[]) =>
  runAttack({ parts, seed: 7, minutes: 0, ...quiet });

describe('an attack', () => {
  test('reports the smallest case that breaks a promise', async () => {
    const [outcome] = await attack([broken]);
    expect(outcome?.failure).toEqual({ message: 'Error: too much', steps: '[1000]', seed: 7 });
  });

  test('shrinks a case in a limited number of attempts, and reports each', async () => {
    const tries: number[] = [];
    const reported: number[] = [];
    const bounded = partOf('bounded', (context) =>
      attackProperty(
        fc.array(fc.nat(), { minLength: 50, maxLength: 60 }),
        (values) => {
          tries.push(values.length);
          throw new Error('always');
        },
        context,
        { maxReruns: 5 },
      ),
    );
    const onReduction = (_part: AttackPart, reruns: number) => reported.push(reruns);
    const [outcome] = await runAttack({
      ...quiet,
      parts: [bounded],
      seed: 7,
      minutes: 0,
      onReduction,
    });
    expect(outcome?.failure?.message).toBe('Error: always');
    expect(tries).toHaveLength(1 + 5);
    expect(reported).toEqual([0, 1, 2, 3, 4]);
  });

  test('shrinks a case for a limited time, whatever the part', async () => {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => void vi.restoreAllMocks());
    let tries = 0;
    const slow = partOf('slow', (context) =>
      attackProperty(
        fc.array(fc.nat(), { minLength: 50, maxLength: 60 }),
        () => {
          tries += 1;
          nowMs += 1000;
          throw new Error('always');
        },
        context,
      ),
    );
    expect((await attack([slow]))[0]?.failure?.message).toBe('Error: always');
    expect(tries).toBeLessThanOrEqual(62);
  });

  test('gives the seed of the batch in which a case failed, which finds it at once', async () => {
    let cases = 0;
    const late = (after: number): AttackPart =>
      partOf('late', (context) =>
        attackProperty(
          fc.integer(),
          (value) => {
            cases += 1;
            if (cases > after && value % 7 === 3) throw new Error(String(value));
          },
          { ...context, timeLimitMs: 60_000 },
          { maxReruns: 0 },
        ),
      );
    const failure = (await attack([late(500)]))[0]?.failure;
    expect(failure?.seed).toBe(7 + 400);
    cases = 0;
    const again = { ...quiet, parts: [late(100)], seed: failure?.seed ?? 0, minutes: 0.01 };
    expect((await runAttack(again))[0]?.failure).toEqual(failure);
  });

  test('continues with the other parts, and counts the attempts of each', async () => {
    const outcomes = await attack([throwing, sound]);
    expect(outcomes.map(({ part, failure }) => [part, failure?.message])).toEqual([
      ['throwing', 'the part itself failed: Error: no thread'],
      ['sound', undefined],
    ]);
    expect(outcomes[1]?.tried).toBe(200);
  });

  test('gives each part its share of the time', async () => {
    const limits: number[] = [];
    const keeping = (share?: number): AttackPart => ({
      ...partOf('keeping', ({ timeLimitMs }) => {
        limits.push(timeLimitMs);
        return Promise.resolve({ tried: 1 });
      }),
      ...(share === undefined ? {} : { share }),
    });
    const parts = [keeping(), keeping(3)];
    await runAttack({ parts, seed: 7, minutes: 1, ...quiet });
    expect(limits).toEqual([15_000, 45_000]);
  });

  test('reports each part as a test, and for a broken one how to reproduce it', async () => {
    const [first, second] = (await attack([broken, sound])).map((each) => testOutcomeOf(each, 7));
    expect(second).toEqual({ name: 'sound: sound', result: 'passed' });
    const again = 'npm run attack -- broken --seed 7 --minutes 0.01';
    expect(first).toEqual({
      name: 'broken: broken',
      result: 'failed',
      reason: `Error: too much (${again}; smallest case: [1000])`,
      detail: `Error: too much\n${again}\nsmallest case: [1000]`,
    });
  });
});

describe('the arguments of an attack', () => {
  const parts = [broken, sound];

  test('name parts, which run in their own order', () => {
    const given = readArguments(['sound', 'broken', '--seed', '7', '--minutes', '0.5'], parts);
    expect(given).toEqual({ parts, seed: 7, minutes: 0.5, jsonFile: undefined });
    expect(readArguments(['sound'], parts)?.parts).toEqual([sound]);
    expect(readArguments(['--help'], parts)).toBeUndefined();
  });

  test.each([
    [['solid'], 'there is no part "solid": there are broken, sound'],
    [['--minutes', '0'], '--minutes must be a number from 0.01 to 10000, but is "0"'],
    [['--minutes', ''], '--minutes must be a number from 0.01 to 10000, but is ""'],
    [['--seed', '0.5'], '--seed must be a whole number, but is "0.5"'],
    [['--seed', '-1'], /--seed/],
    [['--json', '/no/such/folder/results.json'], /^--json cannot be written: .*ENOENT/],
    [['--json', '.'], /^--json cannot be written: .*EISDIR/],
    [['--hours', '1'], /--hours/],
  ])('%j are refused', (args, message) => {
    expect(() => readArguments(args, parts)).toThrow(RefusedError);
    expect(() => readArguments(args, parts)).toThrow(message);
  });
});
