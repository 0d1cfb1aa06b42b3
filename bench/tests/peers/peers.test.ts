/** The comparison with other libraries: its figures, and one run with its summary. */
import { expect, test } from 'vitest';
import { runPeers } from '../../peers/cli/run-peers.js';
import { figuresOf, motionOf, smearedFrames } from '../../peers/engine/frame-log.js';
import { peersSummary } from '../../peers/engine/summary.js';
import { OPTIONS, asClaimed, asClaimedFaults, held, scriptedLog, smooth } from './scripted.js';

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

test('a run of the comparison has a summary', async () => {
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
  const text = peersSummary(result);
  expect(text).toMatch(/frame p95 ms .*ours less/);
  expect(text).toMatch(/cannon-worker-api +18 +0 +0 +dead/);
  expect(text).toContain('failed: @pmndrs/cannon-worker-api, 0 at 144 Hz: <img');
});
