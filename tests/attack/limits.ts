/** The time and the cases of each attack. */
const { BETWIXT_ATTACK_SECONDS = 5, BETWIXT_ATTACK_SEED = Math.random() * 2 ** 31 } = process.env;

/** An attack finishes what it has begun. */
export const LIMIT_MS = 1000 * Number(BETWIXT_ATTACK_SECONDS);
export const SEED = Math.trunc(Number(BETWIXT_ATTACK_SEED));
