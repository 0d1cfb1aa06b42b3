/**
 * Seats: who of a room's clients an input or a command is from.
 *
 * A command gets its seat as its first argument. An input has room for it in `device`: the upper 16 bits are the seat,
 * and the lower ones the pointer or gamepad of that client.
 */

/** Most seats of a room. */
export const MAX_SEATS = 1 << 15;

/** Commands that the room calls, if the simulation has them, and no client can. */
export const ROOM_COMMANDS: ReadonlySet<string> = new Set(['join', 'leave']);

const DEVICE_BITS = 16;
/** Largest pointer or gamepad of a client. */
export const MAX_DEVICE = (1 << DEVICE_BITS) - 1;

/** The `device` of an input of a seat. @param device The client's own. */
export const deviceOf = (seat: number, device: number): number =>
  (seat << DEVICE_BITS) | (device & MAX_DEVICE);

/**
 * The seat that an input is from, 0 to 32,767; without a room, 0.
 *
 * @param input As a simulation's `step` receives it.
 */
export const seatOf = (input: { readonly device: number }): number => input.device >>> DEVICE_BITS;
