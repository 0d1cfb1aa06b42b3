/** What the page can be set to, and how that stands in its address. Pure: reads no address and no page. */
import { SCENES, SCENE_NAMES, type SceneName } from '../contract/scene-contract.js';
import {
  INTERPOLATION_MODES,
  TRANSPORTS,
  WORKER_STEPPERS,
  type InterpolationMode,
  type Transport,
  type WorkerStepperKind,
} from '../../src/render-main/index.js';
import { QUALITIES, type Quality } from './quality/levels.js';
import { HALF_RATE_PATTERNS, type HalfRatePattern } from './view/half-rate-drawing.js';

/** Frames a second to draw at most; `off` draws every frame of the display. */
export const FRAME_LIMITS = ['off', 30, 50, 60, 120, 144] as const;
export type FrameLimit = (typeof FRAME_LIMITS)[number];

/** Which half of the pixels a frame draws; `off` draws all of them. */
export const HALF_RATES = ['off', ...HALF_RATE_PATTERNS] as const;
export type HalfRate = 'off' | HalfRatePattern;

/** Builds of the physics engine: the fast one, and the one with equal results on every machine. */
export const ENGINES = ['simd', 'deterministic'] as const;
export type EngineName = (typeof ENGINES)[number];

/** What a simulation does that needs more time than there is. */
export const OVERLOAD_WAYS = ['slow-motion', 'pause'] as const;
export type OverloadWay = (typeof OVERLOAD_WAYS)[number];

/** Ranges that the panel and the address share. Bodies have one for each scene. */
export const RANGES = {
  tickHz: [10, 240],
  timeScale: [0.1, 2],
  stallMs: [100, 2000],
  seed: [0, 2 ** 32 - 1],
  capacity: [1, 2 ** 20],
  pixels: [16, 8192],
} as const;

/** Each name is the name of its parameter in the address. */
export interface Settings {
  readonly scene: SceneName;
  /** Moving bodies. */
  readonly bodies: number;
  /** Seed of everything random in a scene. */
  readonly seed: number;
  readonly tickHz: number;
  /** The loop that paces the worker. */
  readonly stepper: WorkerStepperKind;
  readonly timeScale: number;
  /** What happens when the simulation cannot keep up. */
  readonly overload: OverloadWay;
  readonly paused: boolean;
  readonly frameLimit: FrameLimit;
  readonly interpolation: InterpolationMode;
  /** Left half without interpolation, right half with it. */
  readonly split: boolean;
  /** How fine pictures are: a level, or what the machine draws fluently. */
  readonly quality: Quality;
  /** Shadows, where the quality has any. */
  readonly shadows: boolean;
  /** Half of the pixels a frame; not in the split view. */
  readonly halfRate: HalfRate;
  /** How long the stall buttons hold the page or the worker, in ms. */
  readonly stallMs: number;
  /** The head-up display is unfolded; undefined: where there is room. */
  readonly hud: boolean | undefined;
  /** The panel is unfolded; undefined: where there is room. */
  readonly panel: boolean | undefined;
  readonly engine: EngineName;
  /** What carries the states: shared memory where that is possible, unless another one is asked for. */
  readonly transport: Transport | 'auto';
  /** Most bodies that the snapshots have room for. */
  readonly capacity: number;
  /** Size of the canvas in CSS pixels, both or none; undefined: fill the window. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export type SettingName = keyof Settings;

/** A parameter that was not taken as it stands, as a sentence for the reader of the page. */
export interface SettingProblem {
  /** Its name, or their names where several are told of at once. */
  readonly parameter: string;
  readonly message: string;
}

interface Parameter<T> {
  readonly initial: T;
  /** Completes "must be …". */
  readonly rule: string;
  /** Undefined for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  /** What comes nearest to a text that breaks it; the initial value where nothing does. */
  readonly nearest?: (text: string) => T | undefined;
}

type Parameters = { readonly [K in SettingName]: Parameter<Settings[K]> };

/** The settings of an address that names a scene at most. */
export function defaultSettings(scene: SceneName = 'tower'): Settings {
  return { ...settingsFrom(parametersOf(scene), (parameter) => parameter.initial), scene };
}

/**
 * Reads the settings out of an address.
 *
 * @param search Its query, as in `location.search`.
 * @returns Complete settings, and a problem for each parameter that broke its rule and was replaced.
 */
export function parseSettings(search: string): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const query = new URLSearchParams(search);
  const problems: SettingProblem[] = [];
  const read = <T>(parameter: Parameter<T>, name: string): T => {
    const text = query.get(name);
    if (text === null) return parameter.initial;
    const value = parameter.parse(text.trim());
    if (value !== undefined) return value;
    const used = parameter.nearest?.(text.trim()) ?? parameter.initial;
    const message = `${name}=${text} does not work: ${name} must be ${parameter.rule}. Using ${format(used)}.`;
    problems.push({ parameter: name, message });
    return used;
  };

  const scene = read(parametersOf('tower').scene, 'scene');
  const parameters = parametersOf(scene);
  // The scene has been read, and told of, already.
  query.set('scene', scene);
  const settings = settingsFrom(parameters, read);

