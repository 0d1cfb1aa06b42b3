/** The requests of the bare page to its worker. */

/** Words of the memory that both share. */
export const WORD = { beats: 0, bell: 1, isOver: 2 } as const;

export interface BeatsRequest {
  readonly kind: 'beats';
  readonly memory: SharedArrayBuffer;
  readonly rateHz: number;
  /** Work of a beat, in ms. */
  readonly busyMs: number;
}

export interface AnswersRequest {
  readonly kind: 'answers';
  readonly memory: SharedArrayBuffer;
}

export interface Echo {
  readonly kind: 'echo';
  readonly value: number;
}

export type BareRequest = BeatsRequest | AnswersRequest | Echo;

/** How well a worker kept a rate. */
export interface Beats {
  /** Beats that became due. */
  readonly due: number;
  /** How many of these began before the next one was due. */
  readonly inTime: number;
  readonly worstLateMs: number;
}
