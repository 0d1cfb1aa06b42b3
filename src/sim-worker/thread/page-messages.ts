/** Checks the shape of the page's calls on arrival, so that later code can rely on it. */
import { transferHandlers } from 'comlink';
import type { WorkerControl, WorkerMessage } from '../../shared/protocol/control-protocol.js';
import { thrownError } from '../../shared/util/errors.js';

/** A call as Comlink posts it. */
interface Call {
  readonly type: unknown;
  readonly id: unknown;
  readonly path: unknown;
  readonly argumentList: unknown;
}

/** Describes what is wrong with a message that must be a Comlink call; undefined if it is valid. */
export function wrongInCall(message: unknown, server: WorkerControl): string | undefined {
  const { type, id, path, argumentList } = (message ?? {}) as Partial<Call>;
  if (type === 'RELEASE') return undefined;
  if (type !== 'APPLY') return `${String(type)} is unknown`;
  const name = String(path);
  const isKnown = Array.isArray(path) && path.length === 1 && Object.hasOwn(server, name);
  if (!isKnown) return `the call ${name} is unknown`;
  if (typeof id !== 'string') return `the call ${name} has no id`;
  const areArguments = Array.isArray(argumentList) && argumentList.every(isArgument);
  return areArguments ? undefined : `an argument of ${name} is none`;
}

/** Whether this is a plain value, or one that Comlink transfers with a handler of the application. */
function isArgument(argument: unknown): boolean {
  const { type, name } = (argument ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (type === 'RAW') return true;
  // Comlink's built-in handlers are for values that the library's calls never take, and they read fields of these.
  const isOwn = name === 'proxy' || name === 'throw';
  return type === 'HANDLER' && !isOwn && transferHandlers.has(String(name));
}

/** What the worker posts about a message that it cannot use. */
export const invalidMessage = (wrong: string): WorkerMessage => ({
  type: 'betwixt:failure',
  stage: 'protocol',
  tick: 0,
  ...thrownError(`the page posted an invalid message: ${wrong}`),
});
