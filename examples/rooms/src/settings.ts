/** The page's settings and their form in its address. Pure. */
import {
  choice,
  decimal,
  flag,
  optional,
  type Parameter,
  type Parameters,
} from '../../../site/common/parameters.js';
import {
  AddressReader,
  changedTexts,
  queryOf,
  type SettingProblem,
} from '../../../site/common/settings-address.js';
import { MAX_NAME } from './simulation.js';

export const MODES = ['predict', 'stream'] as const;
export type Mode = (typeof MODES)[number];

/** Ranges that the panel and the address share. Times are added to those of the real connection, in ms. */
export const RANGES = { latency: [0, 400], jitter: [0, 200], loss: [0, 10] } as const;

/** Each name is the name of its parameter in the address. */
export interface Settings {
  readonly mode: Mode;
  /** Added to the round trip, in ms. */
  readonly latency: number;
  /** Most that a message takes longer, in ms. */
  readonly jitter: number;
  /** Lost segments, in percent. */
  readonly loss: number;
  /** Whether the newest state of the server is drawn, too. */
  readonly ghost: boolean;
  /** Name of the player; undefined: the page asks. */
  readonly name: string | undefined;
  /** The room of a link; undefined: one that has a free seat, or a new one. */
  readonly room: string | undefined;
  /** Where the rooms are; undefined: where the page is from. */
  readonly server: string | undefined;
}

const INITIAL: Settings = {
  mode: 'predict',
  latency: 0,
  jitter: 0,
  loss: 0,
  ghost: false,
  name: undefined,
  room: undefined,
  server: undefined,
};

const matching = (rule: string, pattern: RegExp): Parameter<string> => ({
  rule,
  parse: (text) => (pattern.test(text) ? text : undefined),
  format: (text) => text,
});

const PARAMETERS: Parameters<Settings> = {
  mode: choice(MODES),
  latency: decimal(RANGES.latency),
  jitter: decimal(RANGES.jitter),
  loss: decimal(RANGES.loss),
  ghost: flag,
  name: optional(
    matching(`a name of at most ${MAX_NAME} characters`, new RegExp(`^.{1,${MAX_NAME}}$`, 'u')),
  ),
  room: optional(matching('the id of a room', /^[\w-]{1,64}$/)),
  server: optional(matching('an address such as http://localhost:2567', /^https?:\/\/[^\s]+$/)),
};

/** @param search The query of an address, as in `location.search`. */
export function parseSettings(search: string): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const address = new AddressReader(search);
  const settings = address.readAll(PARAMETERS, INITIAL);
  const unknown = address.names.filter((name) => !Object.hasOwn(PARAMETERS, name));
  const problems = unknown.map((parameter) => ({
    parameter,
    message: `This page has no parameter ${parameter}.`,
  }));
  return { settings, problems: [...address.problems, ...problems] };
}

/** @returns The query of an address, which names what differs from the defaults. */
export const serialiseSettings = (settings: Settings): string =>
  queryOf(changedTexts(PARAMETERS, settings, INITIAL));
