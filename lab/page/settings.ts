/** The page's settings and their form in its address. Pure: reads no address and no page. */
import {
  choice,
  decimal,
  either,
  flag,
  integer,
  optional,
  range,
  several,
  type Parameters,
} from '../../site/parameters.js';
import {
  AddressReader,
  changedTexts,
  queryOf,
  type SettingProblem,
} from '../../site/settings-address.js';
import {
  INPUT_MODES,
  type Cost,
  type Hitch,
  type InputMode,
  type Scenario,
  type StepperSettings,
} from '../engine/index.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { LATE_RULE, splitHitches } from './late-hitches.js';
import { cost, hitches } from './parameters.js';
import { PRESETS, PRESET_NAMES, type PresetName } from './presets.js';
import { OWN, STEPPER_OPTIONS, withOption, type GivenOptions } from './stepper-options.js';

/** How fast virtual time passes on the page. */
export const SPEEDS = [1, 0.5, 0.25, 0.1, 0.02] as const;
/** Maximum length of a run, in s: some ten thousand frames, which a chart can still hold. */
export const MAX_SECONDS = 60;
/** Minimum length of the chart's range, in ms. */
export const MIN_VIEW_MS = 2;

/**
 * All except the preset and the steppers' options. Each name is the name of its parameter in the
 * address.
 */
export interface SharedSettings {
  /** The two steppers side by side. */
  readonly left: StepperKind;
  readonly right: StepperKind;
  /** The steppers of the table. */
  readonly table: readonly StepperKind[];
  /** Updates a second for all, or each stepper's own as in its source. */
  readonly tickHz: number | typeof OWN;
  readonly seconds: number;
  readonly displayHz: number;
  readonly vsync: boolean;
  /** Time stamps are off by up to this in either direction, in ms. */
  readonly noiseMs: number;
  /** Maximum frames per second. */
  readonly renderHz: number | 'off';
  readonly skipRepeats: boolean;
  /** Whether an update takes only the input of its own window, or all of it. */
  readonly input: InputMode;
  readonly updateMs: Cost;
  readonly frameMs: Cost;
  readonly wakeLateMs: Cost;
  readonly machineSpeed: number;
  readonly hitches: readonly Hitch[];
  readonly seed: number;
  /** Virtual time over real time. */
  readonly speed: number;
  /** Undefined: true unless the reader prefers reduced motion. */
  readonly paused: boolean | undefined;
  /** Position of a paused page, in ms. */
  readonly at: number | undefined;
  /** The chart's range, in ms; undefined: one second around the position. */
  readonly view: readonly [number, number] | undefined;
}

export interface LabSettings extends SharedSettings {
  readonly preset: PresetName;
  readonly options: GivenOptions;
}

export type SharedName = keyof SharedSettings;

const stepper = choice<StepperKind>(STEPPER_KINDS);

export const PARAMETERS: Parameters<SharedSettings> = {
  left: stepper,
  right: stepper,
  table: several<StepperKind>(STEPPER_KINDS),
  tickHz: either(OWN, decimal([1, 1000])),
  seconds: decimal([0.5, MAX_SECONDS]),
  displayHz: decimal([1, 1000]),
  vsync: flag,
  noiseMs: decimal([0, 100]),
  renderHz: either('off', decimal([1, 1000])),
  skipRepeats: flag,
  input: choice<InputMode>(INPUT_MODES),
  updateMs: cost(1000),
  frameMs: cost(1000),
  wakeLateMs: cost(1000),
  machineSpeed: decimal([0.01, 100]),
  hitches: hitches(MAX_SECONDS * 1000),
  seed: integer([0, 2 ** 32 - 1]),
  speed: choice<number>(SPEEDS),
  paused: optional(flag),
  at: optional(decimal([0, MAX_SECONDS * 1000])),
  view: optional(range(MAX_SECONDS * 1000, MIN_VIEW_MS)),
};
const NAMES = Object.keys(PARAMETERS) as readonly SharedName[];

/** The settings with which every preset starts. */
const START: SharedSettings = {
  left: 'frame-locked',
  right: 'fixed',
  table: STEPPER_KINDS,
  tickHz: 60,
  seconds: 10,
  displayHz: 60,
  vsync: true,
  noiseMs: 0,
  renderHz: 'off',
  skipRepeats: false,
  input: 'sliced',
  updateMs: 2,
  frameMs: 3,
  wakeLateMs: 0,
  machineSpeed: 1,
  hitches: [],
  seed: 1,
  speed: 1,
  paused: undefined,
  at: undefined,
  view: undefined,
};
export const DEFAULT_PRESET: PresetName = '144-hz';

