import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../../../scripts/cli/errors.js';
import { readArguments } from '../../../../bench/peers/cli/arguments.js';
import { runPeers, type PeersParts } from '../../../../bench/peers/cli/run-peers.js';
import { planRuns, secondsLeft } from '../../../../bench/peers/engine/plan.js';
import { comparedPairs } from '../../../../bench/peers/engine/ratios.js';
import { peersSummary } from '../../../../bench/peers/engine/summary.js';
import { peersReportHtml } from '../../../../bench/peers/report/index.js';
import { settledScene } from '../../../../bench/peers/scene/settled-scene.js';
import { OPTIONS, asClaimed, asClaimedFaults, scriptedRepeat, scriptedResult } from './scripted.js';

const SMALL = {
  ...OPTIONS,
  contestants: ['cannon-worker-api', 'betwixt-cannon'] as const,
  bodies: [400, 0],
  repeats: 2,
};

const turns = (of: string): string[] =>
  [0, 1].flatMap((repeat) => [
    `${of} ${repeat} betwixt-cannon`,
    `${of} ${repeat} cannon-worker-api`,
  ]);

function run(parts: Partial<PeersParts>) {
  return runPeers({
    options: SMALL,
    machine: { cores: 1, cpu: null, os: '', runtimes: {}, engines: {} },
    motion: async ({ contestant, bodies, repeat }) => asClaimed(contestant, bodies, repeat),
    faults: async ({ contestant }) => asClaimedFaults(contestant),
    isStopRequested: () => false,
    onProgress: () => {},
    onPart: () => {},
    now: () => 0,
    ...parts,
  });
}

describe('the plan', () => {
  test('contestants alternate; small counts come first', () => {
    const order = planRuns(SMALL).map(
      ({ kind, contestant, bodies, repeat }) => `${kind} ${bodies} ${repeat} ${contestant}`,
    );
    expect(order).toEqual([...turns('faults 50'), ...turns('motion 0'), ...turns('motion 400')]);
  });

  test('the remaining time follows the pace', () => {
    const plan = planRuns(SMALL);
    const whole = secondsLeft(plan, []);
    const half = plan.slice(0, 6).map(({ plannedSeconds }) => plannedSeconds * 2);
    const rest = plan.slice(6).reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
    expect(secondsLeft(plan, half)).toBeCloseTo(rest * 2);
    expect(rest).toBeLessThan(whole);
  });
});

describe('a run', () => {
  test('keeps the repeats of each case together', async () => {
    const { cases, faults, wasCancelled } = await run({});
    expect(cases.map(({ repeats }) => repeats.length)).toEqual([2, 2, 2, 2]);
    expect(faults.map(({ repeats }) => repeats.length)).toEqual([2, 2]);
    expect(wasCancelled).toBe(false);
  });

  test('continues after a failure, and reports it', async () => {
    let runs = 0;
    const { cases, failures } = await run({
      motion: async ({ contestant, bodies, repeat }) => {
        runs += 1;
        if (runs === 2) throw new Error('out of memory\nat somewhere');
        return asClaimed(contestant, bodies, repeat);
      },
    });
    expect(failures).toEqual([
      { contestant: 'cannon-worker-api', bodies: 0, displayHz: 144, message: 'out of memory' },
    ]);
    expect(cases.reduce((sum, { repeats }) => sum + repeats.length, 0)).toBe(7);
  });

  test('keeps the finished cases when it is stopped, and counts no interrupted case as a failure', async () => {
    let runs = 0;
    const parts: boolean[] = [];
    const result = await run({
      motion: async ({ contestant, bodies, repeat }) => {
        runs += 1;
        if (runs > 3) throw new Error('the page is closed');
        return asClaimed(contestant, bodies, repeat);
      },
      isStopRequested: () => runs > 3,
      onPart: ({ wasCancelled }) => parts.push(wasCancelled),
    });
    expect(result).toMatchObject({ wasCancelled: true, failures: [] });
    expect(result.cases.map(({ repeats }) => repeats.length)).toEqual([2, 1]);
    // Intermediate files are marked as partial.
    expect(parts).toEqual([true, true, true, true, true, true, true]);
  });
});