  const unknown = [...new Set(query.keys())].filter((name) => !Object.hasOwn(parameters, name));
  if (unknown.length > 0) problems.push(unknownProblem(unknown, Object.keys(parameters)));
  return { settings: withWholeSize(settings, problems), problems };
}

/**
 * Writes settings as the query of an address, with what differs from the defaults.
 *
 * @returns For example `?scene=heap&tickHz=30`; an empty text when nothing differs.
 */
export function serialiseSettings(settings: Settings): string {
  const initial = { ...defaultSettings(settings.scene), scene: defaultSettings().scene };
  const query = new URLSearchParams();
  for (const name of Object.keys(initial) as SettingName[]) {
    if (settings[name] !== initial[name]) query.set(name, format(settings[name]));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** One for all of them: the list of what there is fills a phone. */
function unknownProblem(unknown: readonly string[], known: readonly string[]): SettingProblem {
  const parameter = unknown.join(', ');
  const are = unknown.length === 1 ? 'is not a parameter' : 'are not parameters';
  return { parameter, message: `${parameter} ${are} of this page. It knows ${known.join(', ')}.` };
}

function parametersOf(scene: SceneName): Parameters {
  const [least, usual, most] = SCENES[scene].bodies;
  return {
    scene: choice<SceneName>('tower', SCENE_NAMES),
    bodies: {
      ...integer(usual, [least, most], ` in the scene ${scene}`),
      // Who asks for few or for many means that, whatever the scene has room for.
      nearest: (text) => {
        const wanted = numberWithin(text, -Infinity, Infinity, true);
        return wanted === undefined ? undefined : Math.min(most, Math.max(least, wanted));
      },
    },
    ...COMMON_PARAMETERS,
  };
}

function integer(
  initial: number,
  [least, most]: readonly [number, number],
  where = '',
): Parameter<number> {
  return {
    initial,
    rule: `a whole number from ${least} to ${most}${where}`,
    parse: (text) => numberWithin(text, least, most, true),
  };
}

function decimal(initial: number, [least, most]: readonly [number, number]): Parameter<number> {
  return {
    initial,
    rule: `a number from ${least} to ${most}`,
    parse: (text) => numberWithin(text, least, most, false),
  };
}

function flag<T extends boolean | undefined>(initial: T): Parameter<boolean | T> {
  return {
    initial,
    rule: '1 or 0',
    parse: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  };
}

function choice<T extends string | number>(initial: T, values: readonly T[]): Parameter<T> {
  return {
    initial,
    rule: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => String(value) === text),
  };
}

const pixels: Parameter<number | undefined> = {
  ...integer(0, RANGES.pixels),
  initial: undefined,
};

const COMMON_PARAMETERS = {
  seed: integer(1, RANGES.seed),
  tickHz: integer(60, RANGES.tickHz),
  stepper: choice<WorkerStepperKind>('fixed', WORKER_STEPPERS),
  timeScale: decimal(1, RANGES.timeScale),
  overload: choice<OverloadWay>('slow-motion', OVERLOAD_WAYS),
  paused: flag(false),
  frameLimit: choice<FrameLimit>('off', FRAME_LIMITS),
  interpolation: choice<InterpolationMode>('interpolate', INTERPOLATION_MODES),
  split: flag(false),
  quality: choice<Quality>('auto', QUALITIES),
  shadows: flag(true),
  halfRate: choice<HalfRate>('off', HALF_RATES),
  stallMs: integer(500, RANGES.stallMs),
  hud: flag(undefined),
  panel: flag(undefined),
  engine: choice<EngineName>('simd', ENGINES),
  transport: choice<Transport | 'auto'>('auto', ['auto', ...TRANSPORTS]),
  capacity: integer(8192, RANGES.capacity),
  width: pixels,
  height: pixels,
};

/** Calls `valueOf` once for every parameter; the one place where names and types are brought together. */
function settingsFrom(
  parameters: Parameters,
  valueOf: <T>(parameter: Parameter<T>, name: string) => T,
): Settings {
  const entries = Object.entries(parameters).map(([name, parameter]) => [
    name,
    valueOf(parameter as Parameter<unknown>, name),
  ]);
  return Object.fromEntries(entries) as unknown as Settings;
}

function withWholeSize(settings: Settings, problems: SettingProblem[]): Settings {
  const { width, height } = settings;
  if ((width === undefined) === (height === undefined)) return settings;
  const [given, missing] = width === undefined ? ['height', 'width'] : ['width', 'height'];
  // A wrong one of the two has been told of already.
  if (!problems.some((problem) => problem.parameter === missing)) {
    const message = `${given} does nothing alone: give ${missing} as well. Filling the window.`;
    problems.push({ parameter: given, message });
  }
  return { ...settings, width: undefined, height: undefined };
}

function numberWithin(
  text: string,
  least: number,
  most: number,
  isWhole: boolean,
): number | undefined {
  // Number('') is 0, and Number('0x10') is 16: neither is a number to a reader.
  if (!/^-?(?:\d+\.?\d*|\.\d+)$/.test(text)) return undefined;
  const value = Number(text);
  if (value < least || value > most || (isWhole && !Number.isInteger(value))) return undefined;
  return value;
}

function format(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return value === undefined ? 'the default' : String(value);
}
