/**
 * Room for one call in shared memory: a worker that sleeps in `Atomics.wait` finds it there without a turn of its event
 * loop, which a message needs.
 *
 *     CLOSED ◀──▶ OPEN       the worker: closed while it parks in its event loop, where messages arrive sooner
 *     OPEN ──▶ n             the page: n UTF-16 code units are there
 *     n ──▶ OPEN             the worker has copied them
 *
 * The page and a worker that closes it change an open slot by compare-and-exchange, so no call is left in a closed one.
 */
import { CONTROL, CONTROL_LENGTH } from './layout.js';

/** Values of the control word `callLength`; a positive one is the length of a call. */
export const SLOT_IS_CLOSED = 0;
export const SLOT_IS_OPEN = -1;

/** Room for the code units of a call. They need no encoder, which is slow when it is used rarely. */
export const callUnitsOf = ({ buffer, byteOffset }: Int32Array): Uint16Array =>
  new Uint16Array(buffer, byteOffset + CONTROL.call * 4, (CONTROL_LENGTH - CONTROL.call) * 2);
