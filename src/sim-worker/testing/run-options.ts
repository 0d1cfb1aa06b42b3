/** The options of a test's run: checked and complete. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Pose } from '../api/bodies.js';
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
  type RecordingEntry,
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
  group,
} from '../../shared/util/options.js';
import {
  requireChoice,
  requireFunction,
  requireInteger,
  requireText,
} from '../../shared/util/validate.js';
import { decodeRunState } from '../run/run-state.js';
import {
  INPUT_KINDS,
  nameOfCode,
  type InputKind,
  type InputValues,
} from '../../shared/input/tick-inputs.js';
import { deviceOf, MAX_DEVICE, MAX_SEATS } from '../../shared/input/seats.js';
import { ownArguments, packArguments } from '../../shared/util/command-arguments.js';

/** An input, and the tick that receives it. Values that are left out are 0. */
export interface InputAtTick extends Partial<InputValues> {
  /** Number of the tick whose step receives it, 1 for the first. */
  readonly tick: number;
  /** Kind of the input. */
  readonly kind: InputKind;
  /** Position in the tick's input window, 0 to 1; see `TickInput`. Default 0.5. */
  readonly fraction?: number;
  /**
   * The seat of a room that it is from, 0 to 32,767, as `seatOf` returns it; `device` is then that player's own, 0 to 65,535.
   * Default: `device` is as given, which without it is seat 0.
   */
  readonly seat?: number;
}

/**
 * A call of one of the simulation's commands, and the tick before whose step it runs.
 *
 * @typeParam C The simulation's commands.
 */
export type CommandAtTick<C extends CommandMap = CommandMap> = {
  [Name in keyof C & string]: CommandCall<Name, ArgumentsOf<C, Name>>;
}[keyof C & string];

/** A call of the command with this name. */
type CommandCall<Name, Args extends readonly unknown[]> = {
  readonly tick: number;
  readonly name: Name;
} & (readonly [] extends Args ? { readonly args?: Args } : { readonly args: Args });

/** If the commands are not known, their arguments may be anything. */
type ArgumentsOf<C extends CommandMap, Name extends keyof C> = string extends keyof C
  ? readonly unknown[]
  : Readonly<Parameters<C[Name]>>;

/** The state after a tick. */
export interface TickState {
  /** Number of the tick. */
  readonly tick: number;
  /** The poses of all living bodies, by id, in the order of their slots. */
  readonly poses: ReadonlyMap<BodyId, Pose>;
  /** Tags of the bodies, in the same order; null for those without. */
  readonly tags: ReadonlyMap<BodyId, Json>;
  /** A copy of the simulation's `context.values`. */
  readonly values: Float32Array;
  /** Hash of the state, 16 hexadecimal digits: equal for equal runs. */
  readonly hash: string;
}

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
  /** Length of the simulation's `context.values`, 0 to 65,536. Default 0, or that of the run of `start`. */
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
  /** How to treat a body whose pose has a NaN or infinite number. Default `freeze`. */
  readonly invalidPosePolicy?: InvalidPosePolicy;
  /** Called after every tick; the state may be read until it returns. Default: nothing is called. */
  readonly onTick?: (state: TickState) => void;
}

const MAX_TICKS_BETWEEN = 1_000_000;
const OPTIONS = {
  ticks: integer(0, Number.MAX_SAFE_INTEGER),
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  capacity: optional(integer(1, MAX_CAPACITY)),
  values: optional(integer(0, MAX_VALUES)),
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
  values: 0,
} as const;

/**
 * Returns everything that determines the run.
 *
 * @throws TypeError, RangeError naming the invalid option.
 * @throws RecordingFormatError if `start` is not a saved state.
 */
export function resolveRun<C extends CommandMap>(options: RunTicksOptions<C>) {
  const checked = checkOptions('runTicks', options, OPTIONS);
  const { ticks, start, tickRateHz, hashEveryTicks, saveEveryTicks } = checked;
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

function beginningOf({ start, seed, setup, capacity, values, invalidPosePolicy }: CheckedRun) {
  if (start !== undefined) {
    for (const [name, value] of Object.entries({ seed, setup })) {
      if (value !== undefined) {
        throw new TypeError(`${name} comes from the run that start was saved in: leave it out`);
      }
    }
  }
  const defaults = start === undefined ? BEGINNING : decodeRunState(start.bytes).run;
  return {
    seed: seed ?? defaults.seed,
    // As in a recording: JSON turns −0 into 0, for example.
    setup: copyOfJson('setup', setup ?? defaults.setup),
    capacity: capacity ?? defaults.capacity,
    valueCount: values ?? defaults.values ?? 0,
    invalidPosePolicy: invalidPosePolicy ?? defaults.invalidPoses,
    generation: defaults.generation,
  };
}

const word = integer(-(2 ** 31), 2 ** 31 - 1, 0);
const value = number(-Number.MAX_VALUE, Number.MAX_VALUE, 0);
const INPUT = group('runTicks', {
  tick: anything<number>(),
  kind: choice(INPUT_KINDS),
  code: (name, given, all) => word(nameOfCode(name, given), given, all),
  device: word,
  x: value,
  y: value,
  z: value,
  w: value,
  fraction: number(0, 1, 0.5),
  seat: optional(integer(0, MAX_SEATS - 1)),
});
const COMMAND = group('runTicks', {
  tick: anything<number>(),
  name: requireText,
  args: list<unknown>,
});

interface Ticks {
  readonly first: number;
  readonly last: number;
}

/**
 * The inputs and commands of a run as entries of a recording. Within a tick, they keep their order.
 *
 * @throws TypeError, RangeError naming the invalid value, such as `inputs[2].kind`.
 */
function entriesOf(
  inputs: readonly InputAtTick[],
  commands: readonly CommandAtTick[],
  ticks: Ticks,
): RecordingEntry[] {
  return [
    ...inputs.map((input, index) => inputEntry(`inputs[${index}]`, input, ticks)),
    ...commands.map((command, index) => commandEntry(`commands[${index}]`, command, ticks)),
  ];
}

function inputEntry(name: string, given: InputAtTick, { first, last }: Ticks): RecordingEntry {
  const { tick, seat, fraction, ...values } = INPUT(name, given);
  requireInteger(`${name}.tick`, tick, first, last);
  const own = values.device;
  const device =
    seat === undefined ? own : deviceOf(seat, requireInteger(`${name}.device`, own, 0, MAX_DEVICE));
  return { kind: 'input', tick, input: { ...values, device, fraction: Math.fround(fraction) } };
}

function commandEntry(what: string, given: CommandAtTick, { first, last }: Ticks): RecordingEntry {
  const { tick, name, args } = COMMAND(what, given);
  const packed = packArguments(`${what}.args`, args);
  requireInteger(`${what}.tick`, tick, first, last);
  return { kind: 'command', tick, name, ...ownArguments(packed) };
}
