/**
 * Warns in development of a control loop that closes over the border of a thread: a callback of steps that reads how a body
 * moves, and pushes it or moves it on, in each tick. In a worker its pushes are one or two ticks late, and springs bounce; and all
 * ticks of a frame move it on from the same place.
 */
import { warnOnce } from '../shared/util/development.js';
import { BodyHandle } from '../world/page/body-handle.js';

/** Ticks in a row after which it is one, a second by default: what is held for a moment is none. */
const MANY_TICKS = 60;

/** The watch of the tick whose callbacks run. */
let current: Pick<ControlWatch, 'read' | 'controlled'> | undefined;
let isWatching = false;

export class ControlWatch {
  /** Bodies that were read in this tick. */
  readonly read = new Set<BodyHandle>();
  /** Bodies that were read before they were pushed or moved, and the warning of that. */
  readonly controlled = new Map<BodyHandle, (name: string) => void>();
  readonly #nameOf: (body: BodyHandle) => string;
  /** For how many ticks in a row each body was controlled. */
  #counts = new Map<BodyHandle, number>();

  constructor(nameOf: (body: BodyHandle) => string) {
    this.#nameOf = nameOf;
  }

  /** Runs the callbacks of a tick. */
  watch(callbacks: () => void): void {
    watchBodies();
    const { read, controlled } = this;
    current = { read, controlled };
    try {
      callbacks();
    } finally {
      current = undefined;
      this.#endTick();
    }
  }

  #endTick(): void {
    const counts = new Map<BodyHandle, number>();
    for (const [body, warn] of this.controlled) {
      const count = (this.#counts.get(body) ?? 0) + 1;
      counts.set(body, count);
      if (count === MANY_TICKS) warn(this.#nameOf(body));
    }
    this.#counts = counts;
    this.read.clear();
    this.controlled.clear();
  }
}

const warnOfMoves = (name: string): void =>
  warnOnce(
    'moves from where a body is',
    `a step callback moves ${name} on from its translation(), in each tick. The engine is in a worker, so all ticks of a frame find ` +
      'it in the same place, and it is slower at low frame rates. Take useCharacter for a character, or keep the target yourself',
  );

const warnOfPushes = (name: string): void =>
  warnOnce(
    'control loops',
    `a step callback reads how ${name} moves and pushes it, in each tick. The engine is in a worker, so each push comes one or ` +
      'two ticks late: springs bounce. Take a system (useSystem), useVehicle, or <Physics transport="local">',
  );

/** Methods that read how a body moves, and those that answer it, by the warning of that. */
const METHODS: Readonly<Partial<Record<keyof BodyHandle, 'read' | ((name: string) => void)>>> = {
  translation: 'read',
  rotation: 'read',
  linvel: 'read',
  angvel: 'read',
  velocityAtPoint: 'read',
  worldCom: 'read',
  applyImpulse: warnOfPushes,
  applyImpulseAtPoint: warnOfPushes,
  applyTorqueImpulse: warnOfPushes,
  addForce: warnOfPushes,
  addForceAtPoint: warnOfPushes,
  addTorque: warnOfPushes,
  setNextKinematicTranslation: warnOfMoves,
};

/** Wraps the methods of all bodies, once. */
function watchBodies(): void {
  if (isWatching) return;
  isWatching = true;
  for (const [name, kind] of Object.entries(METHODS)) {
    const method = BodyHandle.prototype[name as keyof BodyHandle] as (
      ...args: unknown[]
    ) => unknown;
    Object.defineProperty(BodyHandle.prototype, name, {
      configurable: true,
      writable: true,
      value(this: BodyHandle, ...args: unknown[]): unknown {
        if (kind === 'read') current?.read.add(this);
        else if (current?.read.has(this) === true) current.controlled.set(this, kind);
        return method.apply(this, args);
      },
    });
  }
}
