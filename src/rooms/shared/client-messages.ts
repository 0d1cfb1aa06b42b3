/**
 * What a client of a room sends to it.
 *
 *     actions   1, tick (varint), actions (action-entries.ts), whose ticks count from that one
 *     ping     2, the client's clock (float64)
 *     state    3, how it shows the run (byte): the client asks for a welcome, at first or because its own state is wrong
 */
import { ByteReader, ByteReadError, ByteWriter } from '../../shared/util/bytes.js';
import { ROOM_MODES, type RoomMode } from './room-messages.js';
import { readActions, writeActions, type Action } from './action-entries.js';

const KIND = { actions: 1, ping: 2, state: 3 } as const;

export type ClientMessage =
  | { readonly kind: 'actions'; readonly actions: readonly Action[] }
  | { readonly kind: 'ping'; readonly clientMs: number }
  | { readonly kind: 'state'; readonly mode: RoomMode };

/** @param names The room's commands. */
export function encodeClientMessage(
  message: ClientMessage,
  names: readonly string[],
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(64);
  out.byte(KIND[message.kind]);
  if (message.kind === 'actions') {
    const firstTick = message.actions[0]?.tick ?? 0;
    out.varint(firstTick);
    writeActions(out, message.actions, names, firstTick);
  } else if (message.kind === 'ping') out.float64(message.clientMs);
  else out.byte(ROOM_MODES.indexOf(message.mode));
  return out.toBytes();
}

/**
 * @param names The room's commands.
 * @param maxActions More in one message are refused.
 * @throws ByteReadError, TypeError, RangeError if the bytes are no message.
 */
export function decodeClientMessage(
  bytes: Uint8Array,
  names: readonly string[],
  maxActions: number,
): ClientMessage {
  const reader = new ByteReader(bytes);
  const message = readMessage(reader, names, maxActions);
  if (reader.left > 0) throw new ByteReadError(`it has ${reader.left} bytes after its end`);
  return message;
}

function readMessage(
  reader: ByteReader,
  names: readonly string[],
  maxActions: number,
): ClientMessage {
  const kind = reader.byte();
  switch (kind) {
    case KIND.actions: {
      const tick = reader.varint();
      return { kind: 'actions', actions: readActions(reader, names, tick, maxActions) };
    }
    case KIND.ping:
      return { kind: 'ping', clientMs: reader.float64() };
    case KIND.state: {
      const mode = ROOM_MODES[reader.byte()];
      if (mode === undefined) throw new ByteReadError('it asks for an unknown mode');
      return { kind: 'state', mode };
    }
    default:
      throw new ByteReadError(`there are no messages of kind ${kind}`);
  }
}
