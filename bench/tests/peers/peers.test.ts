/** The comparison with other libraries: its figures, its claims, and one run with its report. */
import { expect, test } from 'vitest';
import { runPeers } from '../../peers/cli/run-peers.js';
import { claimsOf } from '../../peers/engine/claims.js';
import { figuresOf, motionOf, smearedFrames } from '../../peers/engine/frame-log.js';
import { requirePeersResult } from '../../peers/engine/result.js';
import { peersSummary } from '../../peers/engine/summary.js';
import { peersReportHtml } from '../../peers/report/index.js';
import {
  OPTIONS,
  asClaimed,
  asClaimedFaults,
  held,
  scriptedLog,
  scriptedRepeat,
  scriptedResult,
  smooth,
  type FaultScript,
  type Script,
} from './scripted.js';

test('motion that is drawn between two states repeats nothing, and has no error', () => {
  const { single, instanced } = figuresOf(scriptedLog({ x: smooth }));
  expect(single).toMatchObject({ repeated: 0, jumps: 0, backward: 0 });
  expect(single?.timeScale).toBeCloseTo(1, 9);
  expect(single?.animationErrorMs.max).toBeLessThan(1e-9);
  expect(instanced).toEqual(single);
});

test('the newest of 60 states a second on a display of 144 Hz repeats 84 of 144 frames', () => {
  const log = scriptedLog({ x: held, seconds: 5 });
  // The first frame has no predecessor: one more of the pattern replaces it.
  const frame = [...log.frame, 720];
  const motion = motionOf(
    { ...log, frame },
    frame.map((number) => held(number / 144)),
  );
  expect(motion).toMatchObject({ repeated: 84 * 5, jumps: 0 });
  // A late frame shows a whole tick after a frame's time.
  expect(motion?.animationErrorMs.max).toBeCloseTo(1000 / 60 - 1000 / 144, 6);
});

test('slow time, jumps and missed frames are distinguished', () => {
  const slow = scriptedLog({ x: (s) => held(s * 0.7) });
  expect(motionOf(slow, slow.singleX)?.timeScale).toBeCloseTo(0.7, 3);
  const jumping = scriptedLog({ x: (s) => s + (s > 2 && s <= 3 ? 0.1 : 0) });
  expect(figuresOf(jumping).single).toMatchObject({ jumps: 1, backward: 1, repeated: 0 });
  const missing = figuresOf(scriptedLog({ misses: (frame) => frame % 3 === 1 }));
  expect(missing).toMatchObject({ missedFrames: 240, frames: 480 });
  expect(missing.single).toMatchObject({ repeated: 0, jumps: 0 });
  expect(smearedFrames([2, 417.8, 833.7, 1000])).toBe(2);
});

async function failedClaims(
  change: (...of: Parameters<Script>) => ReturnType<Script> | undefined,
  faults: FaultScript = asClaimedFaults,
) {
  const script: Script = (...of) => change(...of) ?? asClaimed(...of);
  return claimsOf(await scriptedResult(script, faults)).filter(
    ({ verdict }) => verdict !== 'holds',
  );
}

test('all claims about the peers hold if everything is as claimed', async () => {
  expect(await failedClaims(() => undefined)).toEqual([]);
});

test.each<[string, RegExp, Script | undefined, FaultScript?]>([
  [
    'a frame over budget',
    /no frame of ours costs over 6\.94 ms/,
    (...[, , repeat]) =>
      scriptedRepeat({ costMs: (frame) => (repeat === 1 && frame === 7 ? 12 : 0.1) }),
  ],
  ['lost time', /runs at 1\.000 of real time/, () => scriptedRepeat({ x: (s) => s * 0.995 })],
  [
    'a repeated frame',
    /repeats the one before/,
    () =>
      scriptedRepeat(
        { x: (s) => (s > 2 && s <= 2 + 1 / 144 ? 2 : s) },
        { tick: { p50Ms: 1, p99Ms: 2, dropped: 0 } },
      ),
  ],
  [
    'an error of the animation',
    /animation error p99 at most 1\/100/,
    () => scriptedRepeat({ x: (s) => s + 0.0005 * Math.sin(s * 300) }),
  ],
  [
    'a smeared teleport',
    /teleports/,
    undefined,
    (name) => ({ ...asClaimedFaults(name), smearedInstanced: 1 }),
  ],
])('%s fails the claim about it', async (_, claim, script, faults) => {
  const failed = await failedClaims(
    (name, bodies, repeat) =>
      name === 'betwixt-cannon' && bodies === 400 ? script?.(name, bodies, repeat) : undefined,
    faults,
  );
  expect(failed.map((one) => one.claim)).toContainEqual(expect.stringMatching(claim));
});

test('one repeat, or a spread that crosses the limit, shows no claim yet', async () => {
  const options = { ...OPTIONS, repeats: 1 };
  const [one] = claimsOf(await scriptedResult(asClaimed, asClaimedFaults, options));
  expect(one?.verdict).toBe('not shown yet');
  const failed = await failedClaims((name, bodies, repeat) =>
    name === 'betwixt-rapier' && bodies === 1000
      ? scriptedRepeat({ costMs: () => [0.02, 0.1, 0.3][repeat] ?? 0 })
      : undefined,
  );
  expect(new Set(failed.map(({ verdict }) => verdict))).toEqual(new Set(['not shown yet']));
});

test('a run of the comparison has a result that is read as it was written, a summary and a report', async () => {
  let runs = 0;
  const result = await runPeers({
    options: { ...OPTIONS, contestants: ['cannon-worker-api', 'betwixt-cannon'], bodies: [0, 400] },
    machine: { cores: 1, cpu: null, os: '', runtimes: {}, engines: {} },
    motion: async ({ contestant, bodies, repeat }) => {
      runs += 1;
      if (runs === 2) throw new Error('<img src=x onerror=alert(1)>\nat somewhere');
      return asClaimed(contestant, bodies, repeat);
    },
    faults: async ({ contestant }) => asClaimedFaults(contestant),
    isStopRequested: () => false,
    onProgress: () => {},
    onPart: () => {},
    now: () => 0,
  });
  expect(result.failures).toMatchObject([{ message: '<img src=x onerror=alert(1)>' }]);
  expect(result.cases.reduce((sum, { repeats }) => sum + repeats.length, 0)).toBe(11);
  expect(requirePeersResult(JSON.parse(JSON.stringify(result)))).toEqual(result);
  const text = peersSummary(result);
  expect(text).toContain('✓ holds: 144 Hz: no frame of ours costs over 6.94 ms');
  expect(text).toMatch(/frame p95 ms .*ours less/);
  const html = peersReportHtml(result);
  expect(html).toContain('ours less');
  expect(html).not.toContain('<img');
});
