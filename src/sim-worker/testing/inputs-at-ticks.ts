/** The inputs and commands that a test gives to ticks. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { INPUT_KINDS, type InputKind, type InputValues } from '../../shared/input/tick-inputs.js';
import { deviceOf, MAX_DEVICE, MAX_SEATS } from '../../shared/input/seats.js';
import { ownArguments, packArguments } from '../../shared/util/command-arguments.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import {
  anything,
  choice,
  group,
  integer,
  list,
  number,
  optional,
} from '../../shared/util/options.js';
import { requireInteger, requireText } from '../../shared/util/validate.js';

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

const word = integer(-(2 ** 31), 2 ** 31 - 1, 0);
const value = number(-Number.MAX_VALUE, Number.MAX_VALUE, 0);
const INPUT = group('runTicks', {
  tick: anything<number>(),
  kind: choice(INPUT_KINDS),
  code: word,
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