/** The settings of an address that names at most a preset. */
export function presetSettings(preset: PresetName = DEFAULT_PRESET): LabSettings {
  const { settings, options = {} } = PRESETS[preset];
  return { ...START, ...settings, preset, options };
}

/**
 * Reads the settings from an address.
 *
 * @param search Its query, as in `location.search`.
 * @returns Complete settings, and a problem for each parameter that was invalid and was replaced.
 */
export function parseSettings(search: string): {
  readonly settings: LabSettings;
  readonly problems: readonly SettingProblem[];
} {
  const address = new AddressReader(search);
  const { problems } = address;
  const initial = presetSettings(address.read('preset', choice(PRESET_NAMES), DEFAULT_PRESET));
  const shared = { ...initial, ...address.readAll<SharedSettings>(PARAMETERS, initial) };
  const { during, late } = splitHitches(shared);
  // Problems of a preset are not the reader's fault; the page reports them separately.
  const given = address.textOf('hitches');
  if (late.length > 0 && given !== null) {
    const instead = PARAMETERS.hitches.format(during);
    const message =
      `hitches=${given} is invalid: hitches must ${LATE_RULE} ` +
      `(${shared.seconds} s). Using ${instead}.`;
    problems.push({ parameter: 'hitches', message });
    shared.hitches = during;
  }
  let { options } = initial;
  for (const name of address.names) {
    if (name === 'preset' || Object.hasOwn(PARAMETERS, name)) continue;
    const found = findOption(name);
    if (found === undefined) problems.push({ parameter: name, message: unknownMessage(name) });
    else {
      const { kind, option } = found;
      const before = options[kind]?.[option.name] ?? OWN;
      const value = address.read<unknown>(name, either(OWN, option.parameter), before);
      options = withOption(options, kind, option.name, value === OWN ? undefined : value);
    }
  }
  return { settings: { ...shared, options }, problems };
}

/**
 * Writes settings that differ from the preset as the query of an address.
 *
 * @returns For example `?preset=spiral&right=variable&variable.clampRatio=0.75:1.5`; may be empty.
 */
export function serialiseSettings(settings: LabSettings): string {
  const { preset, options } = settings;
  const initial = presetSettings(preset);
  const texts: (readonly [name: string, text: string])[] = [
    ...(preset === DEFAULT_PRESET ? [] : [['preset', preset] as const]),
    ...changedTexts<SharedSettings>(PARAMETERS, settings, initial),
  ];
  for (const kind of STEPPER_KINDS) {
    for (const { name, parameter } of STEPPER_OPTIONS[kind]) {
      const textOf = (given: GivenOptions): string => {
        const value = given[kind]?.[name];
        return value === undefined ? OWN : parameter.format(value);
      };
      const text = textOf(options);
      if (text !== textOf(initial.options)) texts.push([`${kind}.${name}`, text]);
    }
  }
  return queryOf(texts);
}

/** The part of the settings that the engine needs. */
export function engineInput(settings: LabSettings): {
  readonly scenario: Partial<Scenario>;
  readonly steppers: StepperSettings;
} {
  const { tickHz, noiseMs, renderHz, options } = settings;
  const { seconds, displayHz, vsync, skipRepeats, input, updateMs, frameMs } = settings;
  const { wakeLateMs, machineSpeed, hitches: given, seed } = settings;
  return {
    scenario: {
      seconds,
      displayHz,
      vsync,
      skipRepeats,
      input,
      updateMs,
      frameMs,
      wakeLateMs,
      machineSpeed,
      hitches: given,
      seed,
      stampNoiseMs: noiseMs,
      renderHz: renderHz === 'off' ? null : renderHz,
    },
    steppers: tickHz === OWN ? { options } : { tickHz, options },
  };
}

function findOption(name: string) {
  const kind = STEPPER_KINDS.find((known) => name.startsWith(`${known}.`));
  if (kind === undefined) return undefined;
  const option = STEPPER_OPTIONS[kind].find((known) => name === `${kind}.${known.name}`);
  return option === undefined ? undefined : { kind, option };
}

function unknownMessage(name: string): string {
  const kind = STEPPER_KINDS.find((known) => name.startsWith(`${known}.`));
  if (kind !== undefined) {
    const known = STEPPER_OPTIONS[kind].map((option) => `${kind}.${option.name}`).join(', ');
    return `${name} is not an option of ${kind}. Its options are ${known}.`;
  }
  const example = 'fixed.maxFrameMs';
  return `Unknown parameter: ${name}. Known are preset, ${NAMES.join(', ')}, and the loops’ options, such as ${example}.`;
}
