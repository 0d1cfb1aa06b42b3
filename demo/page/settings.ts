/** The page's settings and their form in its address. Pure: reads no address and no page. */
import { SCENES, SCENE_NAMES, type SceneName } from '../contract/scene-contract.js';
import type { InterpolationMode, Transport } from '../../src/render-main/index.js';
import {
  choice,
  decimal,
  flag,
  integer,
  numberOf,
  optional,
  type Parameter,
  type Parameters,
} from '../../site/parameters.js';
import {
  AddressReader,
  changedTexts,
  queryOf,
  type SettingProblem,
} from '../../site/settings-address.js';
import { INTERPOLATION_MODES, TRANSPORTS } from './library-choices.js';
import { QUALITIES, type Quality } from './quality/levels.js';

/** Maximum frames a second; `off` draws every frame of the display. */
export const FRAME_LIMITS = ['off', 30, 50, 60, 120, 144] as const;
export type FrameLimit = (typeof FRAME_LIMITS)[number];

/** Builds of the physics engine: the fast one, and the one with equal results on every machine. */
export const ENGINES = ['simd', 'deterministic'] as const;
export type EngineName = (typeof ENGINES)[number];

/** The range of bodies depends on the scene. The panel has those of tick rate and time scale, too. */
export const RANGES = {
  tickHz: [10, 240],
  timeScale: [0.1, 2],
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
  readonly timeScale: number;
  readonly paused: boolean;
  readonly frameLimit: FrameLimit;
  readonly interpolation: InterpolationMode;
  /** Left half without interpolation, right half with it. */
  readonly split: boolean;
  readonly quality: Quality;
  /** The measurements are unfolded, and the settings. */
  readonly hud: boolean;
  readonly panel: boolean;
  readonly engine: EngineName;
  /** Transport of the states: shared memory if possible, unless set otherwise. */
  readonly transport: Transport | 'auto';
  /** Capacity of the snapshots, in bodies. */
  readonly capacity: number;
  /** Size of the canvas in CSS pixels, both or none; undefined: fill the window. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export type SettingName = keyof Settings;

/** Defaults, which an address can omit. The number of bodies depends on the scene. */
const INITIAL: Omit<Settings, 'scene' | 'bodies'> = {
  seed: 1,
  tickHz: 60,
  timeScale: 1,
  paused: false,
  frameLimit: 'off',
  interpolation: 'interpolate',
  split: false,
  quality: 'auto',
  hud: false,
  panel: false,
  engine: 'simd',
  transport: 'auto',
  capacity: 8192,
  width: undefined,
  height: undefined,
};
const DEFAULT_SCENE: SceneName = 'tower';

const SCENE = choice<SceneName>(SCENE_NAMES);

/** The settings of an address that names at most a scene. */
export function defaultSettings(scene: SceneName = DEFAULT_SCENE): Settings {
  return { scene, bodies: SCENES[scene].bodies[1], ...INITIAL };
}

/**
 * Reads the settings from an address.
 *
 * @param search Its query, as in `location.search`.
 * @returns Complete settings, and a problem for each parameter that was invalid and was replaced.
 */
export function parseSettings(search: string): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const address = new AddressReader(search);
  const { problems } = address;
  const scene = address.read('scene', SCENE, DEFAULT_SCENE);
  const others = { bodies: bodiesOf(scene), ...COMMON_PARAMETERS };
  const settings = {
    scene,
    ...address.readAll<Omit<Settings, 'scene'>>(others, defaultSettings(scene)),
  };
  const known = ['scene', ...Object.keys(others)];
  const unknown = address.names.filter((name) => !known.includes(name));
  if (unknown.length > 0) problems.push(unknownProblem(unknown, known));
  return { settings: withWholeSize(settings, problems), problems };
}

/**
 * Writes settings that differ from the defaults as the query of an address.
 *
 * @returns For example `?scene=heap&tickHz=30`; an empty text when nothing differs.
 */
export function serialiseSettings(settings: Settings): string {
  const { scene } = settings;
  const initial = { ...defaultSettings(scene), scene: DEFAULT_SCENE };
  return queryOf(changedTexts(parametersOf(scene), settings, initial));
}

/** The text of a setting, as in an address and in a control. */
export function textOf(settings: Settings, name: SettingName): string {
  const { format } = parametersOf(settings.scene)[name] as Pick<Parameter<unknown>, 'format'>;
  return format(settings[name]);
}

/** The change that the text of a control asks for. A scene comes with its own number of bodies. */
export function changeOf({ scene }: Settings, name: SettingName, text: string): Partial<Settings> {
  const value = parametersOf(scene)[name].parse(text);
  const chosen = name === 'scene' ? SCENE.parse(text) : undefined;
  if (chosen !== undefined) return { scene: chosen, bodies: SCENES[chosen].bodies[1] };
  return value === undefined ? {} : { [name]: value };
}

/** One problem for all of them: the list of valid names fills a phone. */
function unknownProblem(unknown: readonly string[], known: readonly string[]): SettingProblem {
  const parameter = unknown.join(', ');
  const noun = unknown.length === 1 ? 'parameter' : 'parameters';
  return { parameter, message: `Unknown ${noun}: ${parameter}. Known are ${known.join(', ')}.` };
}

function parametersOf(scene: SceneName): Parameters<Settings> {
  return { scene: SCENE, bodies: bodiesOf(scene), ...COMMON_PARAMETERS };
}

function bodiesOf(scene: SceneName): Parameter<number> {
  const [min, , max] = SCENES[scene].bodies;
  const within = integer([min, max]);
  return {
    ...within,
    rule: `${within.rule} in the scene ${scene}`,
    // A number out of range is clamped: the user wanted few or many, whatever the scene has room
    // for.
    nearest: (text) => {
      const wanted = numberOf(text);
      return Number.isInteger(wanted) && wanted !== undefined
        ? Math.min(max, Math.max(min, wanted))
        : undefined;
    },
  };
}

const COMMON_PARAMETERS: Parameters<Omit<Settings, 'scene' | 'bodies'>> = {
  seed: integer(RANGES.seed),
  tickHz: integer(RANGES.tickHz),
  timeScale: decimal(RANGES.timeScale),
  paused: flag,
  frameLimit: choice<FrameLimit>(FRAME_LIMITS),
  interpolation: choice<InterpolationMode>(INTERPOLATION_MODES),
  split: flag,
  quality: choice<Quality>(QUALITIES),
  hud: flag,
  panel: flag,
  engine: choice<EngineName>(ENGINES),
  transport: choice<Transport | 'auto'>(['auto', ...TRANSPORTS]),
  capacity: integer(RANGES.capacity),
  width: optional(integer(RANGES.pixels)),
  height: optional(integer(RANGES.pixels)),
};

function withWholeSize(settings: Settings, problems: SettingProblem[]): Settings {
  const { width, height } = settings;
  if ((width === undefined) === (height === undefined)) return settings;
  const [given, missing] = width === undefined ? ['height', 'width'] : ['width', 'height'];
  // An invalid one of the two has been reported already.
  if (!problems.some((problem) => problem.parameter === missing)) {
    const message = `${given} has no effect without ${missing}. Filling the window.`;
    problems.push({ parameter: given, message });
  }
  return { ...settings, width: undefined, height: undefined };
}
