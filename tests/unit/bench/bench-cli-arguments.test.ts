import { describe, expect, test } from 'vitest';
import { readArguments } from '../../../bench/cli/arguments.js';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { QUICK, DEFAULTS } from '../../../bench/runner/settings.js';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

describe("the benchmark's arguments", () => {
  test('without any it measures the defaults', () => {
    expect(read('')).toEqual({
      options: DEFAULTS,
      seed: 1,
      capacity: undefined,
      json: undefined,
      html: undefined,
      compare: undefined,
      help: false,
    });
  });

  test('are lists separated by commas, each value once', () => {
    const { options, seed } = read(
      '--scene heap,rain --bodies 500,100,500 --tick-hz 60,59.94 --engine cannon,jolt ' +
        '--runtime node,chromium --seconds 2.5 --warm-up 0 --repeats 4 --no-headroom --seed 7',
    );
    expect(seed).toBe(7);
    expect(options).toEqual({
      scenes: ['heap', 'rain'],
      bodies: [500, 100],
      tickRatesHz: [60, 59.94],
      engines: ['cannon', 'jolt'],
      runtimes: ['node', 'chromium'],
      seconds: 2.5,
      warmUpSeconds: 0,
      settleTicks: 180,
      repeats: 4,
      isQuick: false,
      searchesHeadroom: false,
      worker: null,
    });
  });

  test('quick is short, and explicit arguments override it', () => {
    expect(read('--quick').options).toEqual(QUICK);
    expect(read('--quick --tick-hz 240').options).toEqual({ ...QUICK, tickRatesHz: [240] });
  });

  test("a user's worker runs in a browser, with its own number of bodies by default", () => {
    const alone = { scenes: ['a.ts'], engines: ['own'], runtimes: ['chromium'], worker: 'a.ts' };
    expect(read('--worker a.ts').options).toMatchObject({
      ...alone,
      bodies: [0],
      searchesHeadroom: false,
    });
    expect(read('--worker a.ts --bodies 10').options).toMatchObject({
      ...alone,
      bodies: [10],
      searchesHeadroom: true,
    });
  });

  test("the capacity of a user's worker", () => {
    expect(read('--worker a.ts --capacity 9000').capacity).toBe(9000);
    expect(read('--worker a.ts').capacity).toBeUndefined();
  });

  test('scripted scenes have no engine', () => {
    expect(read('--scene scripted:linear:4').options).toMatchObject({
      scenes: ['scripted:linear:4'],
      engines: ['scripted'],
    });
  });

  test.each([
    ['--bodies 0', '--bodies must be a number from 1 to 16384, but is "0"'],
    ['--bodies 1.5', '--bodies must be a whole number, but is "1.5"'],
    ['--bodies 1,,2', '--bodies must be values between commas, but is "1,,2"'],
    ['--tick-hz fast', '--tick-hz must be a number from 1 to 1000, but is "fast"'],
    ['--scene sea', '--scene must be of heap, rain, resting, stack, but is "sea"'],
    [
      '--scene scripted:square:1',
      '--scene must be scripted:constant|linear|noisy:MS when it is scripted, but is "scripted:square:1"',
    ],
    [
      '--scene heap,scripted:constant:1',
      '--scene must be all scripted or none, but is some of each',
    ],
    ['--runtime bun', '--runtime must be of chromium, node, but is "bun"'],
    [
      '--worker a.ts --scene heap',
      '--scene must be left out with --worker, which runs what it runs',
    ],
    ['--worker a.ts --runtime node', '--runtime must be chromium with --worker, but is "node"'],
    ['--capacity 9', '--capacity must be left out without --worker: scenes have room enough'],
    [
      '--worker a.ts --bodies 10,20 --capacity 9',
      '--capacity must have room for --bodies, 20 or more, but is "9"',
    ],
    ['--seconds', "Option '--seconds <value>' argument missing"],
    ['--frames 3', "Unknown option '--frames'"],
    ['heap', "Unexpected argument 'heap'. This command does not take positional arguments"],
  ])('%s is refused in one line', (line, message) => {
    expect(() => read(line)).toThrow(RefusedError);
    expect(() => read(line)).toThrow(new RefusedError(message));
    expect(message).not.toContain('\n');
  });
});
