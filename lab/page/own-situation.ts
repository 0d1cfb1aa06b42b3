/** Describes a situation that is not a preset, from its settings. Pure. */
import type { Cost } from '../engine/index.js';
import type { StepperKind } from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { splitHitches } from './late-hitches.js';
import { PRESETS, type PresetName } from './presets.js';
import { resolvedOptions } from './resolved-options.js';
import { presetSettings, serialiseSettings, type LabSettings } from './settings.js';

/** What to look for in a situation: the preset's text while nothing was changed. */
export function lookOf(settings: LabSettings): string {
  const preset = shownPreset(settings);
  return preset === undefined ? describeSituation(settings) : PRESETS[preset].look;
}

/**
 * The preset that a situation equals; undefined once something was changed. The range does not
 * count.
 */
export function shownPreset(settings: LabSettings): PresetName | undefined {
  const { preset } = settings;
  const { at, view, paused, speed, table } = presetSettings(preset);
  const situation = { ...settings, at, view, paused, speed, table };
  return serialiseSettings(situation) === serialiseSettings(presetSettings(preset))
    ? preset
    : undefined;
}

/** For example `A situation of your own: a 60 Hz display, … A is variable; B is fixed, set to 60 updates per second.` */
export function describeSituation(settings: LabSettings): string {
  const { displayHz, vsync, renderHz, skipRepeats, input, noiseMs } = settings;
  const parts = [
    `a ${displayHz} Hz display${vsync ? '' : ' without vsync'}`,
    ...(renderHz === 'off' ? [] : [`at most ${countOf(renderHz, 'frame', ' per second')}`]),
    ...(skipRepeats ? ['unchanged frames skipped'] : []),
    `an update costs ${costInWords(settings.updateMs)} and a frame ${costInWords(settings.frameMs)}`,
    ...machine(settings),
    ...(noiseMs === 0 ? [] : [`timestamps up to ${noiseMs} ms off`]),
    ...(input === 'sliced' ? [] : ['updates that take all inputs so far']),
  ];
  return `Custom situation: ${parts.join(', ')}. ${loopsOf(settings)}${optionsOf(settings)}.`;
}

/** Which loops, and at what rate they are set to update. */
function loopsOf(settings: LabSettings): string {
  const { left, right } = settings;
  const [leftRate, rightRate] = [left, right].map((kind) => rateOf(kind, settings));
  if (left === right) return `A and B are ${left}${setTo(leftRate)}`;
  if (leftRate !== rightRate) {
    return `A is ${left}${setTo(leftRate)}; B is ${right}${setTo(rightRate)}`;
  }
  const both = leftRate === undefined ? '' : `, both set to ${leftRate}`;
  return `A is ${left}, B is ${right}${both}`;
}

function setTo(rate: string | undefined): string {
  return rate === undefined ? '' : `, set to ${rate}`;
}

/**
 * Undefined for loops whose updates follow the display or the machine, whatever the length of a
 * step.
 */
function rateOf(kind: StepperKind, settings: LabSettings): string | undefined {
  const { step, hasTickRate } = STEPPER_INFO[kind];
  if (step !== 'equal' || !hasTickRate || kind === 'unpaced') return undefined;
  const options = resolvedOptions(kind, settings);
  return 'tickRateHz' in options ? countOf(options.tickRateHz, 'update', ' per second') : undefined;
}

function machine(settings: LabSettings): readonly string[] {
  const { machineSpeed, wakeLateMs } = settings;
  const { during: hitches } = splitHitches(settings);
  const [first, ...more] = hitches;
  return [
    ...(machineSpeed === 1 ? [] : [`on a machine with ${machineSpeed} × the speed`]),
    ...(wakeLateMs === 0 ? [] : [`sleeps end ${costInWords(wakeLateMs)} late`]),
    ...(first === undefined
      ? []
      : more.length === 0
        ? [`a stall of ${first.durationMs} ms at ${first.atMs / 1000} s`]
        : [`${hitches.length} lags`]),
  ];
}

/** Names those of the two that have custom options. */
function optionsOf({ left, right, options }: LabSettings): string {
  const changed = [...new Set([left, right])].filter(
    (kind) => Object.keys(options[kind] ?? {}).length > 0,
  );
  return changed.length === 0 ? '' : `, with options set for ${changed.join(' and ')}`;
}

function costInWords(cost: Cost): string {
  if (typeof cost === 'number') return cost === 0 ? 'nothing' : `${cost} ms`;
  if ('minMs' in cost) return `${cost.minMs} to ${cost.maxMs} ms`;
  return `typically ${cost.medianMs} ms and sometimes over ${cost.p99Ms}`;
}

function countOf(count: number, thing: string, per: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}${per}`;
}
