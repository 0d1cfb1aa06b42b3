/** The signs on the lab's panels: what is visible at a moment of each preset. */
import { expect, test } from 'vitest';
import { simulate, stepperOptionsFor, Trace } from '../../../../lab/engine/index.js';
import { FAULT_OF, PRESET_NAMES, PRESETS, type PresetName } from '../../../../lab/page/presets.js';
import { engineInput, presetSettings } from '../../../../lab/page/settings.js';
import { createTimeline, type Timeline } from '../../../../lab/page/timeline.js';
import { badgesAt } from '../../../../lab/page/verdict.js';
import { STEPPER_KINDS, type StepperKind } from '../../../../lab/engine/loops/registry.js';

function timelineOf(preset: PresetName, side: 'left' | 'right'): Timeline {
  const settings = presetSettings(preset);
  const { scenario, steppers } = engineInput(settings);
  const { displayHz = 60, renderHz = null } = scenario;
  const trace = new Trace();
  const options = stepperOptionsFor(settings[side], steppers, { displayHz, renderHz });
  simulate(options, scenario, { trace });
  return createTimeline(trace.spans);
}

/** All signs of a kind within a run, each once. */
function badgesOf(timeline: Timeline, fromMs: number, toMs: number, kind: string): string {
  const texts = new Set<string>();
  for (let atMs = fromMs; atMs <= toMs; atMs += 10) {
    for (const badge of badgesAt(timeline, atMs)) if (badge.kind === kind) texts.add(badge.text);
  }
  return [...texts].join('; ');
}

const SEEN: Readonly<Record<StepperKind, RegExp>> = {
  unpaced: /fast motion, 6\.\d × speed/,
  'frame-locked': /slow motion, 0\.5 × speed/,
  variable: /through the wall/,
  'frame-skip': /6\d % repeats/,
  'fixed-predict': /inside the floor/,
  'semi-fixed': /slow motion.*no frame for 1\.\d s/,
  // Not a fault, but a price.
  fixed: /^$/,
  'refresh-multiple': /through the wall/,
  'rate-groups': /5\d % repeats/,
  'bounded-variable': /uneven/,
};

test.each(STEPPER_KINDS)('%s is shown with its fault', (kind) => {
  const { preset } = FAULT_OF[kind];
  expect(presetSettings(preset).left).toBe(kind);
  expect(badgesOf(timelineOf(preset, 'left'), 500, 4000, 'fault')).toMatch(SEEN[kind]);
});

test.each(PRESET_NAMES.filter((name) => PRESETS[name].stillAtMs !== undefined))(
  'a paused page shows the fault of %s where it is paused',
  (preset) => {
    const { stillAtMs = 0 } = PRESETS[preset];
    const kinds = badgesAt(timelineOf(preset, 'left'), stillAtMs).map(({ kind }) => kind);
    expect(kinds).toContain('fault');
  },
);

test('a late but smooth loop has no fault', () => {
  const timeline = timelineOf('fixed', 'left');
  expect(badgesAt(timeline, 2000)).toEqual([
    { kind: 'fine', text: 'right speed' },
    { kind: 'fine', text: 'smooth' },
  ]);
});

test.each(['144-hz', 'fast-machine', 'noisy-stamps', 'frame-skip', 'fixed-predict'] as const)(
  'the other loop of %s has no fault',
  (preset) => {
    const timeline = timelineOf(preset, 'right');
    expect(badgesOf(timeline, 500, 4000, 'fault')).toBe('');
    expect(badgesOf(timeline, 500, 4000, 'fine')).toBe('right speed; smooth');
  },
);

test('catching up after a lag is called fast motion, without including the lag', () => {
  const timeline = timelineOf('one-lag', 'left');
  expect(badgesOf(timeline, 1700, 1990, 'fault')).toMatch(/no frame for 0\.4 s/);
  expect(badgesOf(timeline, 2020, 2120, 'fault')).toBe('');
  expect(badgesOf(timeline, 2140, 2360, 'fault')).toBe('fast motion, 2.4 × speed');
});

test('a lag is not mixed with its consequences if it is shorter than the window of the signs', () => {
  const timeline = timelineOf('variable', 'right');
  expect(badgesOf(timeline, 860, 2300, 'fault')).toBe('no frame for 0.2 s');
});

test('once it has caught up, no motion is called fast from the next frame on', () => {
  const timeline = timelineOf('one-lag', 'left');
  // When it is behind, it shows a frame at each refresh; then again one in two or three.
  const next = timeline.frames.find(
    ({ displayedMs }, index) =>
      displayedMs > 2100 && displayedMs - (timeline.frames[index - 1]?.displayedMs ?? 0) > 20,
  );
  if (next === undefined) throw new Error('it never caught up');
  expect(badgesOf(timeline, next.displayedMs, 4000, 'fault')).not.toMatch(/motion/);
  expect(badgesOf(timeline, 2600, 2800, 'fault')).toMatch(/frames\/s/);
  expect(badgesOf(timeline, 2900, 4000, 'fine')).toBe('right speed');
});

test('frames of unequal steps are not mistaken for another pace', () => {
  // 25 states a second on a 60 Hz display: two refreshes, three, two, …
  const timeline = timelineOf('one-lag', 'left');
  expect(badgesOf(timeline, 300, 1490, 'fault')).not.toMatch(/motion/);
});

test.each(['one-lag', 'variable', 'spiral', 'refresh-multiple'] as const)(
  'neither loop of %s is praised while its drawing is frozen, nor soon after',
  (preset) => {
    let frozen = 0;
    for (const side of ['left', 'right'] as const) {
      const timeline = timelineOf(preset, side);
      const { frames } = timeline;
      for (let atMs = 500; atMs <= 4000; atMs += 10) {
        const shown = frames.filter(({ displayedMs }) => displayedMs <= atMs);
        const times = [...shown.map(({ displayedMs }) => displayedMs), atMs];
        const wasFrozen = times.some(
          (ms, index) => ms > atMs - 800 && ms - (times[index - 1] ?? ms) >= 150,
        );
        const praise = badgesAt(timeline, atMs).filter(({ kind }) => kind === 'fine');
        if (!wasFrozen) continue;
        frozen += 1;
        expect({ atMs, praise }).toEqual({ atMs, praise: [] });
      }
    }
    expect(frozen).toBeGreaterThan(50);
  },
);

test('a loop that continues well after a freeze reports the freeze, and then is fine again', () => {
  const timeline = timelineOf('one-lag', 'right');
  expect(badgesOf(timeline, 2400, 2600, 'note')).toBe('stalled for 0.5 s');
  expect(badgesAt(timeline, 3200).map(({ text }) => text)).toEqual(['right speed', 'smooth']);
});

test('there is no sign before the first frame', () => {
  expect(badgesAt(createTimeline([]), 100)).toEqual([]);
});

test('frames before anything can move are not repeats', () => {
  const { frames } = timelineOf('144-hz', 'right');
  const start = frames.filter(({ shownMs }) => shownMs === 0);
  expect(start.length).toBeGreaterThan(2);
  expect(start.some(({ isRepeat }) => isRepeat)).toBe(false);
});
