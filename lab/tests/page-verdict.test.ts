/** The signs on the lab's panels: what is visible at a moment of each preset. */
import { expect, test } from 'vitest';
import { simulate, stepperOptionsFor, Trace } from '../engine/index.js';
import { FAULT_OF, type PresetName } from '../page/presets.js';
import { engineInput, presetSettings } from '../page/settings.js';
import { createTimeline, type Timeline } from '../page/timeline.js';
import { badgesAt } from '../page/verdict.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';

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

test.each(STEPPER_KINDS)('the page shows the fault of %s in its preset', (kind) => {
  const { preset } = FAULT_OF[kind];
  expect(presetSettings(preset).left).toBe(kind);
  expect(badgesOf(timelineOf(preset, 'left'), 500, 4000, 'fault')).toMatch(SEEN[kind]);
});
