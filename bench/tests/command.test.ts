/** The arguments of `npm run bench`. tests/threads runs the command. */
import { expect, test } from 'vitest';
import { readArguments } from '../cli/arguments.js';
import { DEFAULTS } from '../runner/settings.js';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

test('the benchmark searches by default, or measures what its arguments say', () => {
  expect(read('').options).toEqual(DEFAULTS);
  const { options, seed } = read(
    '--scene heap,rain --bodies 500,100,500 --tick-hz 60,59.94 --engine cannon,jolt ' +
      '--runtime node,chromium --seconds 2.5 --warm-up 0 --repeats 4 --seed 7',
  );
  expect(seed).toBe(7);
  expect(options).toMatchObject({
    scenes: ['heap', 'rain'],
    bodies: [500, 100],
    tickRatesHz: [60, 59.94],
    engines: ['cannon', 'jolt'],
    runtimes: ['node', 'chromium'],
    seconds: 2.5,
    warmUpSeconds: 0,
    repeats: 4,
  });
  // An own worker has as many bodies as it has.
  expect(read('--worker a.ts').options).toMatchObject({ scenes: ['a.ts'], bodies: [0] });
  expect(read('--worker a.ts --bodies 5').options.bodies).toEqual([5]);
});

test.each([
  ['--bodies 0', '--bodies must be a number from 1 to 16384, but is "0"'],
  ['--scene sea', '--scene must be of heap, rain, resting, stack, but is "sea"'],
  ['--scene heap,scripted:constant:1', '--scene must be all scripted or none'],
  ['--worker a.ts --runtime node', '--runtime must be chromium with --worker, but is "node"'],
  ['--frames 3', "Unknown option '--frames'"],
])('the benchmark refuses %s', (line, message) => {
  expect(() => read(line)).toThrow(message);
});
