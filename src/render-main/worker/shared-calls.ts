/**
 * Leaves calls of queries in shared memory, where a sleeping worker finds them at once; see
 * src/shared/memory/call-slot.ts. Loaded with a simulation that has queries.
 *
 * A call goes there if it is the only one without an answer: all before it have arrived then, and those after it are
 * messages, before which the worker looks there. So calls keep their order. All other calls are messages, and so is one
 * that is long, or that JSON would change.
 */
import { transferHandlers } from 'comlink';
import { SLOT_IS_OPEN, callUnitsOf } from '../../shared/memory/call-slot.js';
import { ringDoorbell } from '../../shared/memory/doorbell.js';
import { CONTROL } from '../../shared/memory/layout.js';

/** Calls a query through shared memory. Undefined: it has to be posted. */
export type AskAtOnce = (name: string, args: readonly unknown[]) => Promise<unknown> | undefined;

/** An answer as Comlink posts it. */
interface Answer {
  readonly id: unknown;
  readonly type: string;
  readonly name: string;
  readonly value: unknown;
}

/** @param isAlone Whether all earlier calls have been answered. */
export function openSharedCalls(
  control: Int32Array,
  port: MessagePort,
  isAlone: () => boolean,
): AskAtOnce {
  const units = callUnitsOf(control);
  let calls = 0;
  let settle: ((answer: Answer) => void) | undefined;
  port.addEventListener('message', ({ data }: MessageEvent<Answer | null>) => {
    // Comlink's own calls have other ids.
    if (settle === undefined || data?.id !== calls) return;
    settle(data);
    settle = undefined;
  });
  return (name, args) => {
    if (!isAlone() || Atomics.load(control, CONTROL.callLength) !== SLOT_IS_OPEN) return undefined;
    if (!isKeptByJson(args, units.length, new Set())) return undefined;
    const call = JSON.stringify([calls + 1, name, args]);
    if (call.length > units.length) return undefined;
    for (let at = 0; at < call.length; at++) units[at] = call.charCodeAt(at);
    // The worker may have closed it in the meantime.
    const before = Atomics.compareExchange(control, CONTROL.callLength, SLOT_IS_OPEN, call.length);
    if (before !== SLOT_IS_OPEN) return undefined;
    calls += 1;
    ringDoorbell(control, CONTROL.doorbell);
    return new Promise((resolve, reject) => {
      settle = (answer) => {
        try {
          resolve(valueOf(answer));
        } catch (error) {
          reject(error as Error);
        }
      };
    });
  };
}

function valueOf({ type, name, value }: Answer): unknown {
  return type === 'RAW' ? value : transferHandlers.get(name)?.deserialize(value);
}

/**
 * Whether JSON preserves a value as a message would, and might fit.
 *
 * @param seen Objects that are parts of the value. In a message, one that occurs twice is still one object.
 */
function isKeptByJson(value: unknown, length: number, seen: Set<unknown>): boolean {
  switch (typeof value) {
    case 'boolean':
      return true;
    case 'string':
      return value.length <= length;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      if (value === null) return true;
      break;
    default:
      return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain =
    prototype === Object.prototype || (Array.isArray(value) && prototype === Array.prototype);
  if (!isPlain || seen.has(value) || seen.size > length) return false;
  seen.add(value);
  const keys = Object.keys(value);
  if (keys.length > length) return false;
  // A hole in a list is undefined here.
  const parts: readonly unknown[] = Array.isArray(value) ? Array.from(value) : Object.values(value);
  // A list may have properties, too.
  return keys.length === parts.length && parts.every((part) => isKeptByJson(part, length, seen));
}
