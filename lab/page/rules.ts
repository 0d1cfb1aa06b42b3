/**
 * A loop in one sentence, with its current numbers. The general description of a loop is in
 * STEPPER_INFO. Pure.
 */
import type { ResolvedStepperOptions } from '../engine/loops/registry.js';

type OptionsOf<K extends ResolvedStepperOptions['kind']> = Extract<
  ResolvedStepperOptions,
  { readonly kind: K }
>;

/** Short enough for one line of a panel if only its rate was set. */
export function ruleOf(options: ResolvedStepperOptions): string {
  switch (options.kind) {
    case 'unpaced':
      return `One update of ${periodOf(options.tickRateHz)} and one frame, as fast as possible; no clock.`;
    case 'frame-locked':
      return `One update and one frame in each slot of ${periodOf(options.tickRateHz)}; sleeps for the rest of the slot.`;
    case 'variable':
      return `One update per frame; its step is the time since the last frame${clampOf(options)}.`;
    case 'frame-skip':
      return `${updatesOf(options.tickRateHz)} a second${skipOf(options.maxFrameSkip)}; frames as fast as possible.`;
    case 'fixed-predict':
      return (
        `${updatesOf(options.tickRateHz)} a second${skipOf(options.maxFrameSkip)}; ` +
        'frames extrapolate from the newest state by its velocity.'
      );
    case 'semi-fixed':
      return `Splits the frame’s time into steps of at most ${periodOf(options.tickRateHz)}, the last one shorter${capOf(options.maxSteps)}.`;
    case 'fixed':
      return fixedRule(options);
    case 'refresh-multiple':
      return multipleRule(options);
    case 'rate-groups':
      return groupsRule(options);
    case 'bounded-variable':
      return boundedRule(options);
  }
}

function fixedRule({ tickRateHz, maxFrameMs, maxSteps, interpolate }: OptionsOf<'fixed'>): string {
  const drawn = interpolate ? 'interpolates between the last two states' : 'draws the newest state';
  return (
    `Steps of ${periodOf(tickRateHz)}, at most ${msOf(maxFrameMs)} per frame${capOf(maxSteps)}; ` +
    `${drawn}.`
  );
}

function multipleRule(options: OptionsOf<'refresh-multiple'>): string {
  const { assumedHz, maxIntervals, thresholdMs, overload } = options;
  const intervals = maxIntervals === 1 ? 'one' : `up to ${maxIntervals}`;
  const beyond =
    overload === 'pass-through'
      ? 'all in one'
      : `two of ${msOf(thresholdMs / 2)}, the rest is lost`;
  return (
    `Whole intervals of ${periodOf(assumedHz)}, ${intervals} per update; ` +
    `over ${msOf(thresholdMs)} behind, ${beyond}.`
  );
}

function groupsRule(options: OptionsOf<'rate-groups'>): string {
  const { tickRateHz, renderHz, refreshHz, pollMs, maxSteps, interpolate } = options;
  const drawn = interpolate ? ' between two states' : '';
  return (
    `Update at ${tickRateHz}, render${drawn} at ${renderHz}, refresh at ${refreshHz} Hz${capOf(maxSteps)}; ` +
    `sleeps ${msOf(pollMs)} if nothing is due.`
  );
}

function boundedRule(options: OptionsOf<'bounded-variable'>): string {
  const { maxDtMs, remainder, maxLagMs, maxSteps } = options;
  const cap = capOf(maxSteps);
  if (!remainder) {
    return `Equal steps of at most ${msOf(maxDtMs)} until game time has reached the current time${cap}.`;
  }
  const last = maxLagMs === 0 ? 'the rest' : `the remainder, if over ${msOf(maxLagMs)}`;
  return `Steps of at most ${msOf(maxDtMs)} up to the current time, the last one for ${last}${cap}.`;
}

const updatesOf = (count: number): string => `${count} ${count === 1 ? 'update' : 'updates'}`;

function clampOf({ tickRateHz, clampRatio }: OptionsOf<'variable'>): string {
  if (clampRatio === null) return '';
  const [min, max] = clampRatio.map((ratio) => msOf((ratio * 1000) / tickRateHz));
  return `, but from ${min} to ${max}`;
}

function skipOf(max: number): string {
  return Number.isFinite(max)
    ? `, at most ${max} before a frame`
    : ', all due updates before a frame';
}

function capOf(max: number): string {
  return Number.isFinite(max) ? `, ${updatesOf(max)} per frame at most` : '';
}

const periodOf = (rateHz: number): string => msOf(1000 / rateHz);

/** Three digits are enough to distinguish two settings. */
function msOf(ms: number): string {
  return `${ms >= 1000 ? Math.round(ms) : Number(ms.toPrecision(3))} ms`;
}
