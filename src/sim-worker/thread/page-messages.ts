/** Checks the shape of the page's messages on arrival, so that later code can rely on it. */
import { transferHandlers } from 'comlink';
import type { WorkerControl } from '../../shared/protocol/control-protocol.js';
import { shapeOf, wrongFields } from '../../shared/protocol/message-shape.js';
import { isPageUpdate } from '../../shared/protocol/transport.js';

const UPDATE = shapeOf('inputs:Int32Array|Undefined eventHead:Number packets:Array');
/** A call as Comlink posts it. */
const CALL = shapeOf('id:String path:Array argumentList:Array');

/** Describes what is wrong with a message of the port, a page's update or a Comlink call; undefined if it is valid. */
export function wrongInPageMessage(message: unknown, server: WorkerControl): string | undefined {
  if (isPageUpdate(message)) {
    const wrong = wrongFields(message, UPDATE);
    if (wrong !== undefined) return `betwixt:page: ${wrong}`;
    return message.packets.every((packet) => packet instanceof ArrayBuffer)
      ? undefined
      : 'betwixt:page: a packet that is none';
  }
  const call = (message ?? {}) as { readonly type?: unknown } & Partial<Call>;
  if (call.type === 'RELEASE') return undefined;
  if (call.type !== 'APPLY') return `${String(call.type)} is unknown`;
  const wrong = wrongFields(call, CALL);
  if (wrong !== undefined) return `a call: ${wrong}`;
  const { path = [], argumentList = [] } = call;
  const name = String(path);
  if (path.length !== 1 || !Object.hasOwn(server, name)) return `the call ${name} is unknown`;
  return argumentList.every(isArgument) ? undefined : `an argument of ${name} is none`;
}

interface Call {
  readonly path: readonly unknown[];
  readonly argumentList: readonly unknown[];
}

/** Whether this is a plain value, or one that Comlink transfers with a handler of the application. */
function isArgument(argument: unknown): boolean {
  const { type, name } = (argument ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (type === 'RAW') return true;
  // Comlink's built-in handlers are for values that the library's calls never take, and they read fields of these.
  const isOwn = name === 'proxy' || name === 'throw';
  return type === 'HANDLER' && !isOwn && transferHandlers.has(String(name));
}
