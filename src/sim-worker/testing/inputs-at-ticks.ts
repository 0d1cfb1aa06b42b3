/** The inputs and commands that a test gives to ticks. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { INPUT_KINDS, type InputKind, type InputValues } from '../../shared/input/input-event.js';
import { deviceOf, MAX_DEVICE, MAX_SEATS } from '../../shared/network/seats.js';
import { ownArguments, packArguments } from '../../shared/util/command-arguments.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireChoice, requireInteger, requireNumber } from '../../shared/util/validate.js';

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

const VALUES = ['x', 'y', 'z', 'w'] as const;
const INPUT_KEYS = ['tick', 'kind', 'code', 'device', ...VALUES, 'fraction', 'seat'];
const COMMAND_KEYS = ['tick', 'name', 'args'];

interface Ticks {
  readonly first: number;
  readonly last: number;
}

/**
 * The inputs and commands of a run, as a recording would have them. Those of one tick keep their order.
 *
 * @throws TypeError, RangeError naming the invalid value, such as `inputs[2].kind`.
 */
export function entriesOf(
  inputs: readonly InputAtTick[],
  commands: readonly CommandAtTick[],
  ticks: Ticks,
): RecordingEntry[] {
  return [
    ...requireList('inputs', inputs).map((input, index) =>
      inputEntry(`inputs[${index}]`, input, ticks),
    ),
    ...requireList('commands', commands).map((command, index) =>
      commandEntry(`commands[${index}]`, command, ticks),
    ),
  ];
}

function inputEntry(name: string, given: InputAtTick, { first, last }: Ticks): RecordingEntry {
  requireKnownKeys(name, given, INPUT_KEYS);
  const { tick, kind, code = 0, fraction = 0.5 } = given;
  requireChoice(`${name}.kind`, kind, INPUT_KINDS);
  requireInteger(`${name}.code`, code, -(2 ** 31), 2 ** 31 - 1);
  const device = deviceOfInput(name, given);
  const [x, y, z, w] = VALUES.map((key) =>
    requireNumber(`${name}.${key}`, given[key] ?? 0, -Number.MAX_VALUE, Number.MAX_VALUE),
  ) as [number, number, number, number];
  requireNumber(`${name}.fraction`, fraction, 0, 1);
  requireInteger(`${name}.tick`, tick, first, last);
  const input = { kind, code, device, x, y, z, w, fraction: Math.fround(fraction) };
  return { kind: 'input', tick, input };
}

function deviceOfInput(name: string, { seat, device = 0 }: InputAtTick): number {
  if (seat === undefined) return requireInteger(`${name}.device`, device, -(2 ** 31), 2 ** 31 - 1);
  requireInteger(`${name}.seat`, seat, 0, MAX_SEATS - 1);
  return deviceOf(seat, requireInteger(`${name}.device`, device, 0, MAX_DEVICE));
}

function commandEntry(what: string, given: CommandAtTick, { first, last }: Ticks): RecordingEntry {
  requireKnownKeys(what, given, COMMAND_KEYS);
  const { tick, name, args = [] } = given;
  if (typeof name !== 'string') throw new TypeError(`${what}.name must be a string`);
  const packed = packArguments(`${what}.args`, requireList(`${what}.args`, args));
  requireInteger(`${what}.tick`, tick, first, last);
  return { kind: 'command', tick, name, ...ownArguments(packed) };
}

function requireList<T>(name: string, value: readonly T[]): readonly T[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array`);
  return value as readonly T[];
}
