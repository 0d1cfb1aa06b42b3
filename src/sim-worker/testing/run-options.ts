/** The options of a test's run: checked and complete. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { copyOfJson, type Json } from '../../shared/util/json.js';
import { MAX_CAPACITY, MAX_VALUES } from '../../shared/memory/layout.js';
import * as LIMITS from '../../shared/util/limits.js';
import {
  assetBytes,
  assetName,
  type Asset,
  requireNamedAssets,
} from '../../shared/recording/asset.js';
import {
  assetsOfEntry,
  INVALID_POSE_POLICIES,
  RUN_DEFAULTS,
  type InvalidPosePolicy,
  type SavedState,
} from '../../shared/recording/recording.js';
import { requireSavedState } from '../../shared/recording/recording-checks.js';
import {
  anything,
  checkOptions,
  choice,
  integer,
  list,
  number,
  optional,
  type Check,
  type Checked,
} from '../../shared/util/options.js';
import { requireChoice, requireFunction } from '../../shared/util/validate.js';
import { decodeRunState } from '../run/saved-run.js';
import { entriesOf, type CommandAtTick, type InputAtTick } from './inputs-at-ticks.js';
import type { TickState } from './tick-run.js';

/**
 * Options of `runTicks`.
 *
 * @typeParam C The simulation's commands.
 */
export interface RunTicksOptions<C extends CommandMap = CommandMap> {
  /** Number of ticks to run, 0 to 2^53 - 1. With 0 the simulation is only built. */
  readonly ticks: number;
  /** Ticks per simulated second, in Hz, 1 to 1000. Default 60. */
  readonly tickRateHz?: number;
  /** Most bodies, 1 to 2^20. Default 4096, or that of the run of `start`. */
  readonly capacity?: number;
  /** Length of the simulation's `context.values`, 0 to 65,536. Default 0. */
  readonly values?: number;
  /** Seed of the run's random source, an integer, 0 to 2^32 - 1. Default 1. Not with `start`. */
  readonly seed?: number;
  /** The data that the run is built from: plain data. Default null. Not with `start`. */
  readonly setup?: Json;
  /** The inputs of the ticks. Those of one tick are passed in this order; moves are not merged. Default none. */
  readonly inputs?: readonly InputAtTick[];
  /** The commands to call. Those of one tick run in this order. Default none. */
  readonly commands?: readonly CommandAtTick<C>[];
  /** The assets that the commands name, by what `assetName` returns of them. Default none. */
  readonly assets?: readonly ArrayBufferView[];
  /** Ticks between state hashes, 0 to 1,000,000; 0: only the last state is hashed. Default 0. */
  readonly hashEveryTicks?: number;
  /** Ticks between saved states in `recording.states`, 0 to 1,000,000; 0: none are saved. Default 0. */
  readonly saveEveryTicks?: number;
  /** A saved state to continue from. Its run decides seed and setup. Default: the simulation's beginning, at tick 0. */
  readonly start?: SavedState;
  /** What to do with a body whose pose has a NaN or infinite number. Default `freeze`. */
  readonly invalidPosePolicy?: InvalidPosePolicy;
  /** Called after every tick; the state may be read until it returns. Default: nothing is called. */
  readonly onTick?: (state: TickState) => void;
}

const MAX_TICKS_BETWEEN = 1_000_000;
const OPTIONS = {
  ticks: integer(0, Number.MAX_SAFE_INTEGER),
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  capacity: optional(integer(1, MAX_CAPACITY)),
  values: integer(0, MAX_VALUES, 0),
  seed: optional(integer(...LIMITS.seed)),
  setup: anything<Json>(),
  inputs: list<InputAtTick>,
  commands: list<CommandAtTick>,
  assets: list<ArrayBufferView>,
  hashEveryTicks: integer(0, MAX_TICKS_BETWEEN, 0),
  saveEveryTicks: integer(0, MAX_TICKS_BETWEEN, 0),
  start: (name: string, value: unknown) =>
    value === undefined ? undefined : requireSavedState(name, value),
  invalidPosePolicy: optional(choice(INVALID_POSE_POLICIES)),
  onTick: optional(requireFunction),
} satisfies Readonly<Record<keyof RunTicksOptions, Check<unknown>>>;
type CheckedRun = Checked<typeof OPTIONS>;

/** Used if there is no state to continue from. */
const BEGINNING = {
  ...RUN_DEFAULTS,
  invalidPoses: RUN_DEFAULTS.invalidPosePolicy,
  generation: 0,
} as const;

/**
 * Returns everything that determines the run.
 *
 * @throws TypeError, RangeError naming the invalid option.
 * @throws RecordingFormatError if `start` is not a saved state.
 */
export function resolveRun<C extends CommandMap>(options: RunTicksOptions<C>) {
  const checked = checkOptions('runTicks', options, OPTIONS);
  const { ticks, start, tickRateHz, values, hashEveryTicks, saveEveryTicks } = checked;
  const startTick = start?.tick ?? 0;
  const lastTick = startTick + ticks;
  if (!Number.isSafeInteger(lastTick)) {
    throw new RangeError(`ticks must lead to at most 2^53 - 1, but are ${ticks} from ${startTick}`);
  }
  const assets = assetsOf(checked.assets);
  const names = new Set(assets.map(({ name }) => name));
  const entries = entriesOf(checked.inputs, checked.commands, {
    first: startTick + 1,
    last: lastTick,
  });
  for (const entry of entries) {
    if (entry.kind !== 'command') continue;
    requireNamedAssets(`the command "${entry.name}"`, assetsOfEntry(entry), names);
  }
  return {
    ...beginningOf(checked),
    lastTick,
    dt: 1 / tickRateHz,
    valueCount: values,
    entries,
    assets,
    hashEveryTicks,
    saveEveryTicks,
  };
}

/** @throws RangeError naming the first command that the simulation does not have. */
export function requireCommandNames<C extends CommandMap>(
  { commands = [] }: RunTicksOptions<C>,
  known: CommandMap = {},
): void {
  const names = Object.keys(known);
  for (const [index, { name }] of commands.entries()) {
    if (names.length === 0) {
      throw new RangeError(
        `commands[${index}].name is "${name}", but the simulation has no commands`,
      );
    }
    requireChoice(`commands[${index}].name`, name, names);
  }
}

function assetsOf(assets: readonly ArrayBufferView[]): Asset[] {
  return assets.map((contents, index) => {
    const bytes = new Uint8Array(assetBytes(`assets[${index}]`, contents));
    return { name: assetName(bytes), bytes };
  });
}

function beginningOf({ start, seed, setup, capacity, invalidPosePolicy }: CheckedRun) {
  if (start !== undefined) {
    for (const [name, value] of Object.entries({ seed, setup })) {
      if (value !== undefined) {
        throw new TypeError(`${name} is that of the run that start was saved in: leave it out`);
      }
    }
  }
  const defaults = start === undefined ? BEGINNING : decodeRunState(start.bytes).run;
  return {
    seed: seed ?? defaults.seed,
    // As it would be in a recording: JSON turns −0 into 0, for example.
    setup: copyOfJson('setup', setup ?? defaults.setup),
    capacity: capacity ?? defaults.capacity,
    invalidPosePolicy: invalidPosePolicy ?? defaults.invalidPoses,
    generation: defaults.generation,
  };
}
