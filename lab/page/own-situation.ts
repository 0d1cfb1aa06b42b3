/** A situation that is nobody's preset, in words made of its settings. Pure. */
import type { Cost } from '../engine/index.js';
import { PRESETS, type PresetName } from './presets.js';
import { presetSettings, serialiseSettings, type LabSettings } from './settings.js';
import { OWN } from './stepper-options.js';

/** What to look for in a situation: the preset's text for as long as it is the preset's. */
export function lookOf(settings: LabSettings): string {
  const preset = shownPreset(settings);
  return preset === undefined ? describeSituation(settings) : PRESETS[preset].look;
}

/** The preset that a situation is; none once something was changed. Where one looks at it does not matter. */
export function shownPreset(settings: LabSettings): PresetName | undefined {
  const { preset } = settings;
  const { at, view, paused, speed, table } = presetSettings(preset);
  const situation = { ...settings, at, view, paused, speed, table };
  return serialiseSettings(situation) === serialiseSettings(presetSettings(preset))
    ? preset
    : undefined;
}

/** For example `A situation of your own: 60 updates a second on a 60 Hz display, …`. */
export function describeSituation(settings: LabSettings): string {
  const { left, right, tickHz, displayHz, vsync, renderHz, skipRepeats, noiseMs } = settings;
  const rate =
    tickHz === OWN ? 'each loop at its own rate' : countOf(tickHz, 'update', ' a second');
  const parts = [
    `${rate} on a ${displayHz} Hz display${vsync ? '' : ', which nothing waits for'}`,
    ...(renderHz === 'off' ? [] : [`at most ${countOf(renderHz, 'frame', ' a second')}`]),
    ...(skipRepeats ? ['no picture drawn twice'] : []),
    `an update costs ${costInWords(settings.updateMs)} and a frame ${costInWords(settings.frameMs)}`,
    ...machine(settings),
    ...(noiseMs === 0 ? [] : [`a clock that is up to ${noiseMs} ms off`]),
  ];
  const loops = left === right ? `A and B are ${left}` : `A is ${left}, B is ${right}`;
  return `A situation of your own: ${parts.join(', ')}. ${loops}${optionsOf(settings)}.`;
}

function machine({ machineSpeed, wakeLateMs, hitches }: LabSettings): readonly string[] {
  const [first, ...more] = hitches;
  return [
    ...(machineSpeed === 1 ? [] : [`on a machine of ${machineSpeed} × the speed`]),
    ...(wakeLateMs === 0 ? [] : [`sleeps end ${costInWords(wakeLateMs)} late`]),
    ...(first === undefined
      ? []
      : more.length === 0
        ? [`a lag of ${first.durationMs} ms at ${first.atMs / 1000} s`]
        : [`${hitches.length} lags`]),
  ];
}

/** Which of the two have options of their own. */
function optionsOf({ left, right, options }: LabSettings): string {
  const changed = [...new Set([left, right])].filter(
    (kind) => Object.keys(options[kind] ?? {}).length > 0,
  );
  return changed.length === 0 ? '' : `, with options set for ${changed.join(' and ')}`;
}

function costInWords(cost: Cost): string {
  if (typeof cost === 'number') return cost === 0 ? 'nothing' : `${cost} ms`;
  if ('minMs' in cost) return `${cost.minMs} to ${cost.maxMs} ms`;
  return `mostly ${cost.medianMs} ms and now and then over ${cost.p99Ms}`;
}

function countOf(count: number, thing: string, per: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}${per}`;
}
