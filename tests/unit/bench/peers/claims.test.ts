import { describe, expect, test } from 'vitest';
import { claimsOf, type Claim } from '../../../../bench/peers/engine/claims.js';
import type { ContestantName } from '../../../../bench/peers/engine/contestants.js';
import type { PeerRepeat } from '../../../../bench/peers/engine/result.js';
import {
  OPTIONS,
  asClaimed,
  asClaimedFaults,
  held,
  scriptedRepeat,
  scriptedResult,
  type FaultScript,
} from './scripted.js';

async function claims(
  change: (name: ContestantName, bodies: number, repeat: number) => PeerRepeat | undefined = () =>
    undefined,
  faults: FaultScript = asClaimedFaults,
): Promise<readonly Claim[]> {
  const script: typeof asClaimed = (name, bodies, repeat) =>
    change(name, bodies, repeat) ?? asClaimed(name, bodies, repeat);
  return claimsOf(await scriptedResult(script, faults));
}

const failed = (all: readonly Claim[]): string[] =>
  all.filter(({ verdict }) => verdict !== 'holds').map(({ claim }) => claim);

test('all hold if everything is as claimed, with the figures next to them', async () => {
  const all = await claims();
  expect(failed(all)).toEqual([]);
  expect(all[0]?.measured).toContain('0.10 against 4.04 ms: 1 : 40 (');
  const timeScale = all.find(({ claim }) => claim.includes('real time'));
  expect(timeScale?.measured).toBe('1.000, 1.000, 1.000 against 0.700, 0.700, 0.700');
});

/** One frame of the largest scene repeats the one before. */
function stops(dropped: number): Promise<readonly Claim[]> {
  return claims((name, bodies) =>
    name === 'betwixt-cannon' && bodies === 2000
      ? scriptedRepeat(
          { x: (s) => (s > 2 && s <= 2 + 1 / 144 ? 2 : s) },
          { tick: { p50Ms: 1, p99Ms: 2, dropped } },
        )
      : undefined,
  );
}

const wavy = (s: number): number => s + 0.0005 * Math.sin(s * 300);

describe('each fails by itself when its figure is planted', () => {
  test('a frame that costs more than a twentieth', async () => {
    const all = await claims((name, bodies) =>
      name === 'betwixt-rapier' && bodies === 2000
        ? scriptedRepeat({ costMs: () => 0.3 })
        : undefined,
    );
    expect(failed(all)).toEqual([
      "2,000 bodies, 144 Hz: a frame of betwixt, Rapier costs at most 1/20 of @react-three/rapier's at p95",
      "2,000 bodies, 144 Hz: a frame of betwixt, Rapier costs at most 1/20 of @react-three/rapier, instanced's at p95",
    ]);
  });

  test('one frame over budget, and the reason: the work itself was quick', async () => {
    const all = await claims((name, bodies, repeat) =>
      name === 'betwixt-cannon' && bodies === 1000 && repeat === 1
        ? scriptedRepeat(
            { costMs: (frame) => (frame === 7 ? 12 : 0.1) },
            { doneAgainMs: [[12, 0.09]], lateFrames: 4 },
          )
        : undefined,
    );
    expect(failed(all)).toEqual(['144 Hz: no frame of ours costs over 6.94 ms']);
    const over = all.find(({ verdict }) => verdict !== 'holds');
    expect(over?.measured).toContain('1 of 19,440; longest 12.0 ms');
    expect(over?.measured).toContain('took over that in 0 of 1 of them, at most 0.090 ms');
    expect(over?.measured).toContain('4 frames began over 6.94 ms late');
  });

  test('time lost on our side, and none on theirs', async () => {
    const ours = await claims((name, bodies) =>
      name === 'betwixt-cannon' && bodies === 400
        ? scriptedRepeat({ x: (s) => s * 0.995 })
        : undefined,
    );
    expect(failed(ours)).toEqual([expect.stringContaining('runs at 1.000 of real time')]);
    expect(ours.find(({ claim }) => claim.includes('real time'))?.measured).toContain(
      'No tick was dropped',
    );
    const theirs = await claims((name, bodies) =>
      name === 'cannon-worker-api' && bodies === 400 ? scriptedRepeat({ x: held }) : undefined,
    );
    expect(failed(theirs)).toEqual([expect.stringContaining('runs at 1.000 of real time')]);
  });

  test('a repeated frame; frames with dropped ticks are listed separately', async () => {
    expect(failed(await stops(0))).toContainEqual(
      expect.stringContaining('repeats the one before'),
    );
    const overloaded = await stops(5);
    expect(failed(overloaded)).toEqual([]);
    const repeated = overloaded.find(({ claim }) => claim.includes('repeats'));
    expect(repeated?.measured).toBe(
      '0 as a mesh and 0 as an instance of 17,280 frames in runs in which the worker kept up; ' +
        '3 as a mesh and 3 as an instance of 2,160 frames in runs in which it dropped ticks (betwixt, cannon-es 2,000 at 144 Hz)',
    );
  });

  test('animation error', async () => {
    const all = await claims((name, bodies) =>
      name === 'betwixt-cannon' && bodies === 400 ? scriptedRepeat({ x: wavy }) : undefined,
    );
    expect(failed(all)).toEqual([expect.stringContaining('animation error p99 at most 1/100')]);
  });

  test('a smeared teleport, and an end after an error', async () => {
    const all = await claims(undefined, (name) =>
      name === 'betwixt-rapier'
        ? {
            ...asClaimedFaults(name),
            smearedInstanced: 1,
            afterThrow: { isAlive: false, stoodMs: 6000 },
          }
        : asClaimedFaults(name),
    );
    expect(failed(all)).toEqual([
      expect.stringContaining('betwixt, Rapier: teleports'),
      expect.stringContaining('betwixt, Rapier: alive'),
    ]);
  });
});

test('a spread that crosses the limit is not shown yet', async () => {
  const all = await claims((name, bodies, repeat) =>
    name === 'betwixt-rapier' && bodies === 1000
      ? scriptedRepeat({ costMs: () => [0.02, 0.1, 0.3][repeat] ?? 0 })
      : undefined,
  );
  const unsure = all.filter(({ verdict }) => verdict === 'not shown yet');
  expect(failed(all)).toEqual(unsure.map(({ claim }) => claim));
  expect(unsure).toEqual([all[1], all[2]]);
  expect(all[1]?.measured).toContain('which reaches past 1/20');
  expect(all[0]?.measured).not.toContain('reaches past');
});

test('one repeat shows nothing, however far it is from the limit', async () => {
  const all = claimsOf(
    await scriptedResult(asClaimed, asClaimedFaults, { ...OPTIONS, repeats: 1 }),
  );
  expect(all[0]).toMatchObject({ verdict: 'not shown yet' });
  expect(all[0]?.measured).toContain('too few repeats for its spread');
});

test('figures that were not measured are not claimed', async () => {
  const options = { ...OPTIONS, contestants: ['main-loop' as const], bodies: [200] };
  const all = claimsOf(await scriptedResult(asClaimed, asClaimedFaults, options));
  expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(['not measured']));
});
