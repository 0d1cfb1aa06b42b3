/**
 * The integer lane of a body: who has the slot, how often it teleported, and its flags.
 *
 *     bit  0..11   generation: raised whenever the slot gets a new body
 *     bit 12..19   teleports: raised by every move that must not be interpolated
 *     bit 20       alive: the slot holds a body
 *     bit 21       asleep: the engine let the body sleep
 *     bit 22       invalid: the engine gave NaN or infinity; the pose is the last good one
 *     bit 23..31   for the application
 *
 * Both counters wrap. They are compared between states a few ticks apart, and 4096 owners or 256
 * teleports of one slot within those few ticks do not happen; a plain flag, on the other hand, would be
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
/** First bit that belongs to the application; there are nine. */
export const APPLICATION_FLAG_SHIFT = 23;

/** Two states are drawn *between* only where these bits are equal; elsewhere the body snaps. */
export const CONTINUITY_MASK = GENERATION_MASK | (TELEPORT_MASK << TELEPORT_SHIFT) | BODY_ALIVE;

/** Bits that say whether a state's body is the one that an id means, and alive. */
export const IDENTITY_MASK = GENERATION_MASK | BODY_ALIVE;

export const bodyId = (slot: number, generation: number): BodyId =>
  (((generation << SLOT_BITS) | slot) >>> 0) as BodyId;
/**
 * A body's index among all bodies, from 0: for arrays of what belongs to bodies. It is used again when the body
 * is gone.
 */
export const slotOf = (id: number): number => id & SLOT_MASK;
/** Tells the bodies apart that have one slot after each other, 0 to 4095. */
export const generationOf = (id: number): number => id >>> SLOT_BITS;

/** What `meta & IDENTITY_MASK` is while the body that `id` means is alive. */
export const identityOf = (id: number): number => (id >>> SLOT_BITS) | BODY_ALIVE;

/** Meta of a slot's next owner: the next generation, alive, no teleports yet. */
export const nextOwner = (meta: number): number => ((meta + 1) & GENERATION_MASK) | BODY_ALIVE;

/** Meta after the owner left: the generation stays, so that its last pose can still be matched. */
export const withoutOwner = (meta: number): number => meta & GENERATION_MASK;

/** Meta after a teleport. */
export const afterTeleport = (meta: number): number => {
  const teleports = ((meta >>> TELEPORT_SHIFT) + 1) & TELEPORT_MASK;
  return (meta & ~(TELEPORT_MASK << TELEPORT_SHIFT)) | (teleports << TELEPORT_SHIFT);
};
