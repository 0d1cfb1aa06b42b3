import { describe, expect, test } from 'vitest';
import { requirePeersResult } from '../../../../bench/peers/engine/result.js';
import { scriptedResult } from './scripted.js';

const result = await scriptedResult();
const copy = () => JSON.parse(JSON.stringify(result));

test('a result is read as it was written', () => {
  expect(requirePeersResult(copy())).toEqual(result);
});

describe('reading a result refuses wrong values, and says where', () => {
  test.each([
    [
      'another kind',
      (one) => (one.format = 'betwixt-bench'),
      'its format must be "betwixt-bench-peers"',
    ],
    [
      'a newer version',
      (one) => (one.version = 2),
      'has version 2, but the newest supported version is 1',
    ],
    [
      'a missing figure',
      (one) => delete one.cases[3].repeats[0].costMs.p99,
      'cases[3].repeats[0].costMs.p99 is missing',
    ],
    [
      'a text for a figure',
      (one) => (one.cases[0].repeats[1].frames = '12'),
      'cases[0].repeats[1].frames must be a whole number',
    ],
    [
      'an unknown contestant',
      (one) => (one.cases[0].contestant = 'unity'),
      'cases[0].contestant must be "betwixt-rapier" or',
    ],
    [
      'a share over 1',
      (one) => (one.cases[0].repeats[0].costCurve[0][0] = 1.5),
      'cases[0].repeats[0].costCurve[0][0] must be 1 or less',
    ],
    [
      'a case twice',
      (one) => one.cases.push(one.cases[2]),
      `cases[${result.cases.length}] repeats an earlier case`,
    ],
    ['no time', (one) => (one.made = 'yesterday'), 'made must be a time such as'],
    [
      'a damaged fault',
      (one) => (one.faults[0].repeats[0].afterThrow.isAlive = 1),
      'faults[0].repeats[0].afterThrow.isAlive must be true or false',
    ],
  ] as [string, (one: ReturnType<typeof copy>) => unknown, string][])(
    '%s',
    (_name, damage, message) => {
      const damaged = copy();
      damage(damaged);
      expect(() => requirePeersResult(damaged)).toThrow(message);
    },
  );

  test('a value that is not an object', () => {
    expect(() => requirePeersResult(null)).toThrow('this is no comparison with the peers');
  });
});
