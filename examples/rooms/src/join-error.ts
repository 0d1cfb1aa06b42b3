/** Why a page has no room, in words for the player. */

/**
 * What to offer a player who has no room: to try the same again, to find any room, or both. `found`: that trying again finds any
 * room, because that of the player is over.
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

/** What a page knows of its room, also after it was loaded again: the server of pages does that when it was started again. */
export interface LastRoom {
  readonly roomId: string;
  /** When the connection was lost, by `Date.now()`. */
  readonly lostMs: number;
  /** Whether the server has said that it ends. */
  readonly hasEnded: boolean;
}
/** Why there is no such room any more, as far as that can be known. @param last The last one of this page. */
export function overOf(
  last: LastRoom | null,
  roomId: string | undefined,
  nowMs: number,
): JoinError {
  if (last?.roomId !== roomId || last === null) {
    return new JoinError(
      'This room is over: everyone has left it, or the server was restarted.',
      'other',
    );
  }
  // Otherwise there would be a room that keeps the seat.
  if (last.hasEnded || nowMs - last.lostMs < KEPT_MS) {
    return new JoinError(
      'The server was restarted, and your room is over. Try again to play in another one.',
      'found',
    );
  }
  return new JoinError(
    'Your room is over: the server was restarted, or everyone has left while you were away. Try again to play in another one.',
    'found',
  );
}
