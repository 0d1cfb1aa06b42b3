/** Finds a room: the seat that a page had before it was loaded again, the room of a link, or any with a free seat. */
import { Client, type Room } from '@colyseus/sdk';
import { VERSION } from './simulation.js';

/** Why there is no room, in words for the player. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  /** Whether another room may have a free seat. */
  readonly othersMayHelp: boolean;

  constructor(message: string, othersMayHelp: boolean, cause: unknown) {
    super(message, { cause });
    this.othersMayHelp = othersMayHelp;
  }
}

const KEPT_SEAT = 'betwixt-rooms-seat';
/** HTTP's and Colyseus' codes. */
const CODE = { otherVersion: 426, invalidRoom: 522 } as const;
/** Codes of Colyseus with which a connection ends. */
const END = { serverEnded: 4001, triedInVain: 4003 } as const;
const ROOM_NAME = 'sumo';

/** How often a lost connection is tried again: the server keeps the seat for ten seconds. */
const RECONNECTION = { minUptime: 0, minDelay: 250, maxDelay: 1000, maxRetries: 12 } as const;

/** @returns Undefined if the page has had no seat, or if that is over. */
export async function rejoin(server: string): Promise<Room | undefined> {
  const token = sessionStorage.getItem(KEPT_SEAT);
  // A copy of this tab must not take the seat of this one.
  sessionStorage.removeItem(KEPT_SEAT);
  if (token === null) return undefined;
  try {
    return prepared(await new Client(server).reconnect(token));
  } catch {
    return undefined;
  }
}

/**
 * @param roomId Of a link; undefined: any room with a free seat, or a new one.
 * @throws JoinError
 */
export async function join(
  server: string,
  name: string,
  roomId: string | undefined,
): Promise<Room> {
  const client = new Client(server);
  const options = { name, version: VERSION };
  try {
    return prepared(
      await (roomId === undefined
        ? client.joinOrCreate(ROOM_NAME, options)
        : client.joinById(roomId, options)),
    );
  } catch (error) {
    throw explained(error, server);
  }
}

/** Why a room was left for good, in words for the player. */
export function endingOf(code: number): string {
  switch (code) {
    case END.serverEnded:
      return 'The server of rooms was ended. Try again when it runs.';
    case END.triedInVain:
      return (
        'The connection is lost, and could not be made again in ten seconds. Look whether your network is there, and the ' +
        'server of rooms runs; then try again.'
      );
    default:
      return 'The server has ended the connection, and no longer keeps your seat. Try again to get another one.';
  }
}

function prepared(room: Room): Room {
  Object.assign(room.reconnection, RECONNECTION);
  addEventListener('pagehide', () => {
    // Only while it is in use: a seat that was left is gone.
    if (room.connection.isOpen) sessionStorage.setItem(KEPT_SEAT, room.reconnectionToken);
  });
  return room;
}

function explained(error: unknown, server: string): JoinError {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
  if (code === CODE.invalidRoom) {
    const text = message.includes('locked')
      ? 'This room is full: all eight seats are taken.'
      : 'This room is over: everyone has left it.';
    return new JoinError(text, true, error);
  }
  if (code === CODE.otherVersion) {
    return new JoinError(`The game was changed: ${message}.`, false, error);
  }
  const text =
    `There is no server of rooms at ${server}. In a clone of the repository, "npm run rooms" ` +
    'starts one, and prints the address of its page.';
  return new JoinError(text, false, error);
}
