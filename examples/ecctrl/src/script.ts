/** A script of keys, which is the same on both libraries, and what is measured while it is played. */
import { LANES, START_Y } from './lanes.js';
import type { Driver, Key } from './driver.js';

export interface Leg {
  readonly name: string;
  readonly seconds: number;
  /** Where the walker is put. Default: it stays. */
  readonly from?: readonly [x: number, z: number];
  /** Keys with the times at which they are held, from and to, in seconds. */
  readonly keys: Partial<Record<Key, readonly [from: number, to: number]>>;
}

const ALL = [0, Number.POSITIVE_INFINITY] as const;

export const LEGS: readonly Leg[] = [
  { name: 'settle', seconds: 2, from: [LANES.flat, 3], keys: {} },
  { name: 'still', seconds: 2, keys: {} },
  { name: 'walk', seconds: 4, keys: { forward: ALL } },
  { name: 'stop', seconds: 1, keys: {} },
  { name: 'jump', seconds: 2, keys: { jump: [0, 0.15] } },
  { name: 'slope', seconds: 5, from: [LANES.slope, 1], keys: { forward: ALL } },
  { name: 'steps', seconds: 4, from: [LANES.steps, 1], keys: { forward: ALL } },
  { name: 'box', seconds: 3, from: [LANES.box, 1], keys: { forward: ALL } },
  { name: 'lift', seconds: 4, from: [LANES.lift, -2], keys: {} },
  { name: 'turntable', seconds: 3, from: [LANES.turntable, -3], keys: {} },
  {
    name: 'gap',
    seconds: 3,
    from: [LANES.gap, 3],
    keys: { forward: [0, 2], run: ALL, jump: [1.05, 1.3] },
  },
  { name: 'drive', seconds: 6, keys: { drive: ALL } },
  { name: 'brake', seconds: 3, keys: { brake: ALL } },
];

/** Figures of a leg, in m and m/s. */
export interface Measured {
  readonly name: string;
  /** How far the walker went, along x, y and z. */
  went: readonly [number, number, number];
  /** The farthest that it was from where it began, over any axis. */
  moved: number;
  /** The highest that it was above where it began. */
  rose: number;
  /** How far the box went. */
  pushed: number;
  /** Top speed of the car. */
  topSpeed: number;
  carWent: number;
}

type Point = readonly [number, number, number];
const pointOf = ({ x, y, z }: { x: number; y: number; z: number }): Point => [x, y, z];
const between = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

export class ScriptPlayer {
  readonly measured: Measured[] = [];
  readonly #driver: Driver;
  readonly #legs: readonly Leg[];
  #leg = 0;
  #time = 0;
  #begin: { walker: Point; box: Point; car: Point } | undefined;

  constructor(driver: Driver, legs: readonly Leg[] = LEGS) {
    this.#driver = driver;
    this.#legs = legs;
  }

  /** Sets the keys of the next frame. @param delta Seconds since the last. @returns False at the end. */
  frame(delta: number): boolean {
    const { walker, car, box, keys } = this.#driver;
    const leg = this.#legs[this.#leg];
    keys.clear();
    if (leg === undefined) return false;
    if (walker === undefined || car === undefined || box === undefined) return true;
    if (this.#begin === undefined) {
      if (leg.from !== undefined) {
        const [x, z] = leg.from;
        walker.body.setTranslation({ x, y: START_Y, z }, true);
        walker.body.setLinvel({ x: 0, y: 0, z: 0 }, true);
      }
      this.#begin = {
        walker: pointOf(walker.body.translation()),
        box: pointOf(box.translation()),
        car: pointOf(car.body.translation()),
      };
      const empty = {
        went: [0, 0, 0] as const,
        moved: 0,
        rose: 0,
        pushed: 0,
        topSpeed: 0,
        carWent: 0,
      };
      this.measured.push({ name: leg.name, ...empty });
      this.#time = 0;
    } else this.#time += delta;
    this.#measure();
    if (this.#time >= leg.seconds) {
      this.#leg += 1;
      this.#begin = undefined;
      return true;
    }
    for (const [key, [from, to]] of Object.entries(leg.keys)) {
      if (this.#time >= from && this.#time < to) keys.add(key as Key);
    }
    return true;
  }

  #measure(): void {
    const { walker, car, box } = this.#driver;
    const measured = this.measured.at(-1);
    const begin = this.#begin;
    if (begin === undefined || measured === undefined) return;
    if (walker === undefined || car === undefined || box === undefined) return;
    const at = pointOf(walker.body.translation());
    measured.went = [at[0] - begin.walker[0], at[1] - begin.walker[1], at[2] - begin.walker[2]];
    measured.moved = Math.max(measured.moved, between(at, begin.walker));
    measured.rose = Math.max(measured.rose, measured.went[1]);
    measured.pushed = between(pointOf(box.translation()), begin.box);
    measured.carWent = between(pointOf(car.body.translation()), begin.car);
    measured.topSpeed = Math.max(measured.topSpeed, Math.hypot(...pointOf(car.body.linvel())));
  }
}
