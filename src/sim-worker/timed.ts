/** Marks the commands whose time matters. */

const TIMED: unique symbol = Symbol('timed');

/** A command that {@link timed} marked. */
export interface TimedCommand {
  /** The mark. Set by {@link timed}. */
  readonly [TIMED]: true;
}

/**
 * Makes a command a *timed* one: it goes through the queue of inputs, is applied right before the tick whose
 * slice of time covers the moment of the call, and is recorded. Whatever changes the simulation must be timed, or
 * a replay goes another way. A command without it is a *query*: it runs between two ticks as soon as it arrives,
 * is not recorded, and must leave the simulation as it is.
 *
 * Its arguments must be plain data that JSON can hold, and it must be done when it returns: the call of one
 * that returns a promise rejects.
 */
export function timed<F extends (...args: never[]) => unknown>(command: F): F & TimedCommand {
  return Object.assign(command, { [TIMED]: true as const });
}

export function isTimed(command: object): boolean {
  return TIMED in command;
}
