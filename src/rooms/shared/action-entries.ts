/**
 * Actions: the inputs and commands of ticks, as entries of a recording. They travel from a client to its room, and from
 * the room to all clients that simulate as well.
 */
import { ByteReadError, type ByteReader, type ByteWriter } from '../../shared/util/bytes.js';
import { EntryReader, EntryWriter, MIN_ENTRY } from '../../shared/recording/recording-entries.js';
import { requireEntry } from '../../shared/recording/recording-checks.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import {
  type TickInput,
  NO_TICK_INPUTS,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { deviceOf } from '../../shared/input/seats.js';

/** An input or a command. */
export type Action = Extract<RecordingEntry, { kind: 'input' | 'command' }>;

/** An action as the ticks of all participants process it: with the seat that it is from. */
export function actionOfSeat(seat: number, action: Action): Action {
  if (action.kind === 'input') {
    return { ...action, input: { ...action.input, device: deviceOf(seat, action.input.device) } };
  }
  // A JSON array, as was checked when it was read or made.
  const args = JSON.stringify([seat, ...(JSON.parse(action.args) as unknown[])]);
  return { ...action, args };
}

/** What a tick processes. @param actions All of this tick, in order. */
export function tickInputsOf(actions: readonly Action[]): TickInputs {
  if (actions.length === 0) return NO_TICK_INPUTS;
  const inputs: TickInput[] = [];
  const commands: TickCommand[] = [];
  for (const action of actions) {
    if (action.kind === 'input') inputs.push(action.input);
    else commands.push({ ...action, call: 0 });
  }
  return { inputs, commands };
}

/** @param names The room's commands. Ticks must not decrease, and count from `firstTick`. */
export function writeActions(
  out: ByteWriter,
  actions: readonly Action[],
  names: readonly string[],
  firstTick: number,
): void {
  out.varint(actions.length);
  const writer = new EntryWriter(out, new Map(names.map((name, index) => [name, index])));
  for (const action of actions) writer.write({ ...action, tick: action.tick - firstTick });
}

/**
 * @param most More are refused, before any is read.
 * @throws ByteReadError, TypeError, RangeError if the bytes are not actions, or have impossible values.
 */
export function readActions(
  reader: ByteReader,
  names: readonly string[],
  firstTick: number,
  most: number,
): Action[] {
  const count = reader.count(MIN_ENTRY, 'actions');
  if (count > most)
    throw new ByteReadError(`it has ${count} actions, and at most ${most} are taken`);
  const entries = new EntryReader(reader, names);
  const actions: Action[] = [];
  let tick = 0;
  while (actions.length < count) {
    const entry = requireEntry(entries.read(), tick);
    if (entry.kind !== 'input' && entry.kind !== 'command') {
      throw new ByteReadError(`it has an entry "${entry.kind}", which is no action`);
    }
    ({ tick } = entry);
    actions.push({ ...entry, tick: tick + firstTick });
  }
  return actions;
}
