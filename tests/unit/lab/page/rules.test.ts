/** The sentence about a loop on the stage describes its options, and the general one does not. */
import { describe, expect, test } from 'vitest';
import { resolvedOptions } from '../../../../lab/page/resolved-options.js';
import { ruleOf } from '../../../../lab/page/rules.js';
import { parseSettings } from '../../../../lab/page/settings.js';
import { STEPPER_OPTIONS } from '../../../../lab/page/stepper-options.js';
import { STEPPER_INFO } from '../../../../lab/engine/loops/stepper-info.js';
import { STEPPER_KINDS, type StepperKind } from '../../../../lab/engine/loops/registry.js';

function ruleIn(kind: StepperKind, query: string): string {
  const { settings, problems } = parseSettings(`?preset=slow-machine&${query}`);
  expect(problems).toEqual([]);
  return ruleOf(resolvedOptions(kind, settings));
}

/**
 * For each option a value that no loop has by default, and what must be set for the option to
 * matter.
 */
const CHANGED: Readonly<Record<string, readonly [text: string, needs?: string]>> = {
  tickRateHz: ['37'],
  clampRatio: ['0.5:2'],
  maxFrameSkip: ['3'],
  maxSteps: ['7'],
  maxFrameMs: ['1000'],
  assumedHz: ['75'],
  maxIntervals: ['8'],
  thresholdMs: ['320'],
  overload: ['pass-through'],
  renderHz: ['144'],
  refreshHz: ['2'],
  pollMs: ['5'],
  maxDtMs: ['50'],
  remainder: ['1'],
  maxLagMs: ['9', 'bounded-variable.remainder=1'],
};

describe.each(STEPPER_KINDS)('%s', (kind) => {
  test.each(STEPPER_OPTIONS[kind].map(({ name }) => name))('explains %s', (name) => {
    const [usual = '', given = ''] = CHANGED[name] ?? [];
    // One of the two that have it draws between two states by itself.
    const text = name !== 'interpolate' ? usual : kind === 'fixed' ? '0' : '1';
    // Without bounds on the step its nominal length does not matter.
    const needs = kind === 'variable' && name === 'tickRateHz' ? 'variable.clampRatio=1:2' : given;
    const own = ruleIn(kind, needs);
    const changed = ruleIn(kind, `${needs}&${kind}.${name}=${text}`);
    expect(changed).not.toBe(own);
    // One sentence, on one line.
    expect(changed).toMatch(/^[A-Z0-9][^\n]+\.$/);
    expect(changed).not.toMatch(/undefined|NaN|Infinity/);
  });

  test('the general sentence contains no number that options can change', () => {
    expect(STEPPER_INFO[kind].rule.replace('1/rate', '')).not.toMatch(
      /\d|\b(?:two|three|four|five|ten|twenty)\b(?! states)/,
    );
  });
});

test.each<[StepperKind, string, RegExp]>([
  ['frame-skip', 'frame-skip.maxFrameSkip=3', /at most 3 before a frame/],
  ['frame-skip', 'frame-skip.maxFrameSkip=none', /all due updates before a frame/],
  ['bounded-variable', 'bounded-variable.maxDtMs=50', /^Equal steps of at most 50 ms/],
  [
    'bounded-variable',
    'bounded-variable.remainder=1',
    /^Steps of at most 20 ms up to the current time.*over 5 ms/,
  ],
  ['refresh-multiple', 'refresh-multiple.maxIntervals=8', /16\.7 ms, up to 8 per update/],
  ['refresh-multiple', 'refresh-multiple.overload=pass-through', /over 100 ms behind, all in one/],
  ['rate-groups', 'rate-groups.pollMs=5', /sleeps 5 ms/],
  ['rate-groups', 'renderHz=30', /render at 30/],
  ['fixed', 'fixed.interpolate=0', /; draws the newest state\.$/],
  [
    'fixed',
    'fixed.maxFrameMs=1000',
    /at most 1000 ms per frame; interpolates between the last two states\.$/,
  ],
  ['variable', 'variable.clampRatio=0.75:1.5', /last frame, but from 12\.5 ms to 25 ms/],
  ['frame-locked', 'tickHz=own', /each slot of 40 ms/],
])('%s with %s', (kind, query, sentence) => {
  expect(ruleIn(kind, query)).toMatch(sentence);
});