describe('arguments', () => {
  test('has the defaults of the task', () => {
    expect(readArguments([]).options).toMatchObject({
      bodies: [0, 200, 400, 1000, 2000],
      displayHz: [60, 144],
      repeats: 3,
      seconds: 5,
    });
    expect(readArguments(['--quick']).options.isQuick).toBe(true);
    expect(
      readArguments(['--contestants', 'main-loop, betwixt-rapier']).options.contestants,
    ).toEqual(['main-loop', 'betwixt-rapier']);
  });

  test.each([
    [['--bodies', '1,,2'], '--bodies must be values between commas, but is "1,,2"'],
    [['--bodies', '1.5'], '--bodies must be a whole number, but is "1.5"'],
    [['--hz', '5'], '--hz must be a number from 10 to 1000, but is "5"'],
    [['--contestants', 'unity'], '--contestants must be of betwixt-rapier, '],
    [['--repeats', '0'], '--repeats must be a number from 1 to 100, but is "0"'],
    [['--sedonds', '5'], "Unknown option '--sedonds'"],
  ])('%j', (args, message) => {
    expect(() => readArguments(args)).toThrow(RefusedError);
    expect(() => readArguments(args)).toThrow(message);
  });
});

describe('the report', () => {
  test('includes losses as well as wins', async () => {
    const result = await scriptedResult((name, bodies, repeat) =>
      name.startsWith('betwixt-')
        ? scriptedRepeat(
            { costMs: () => 0.1 + repeat / 1e4 },
            { ageMs: { p50: 25 + repeat / 10, p99: 26, max: 27 } },
          )
        : {
            ...asClaimed(name, bodies, repeat),
            ageMs: { p50: 16 + repeat / 10, p99: 16.7, max: 17 },
          },
    );
    const [pair] = comparedPairs(result);
    const outcomes = Object.fromEntries(
      (pair?.ratios ?? []).map(({ metric, outcome }) => [metric.name, outcome]),
    );
    expect(outcomes).toMatchObject({
      'frame p95 ms': 'less',
      'pose age p50 ms': 'more',
      'repeated frames %': 'less',
      'missed frames %': 'no difference',
    });
    const text = peersSummary(result);
    expect(text).toMatch(
      /pose age p50 ms +25\.1 +16\.1 +1\.6 : 1 +ours more \(1\.5 : 1 to 1\.6 : 1\)/,
    );
    expect(text).toMatch(/frame p95 ms +0\.10 +4\.04 +1 : 40 +ours less/);
    expect(text).toContain('✓ holds: 144 Hz: no frame of ours costs over 6.94 ms');
    const html = peersReportHtml(result);
    expect(html).toContain('ours more');
    expect(html).toContain('ours less');
  });

  test('shows no verdict for two repeats that are far apart, in few digits', async () => {
    const result = await scriptedResult(
      (name, _bodies, repeat) => {
        const costs = name === 'betwixt-rapier' ? [0.1, 40] : [0.1, 0.2];
        return scriptedRepeat({ costMs: () => costs[repeat] ?? 0 });
      },
      undefined,
      { ...OPTIONS, bodies: [1000], repeats: 2 },
    );
    const text = peersSummary(result);
    expect(text).toMatch(/cannot tell: more repeats \(< 1 : 1000 to > 1000 : 1\)/);
    expect(text).not.toMatch(/frame p95 ms .*no difference \([^t]/);
    expect(text).not.toMatch(/\d{7}|\de\+/);
    expect(peersReportHtml(result)).toContain('words cannot-tell');
  });

  test('shows claims without figures in one line', async () => {
    const result = await scriptedResult(undefined, undefined, {
      ...OPTIONS,
      contestants: ['main-loop'],
    });
    const text = peersSummary(result);
    expect(text.match(/not measured/g)).toHaveLength(1);
    expect(text).toContain('– 14 claims were not measured in this run');
    expect(peersReportHtml(result)).toContain('<summary>14 claims were not measured in this run');
  });

  test('escapes a message from outside', async () => {
    const result = await scriptedResult();
    const message = '<img src=x onerror=alert(1)>';
    const failures = [{ contestant: 'main-loop' as const, bodies: 0, displayHz: 60, message }];
    expect(peersReportHtml({ ...result, failures })).not.toContain('<img');
  });
});

test('every contestant gets the same heap, after it has settled', async () => {
  const [scene, again] = [await settledScene(40, 3), await settledScene(40, 3)];
  expect(scene).toEqual(again);
  expect(scene.boxes).toHaveLength(40);
  expect(scene.boxes.every(([, y]) => y > 0.4 && y < 8)).toBe(true);
  expect((await settledScene(0, 3)).boxes).toEqual([]);
});
