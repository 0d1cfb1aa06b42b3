/**
 * The integer lane of a body: the generation of its slot, its teleports, and its flags.
 *
 *     bit  0..11   generation: incremented whenever the slot gets a new body
 *     bit 12..19   teleports: incremented by every move that must not be interpolated
 *     bit 20       alive: the slot holds a body
 *     bit 21       asleep: the engine put the body to sleep
 *     bit 22       invalid: the engine produced NaN or infinity; the pose is the last valid one
 *     bit 23..31   rounds: incremented whenever one of the two counters wraps
 *
 * The counters are compared between states a few ticks apart. Together with their rounds they repeat after 2^17
 * teleports of a body or 2^21 owners of a slot, more than those few ticks allow. A plain flag, in contrast, would be
 * lost whenever the display skips the one snapshot that carries it.
 */

/** A body: its slot in bits 0 to 19 and its generation in bits 20 to 31, as an unsigned integer. */
export type BodyId = number & { readonly __bodyId: unique symbol };

export const SLOT_BITS = 20;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
export const GENERATION_MASK = 0xfff;
const TELEPORT_SHIFT = 12;
const TELEPORT_MASK = 0xff;

export const BODY_ALIVE = 1 << 20;
export const BODY_ASLEEP = 1 << 21;
export const BODY_INVALID = 1 << 22;
const ROUND = 1 << 23;
/** Bits 23 to 31. */
const ROUNDS_MASK = -ROUND;

/** Two states are interpolated only if these bits are equal; otherwise the body snaps. */
export const CONTINUITY_MASK = ~(BODY_ASLEEP | BODY_INVALID);

/** Bits that show whether a state's body is the one that an id refers to, and is alive. */
export const IDENTITY_MASK = GENERATION_MASK | BODY_ALIVE;

export const bodyId = (slot: number, generation: number): BodyId =>
  (((generation << SLOT_BITS) | slot) >>> 0) as BodyId;
/** A body's index among all bodies, from 0: for arrays of data about bodies. It is reused when the body is gone. */
export const slotOf = (id: number): number => id & SLOT_MASK;

/** The value of `meta & IDENTITY_MASK` while the body that `id` refers to is alive. */
export const identityOf = (id: number): number => (id >>> SLOT_BITS) | BODY_ALIVE;

/** Meta of a slot's next owner: the next generation, alive, no teleports yet. */
export const nextOwner = (meta: number): number => {
  const generation = (meta + 1) & GENERATION_MASK;
  return roundsOf(meta, generation === 0) | generation | BODY_ALIVE;
};

/** Meta after the owner left: the generation stays, so that its last pose can still be matched. */
export const withoutOwner = (meta: number): number => meta & (ROUNDS_MASK | GENERATION_MASK);

/** Meta after a teleport. */
export const afterTeleport = (meta: number): number => {
  const teleports = ((meta >>> TELEPORT_SHIFT) + 1) & TELEPORT_MASK;
  const others = meta & ~(ROUNDS_MASK | (TELEPORT_MASK << TELEPORT_SHIFT));
  return roundsOf(meta, teleports === 0) | others | (teleports << TELEPORT_SHIFT);
};

/** The rounds, incremented if a counter has wrapped. */
const roundsOf = (meta: number, hasWrapped: boolean): number =>
  hasWrapped ? ((meta & ROUNDS_MASK) + ROUND) | 0 : meta & ROUNDS_MASK;
