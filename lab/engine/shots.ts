/**
 * Repeated shots at a thin wall. The simulation checks for the wall only where the shot is after an
 * update and not on the way there, as simple physics does, so a step longer than the wall is thick
 * skips it:
 *
 *     short steps    ·   ·   ·   ·  [ ·           seen inside: stopped at its face
 *     a long step    ·   ·   ·   ─  [   ]  ─  ·   never inside: through
 *
 * Where the shot is in simulated time is a formula; only whether it was seen depends on the loop.
 * Lengths in distances from muzzle to wall, times in ms.
 */

/** Time from shot to shot. Not a whole number of ticks or refreshes at any usual rate. */
export const SHOT_PERIOD_MS = 730;
/**
 * Time to the wall, and how long the shot is inside it: any step of up to 50 ms (20 Hz) detects it.
 */
export const SHOT_FLIGHT_MS = 200;
export const SHOT_IN_WALL_MS = 50;
/** Lengths a ms. */
export const SHOT_SPEED = 1 / SHOT_FLIGHT_MS;
/** Tolerance, in ms: rounding must not hide a step of exactly the wall's thickness. */
const SLACK_MS = 1e-3;

export type ShotFate = 'flying' | 'stopped' | 'through';

/** The shot in one state. */
export interface ShotState {
  /** Which shot, from 0. */
  readonly shot: number;
  readonly fate: ShotFate;
  /** The wall's face is at 1. */
  readonly position: number;
}

/** The shot's true place: it never passes the wall. */
export function shotAt(ms: number): number {
  return Math.min(1, sinceShot(ms) * SHOT_SPEED);
}

/** Follows the shots through the updates of a simulation. */
export class Shots {
  #previous: ShotState = { shot: 0, fate: 'flying', position: 0 };
  #current: ShotState = this.#previous;
  #through = 0;

  /** In the state before the last update. */
  get previous(): ShotState {
    return this.#previous;
  }

  /** In the newest state. */
  get current(): ShotState {
    return this.#current;
  }

  /** Shots that have gone through the wall. */
  get through(): number {
    return this.#through;
  }

  /** @param simulatedMs Of the new state, never less than before. */
  update(simulatedMs: number): void {
    this.#previous = this.#current;
    const before = this.#previous;
    const shot = Math.floor(simulatedMs / SHOT_PERIOD_MS);
    const sinceMs = sinceShot(simulatedMs);
    if (shot > before.shot) {
      // The last one was not seen to stop, and neither was any that was fired and gone within this
      // step.
      this.#through += shot - before.shot - (before.fate === 'flying' ? 0 : 1);
    }
    const last = shot === before.shot ? before.fate : 'flying';
    const fate = last === 'flying' ? fateAt(sinceMs) : last;
    if (fate === 'through' && last === 'flying') this.#through += 1;
    const position = fate === 'stopped' ? 1 : sinceMs * SHOT_SPEED;
    this.#current = { shot, fate, position };
  }
}

/**
 * Where a frame shows the shot: between two states or beyond the newest; a new shot does not fly
 * back.
 */
export function drawnShot(
  previous: ShotState,
  current: ShotState,
  alpha: number,
  predictMs: number,
): number {
  const { shot, fate, position } = current;
  const from = previous.shot === shot ? previous.position : position;
  const ahead = fate === 'stopped' ? 0 : SHOT_SPEED * predictMs;
  return from + (position - from) * alpha + ahead;
}

function fateAt(sinceMs: number): ShotFate {
  if (sinceMs < SHOT_FLIGHT_MS - SLACK_MS) return 'flying';
  return sinceMs <= SHOT_FLIGHT_MS + SHOT_IN_WALL_MS + SLACK_MS ? 'stopped' : 'through';
}

function sinceShot(ms: number): number {
  return ms - Math.floor(ms / SHOT_PERIOD_MS) * SHOT_PERIOD_MS;
}
