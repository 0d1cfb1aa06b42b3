/** Finds a room: the seat that a page had before it was loaded again, the room of a link, or any with a free seat. */
import { Client, type Room } from '@colyseus/sdk';
import { VERSION } from './simulation.js';

/**
 * The choices of a player who has no room: to try the same again, to find any room, or both. `found`: trying again finds any
 * room, because the player's own is over.
 */
export type Offer = 'same' | 'other' | 'both' | 'found';

/** Why there is no room, in words for the player. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  readonly offer: Offer;

  constructor(message: string, offer: Offer, cause?: unknown) {
    super(message, { cause });
    this.offer = offer;
  }
}

/** For how long the server keeps the seat of a lost page, in ms. */
const KEPT_MS = 10_000;

/** A page remembers its last room when it is loaded again, which the server of pages has it do after a restart. */
interface LastRoom {
  readonly roomId: string;
  /** When the connection was lost, by `Date.now()`. */
  readonly lostMs: number;
  /** Whether the server has said that it ends. */
  readonly hasEnded: boolean;
}

/** Explains why there is no such room any more, as far as that can be known. @param last The last room of this page. */
function overOf(last: LastRoom | null, roomId: string | undefined, nowMs: number): JoinError {
  if (last?.roomId !== roomId || last === null) {
    return new JoinError(
      'This room is over: everyone has left it, or the server was restarted.',
      'other',
    );
  }
  // A room that still runs would have kept the seat.
  if (last.hasEnded || nowMs - last.lostMs < KEPT_MS) return lostByServer();
  return new JoinError(
    'Your room is over: the server was restarted, or everyone has left while you were away. Try again to play in another one.',
    'found',
  );
}

const lostByServer = (cause?: unknown): JoinError =>
  new JoinError(
    'The server was restarted, or its process with your room has ended, and your room is over. Try again to play in another one.',
    'found',
    cause,
  );

const KEPT_SEAT = 'betwixt-rooms-seat';
/** The last room of this page, see {@link LastRoom}. */
const LAST_ROOM = 'betwixt-rooms-last';

/** HTTP's and Colyseus' codes. */
const CODE = { otherVersion: 426, invalidRoom: 522, tokenIsOver: 524 } as const;
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
    throw explained(error, server, roomId);
  }
}

/** Why a room was left for good. */
export async function endingOf(code: number, { roomId, reconnectionToken }: Room, server: string) {
  switch (code) {
    case END.serverEnded:
      return new JoinError('The server of rooms has stopped. Try again when it runs.', 'found');
    case END.triedInVain:
      try {
        // As Colyseus' client asks, without taking the seat.
        const [, token] = reconnectionToken.split(':');
        await new Client(server).http.post(`/matchmake/reconnect/${roomId}`, {
          body: { reconnectionToken: token },
        });
      } catch (error) {
        const answer = codeOf(error);
        if (answer === CODE.invalidRoom) return explained(error, server, roomId);
        // Any other number is an answer, too: of the processes that are left, which cannot reach the room.
        if (typeof answer === 'number' && answer !== CODE.tokenIsOver) return lostByServer(error);
      }
      return new JoinError(
        'The connection is lost, and could not be made again in ten seconds. Look whether your network is there, and the ' +
          'server of rooms runs; then try again.',
        'found',
      );
    default:
      return new JoinError(
        'The server has ended the connection, and no longer keeps your seat. Try again to get another one.',
        'found',
      );
  }
}

function prepared(room: Room): Room {
  Object.assign(room.reconnection, RECONNECTION);
  const remember = (hasEnded = false): void => {
    const last: LastRoom = { roomId: room.roomId, lostMs: Date.now(), hasEnded };
    sessionStorage.setItem(LAST_ROOM, JSON.stringify(last));
  };
  room.onDrop(() => remember());
  room.onLeave((code) => {
    if (code === END.serverEnded) remember(true);
  });
  addEventListener('pagehide', () => {
    // Only while it is in use: a seat that was left is gone.
    if (!room.connection.isOpen) return;
    remember();
    sessionStorage.setItem(KEPT_SEAT, room.reconnectionToken);
  });
  return room;
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;

/** @param roomId The room that was asked for. */
function explained(error: unknown, server: string, roomId?: string): JoinError {
  const code = codeOf(error);
  const { message = '' } = error as { readonly message?: string };
  if (code === CODE.invalidRoom) {
    if (message.includes('locked')) {
      return new JoinError('This room is full: all eight seats are taken.', 'both', error);
    }
    return overOf(JSON.parse(sessionStorage.getItem(LAST_ROOM) ?? 'null'), roomId, Date.now());
  }
  if (code === CODE.otherVersion) {
    return new JoinError(`The game was changed: ${message}.`, 'same', error);
  }
  const text =
    `There is no server of rooms at ${server}. In a clone of the repository, "npm run rooms" ` +
    'starts one, and prints the address of its page.';
  return new JoinError(text, 'same', error);
}
