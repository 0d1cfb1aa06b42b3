/** What the page's messages have to have: checked as they come in, so that nothing behind meets less. */
import { transferHandlers } from 'comlink';
import type { WorkerControl } from '../../shared/protocol/control-protocol.js';
import { wrongFields } from '../../shared/protocol/message-shape.js';
import { isPageUpdate } from '../../shared/protocol/transport.js';

const UPDATE = 'inputs:Int32Array|Undefined eventHead:Number packets:Array';
/** A call as Comlink posts it. */
const CALL = 'id:String path:Array argumentList:Array';

/**
 * What is wrong with a message of the port; undefined: nothing. Through the port come the page's updates and Comlink's calls.
 *
 * @param server Has the calls that there are.
 */
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

/** A value as it is, or one that the application has Comlink carry in a way of its own. */
function isArgument(argument: unknown): boolean {
  const { type, name } = (argument ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (type === 'RAW') return true;
  // Comlink's own are for what no call of the library's takes, and read fields of theirs.
  const isOwn = name === 'proxy' || name === 'throw';
  return type === 'HANDLER' && !isOwn && transferHandlers.has(String(name));
}
