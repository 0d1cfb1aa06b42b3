/**
 * Checks recordings and saved states, wherever they come from: a file, or the memory of an application. Messages begin
 * with the field: `run.capacity must be …`, `entries[3]: tick must be …`.
 */
import { INPUT_KINDS, type TickInput } from '../input/tick-inputs.js';
import { NO_ARGUMENTS, ARRAY_NAMES, isTypedArray } from '../util/command-arguments.js';
import {
  describe,
  requireBoolean,
  requireBytes,
  requireChoice,
  requireInteger,
  requireList,
  requireObject,
  requireText,
} from '../util/validate.js';
import { requireAsset, assetNamesIn, requireNamedAssets, type AssetName } from './asset.js';
import {
  assetsOfEntry,
  type Recording,
  type RecordingEntry,
  type SavedState,
  requireRunDescription,
  requireStep,
} from './recording.js';
import { wordsOfDigest } from './state-hash.js';

const MIN_WORD = -(2 ** 31);
const MAX_WORD = 2 ** 31 - 1;
/** Numbers of an input, any of which may be NaN. */
const NUMBERS = ['x', 'y', 'z', 'w', 'fraction'] as const;

/**
 * Returns the recording; its run without other properties.
 *
 * @throws TypeError, RangeError naming the field that does not match its type.
 */
export function requireRecording(value: unknown): Recording {
  const recording = requireObject('the recording', value);
  const { start, lastTick, entries, states, assets = [], kept = [], isComplete } = recording;
  const firstTick = start === undefined ? 0 : requireSavedState('start', start).tick;
  requireInteger('lastTick', lastTick, firstTick, Number.MAX_SAFE_INTEGER);
  requireEntries(requireList('entries', entries));
  let tick = 0;
  for (const [index, state] of requireList('states', states).entries()) {
    ({ tick } = requireSavedState(`states[${index}]`, state, tick));
  }
  for (const [index, mark] of requireList('kept', kept).entries()) {
    const fields = requireObject(`kept[${index}]`, mark);
    for (const name of ['tick', 'number'] as const) {
      requireInteger(`kept[${index}].${name}`, fields[name], 0, Number.MAX_SAFE_INTEGER);
    }
  }
  if (isComplete !== undefined) requireBoolean('isComplete', isComplete);
  const run = requireRunDescription(recording['run'], 'run.');
  requireAssets({ ...(value as Recording), run }, requireList('assets', assets));
  return { ...(value as Recording), run };
}

/**
 * Checks the fields of a saved state, but not its bytes: only the worker can read them.
 *
 * @param minTick The state that precedes it is of this tick.
 * @throws TypeError, RangeError naming the field that does not match its type.
 */
export function requireSavedState(name: string, value: unknown, minTick = 0): SavedState {
  const { tick, bytes } = requireObject(name, value);
  requireInteger(`${name}.tick`, tick, minTick, Number.MAX_SAFE_INTEGER);
  requireBytes(`${name}.bytes`, bytes);
  return value as SavedState;
}

/**
 * @param minTick The entry before it is of this tick.
 * @throws TypeError, RangeError naming the field that does not match its type, or would not be read back unchanged from
 *   a file.
 */
export function requireEntry(value: unknown, minTick: number): RecordingEntry {
  const entry = value as RecordingEntry;
  const { kind, tick } = requireObject('it', value);
  requireInteger('tick', tick, minTick, Number.MAX_SAFE_INTEGER);
  switch (entry.kind) {
    case 'input':
      requireInput(entry.input);
      break;
    case 'command':
      requireCommand(entry);
      break;
    case 'batch':
      requireBytes('bytes', entry.bytes);
      assetsOfEntry(entry);
      break;
    case 'step':
      requireStep(entry.dt);
      break;
    case 'hash':
      requireText('hash', entry.hash);
      wordsOfDigest(entry.hash);
      break;
    default:
      throw new TypeError(`there are no entries of kind "${String(kind)}"`);
  }
  return entry;
}

function requireEntries(entries: readonly unknown[]): void {
  let index = 0;
  let tick = 0;
  try {
    for (; index < entries.length; index++) ({ tick } = requireEntry(entries[index], tick));
  } catch (error) {
    const { message } = error as Error;
    const Class = error instanceof RangeError ? RangeError : TypeError;
    throw new Class(`entries[${index}]: ${message}`, { cause: error });
  }
}

/** @throws RangeError also if one is missing. */
function requireAssets({ run, entries }: Recording, assets: readonly unknown[]): void {
  const names = new Set<AssetName>();
  for (const [index, asset] of assets.entries()) {
    names.add(requireAsset(`assets[${index}]`, asset).name);
  }
  requireNamedAssets('run.setup', assetNamesIn(JSON.stringify(run.setup)), names);
  for (const [index, entry] of entries.entries()) {
    const what = entry.kind === 'command' ? `the command "${entry.name}"` : 'it';
    requireNamedAssets(`entries[${index}]: ${what}`, assetsOfEntry(entry), names);
  }
}

function requireInput(value: unknown): void {
  const input = requireObject('input', value) as unknown as TickInput;
  const { kind, code, device, fraction } = input;
  requireChoice('input.kind', kind, INPUT_KINDS);
  requireInteger('input.code', code, MIN_WORD, MAX_WORD);
  requireInteger('input.device', device, MIN_WORD, MAX_WORD);
  for (const name of NUMBERS) {
    if (typeof input[name] === 'number') continue;
    throw new TypeError(`input.${name} must be a number, but is ${describe(input[name])}`);
  }
  if (Object.is(Math.fround(fraction), fraction)) return;
  throw new RangeError(`input.fraction must be a 32-bit number, but is ${fraction}`);
}

function requireCommand({ name, args, data }: RecordingEntry & { kind: 'command' }): void {
  requireText('name', name);
  requireText('args', args);
  if (!isJsonArray(args)) {
    throw new TypeError(`the arguments of command "${name}" are not a JSON array`);
  }
  if (!args.isWellFormed()) {
    throw new TypeError(`the arguments of command "${name}" have half of a surrogate pair`);
  }
  if (data !== undefined && !isTypedArray(data)) {
    throw new TypeError(`the data of command "${name}" must be one of ${ARRAY_NAMES.join(', ')}`);
  }
}

function isJsonArray(text: string): boolean {
  if (text === NO_ARGUMENTS) return true;
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
