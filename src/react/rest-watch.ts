/** Watches whether anything moves, for frames that are drawn on demand and for `onSettled`. */
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import type { World, WorldHandle } from '../world/page/index.js';
import type { PhysicsScope } from './physics-scope.js';

/** In m/s and radians per second: what is slower rests. Characters on the ground are moved by less than that. */
const SLOWEST = 1e-5;

export class RestWatch {
  readonly #scope: PhysicsScope;
  readonly #velocity = new Float64Array(6);
  /** The first tick after which nothing moved, as far as it was noticed. NaN: something moves. */
  #restsFrom = Number.NaN;
  #hasMoved = false;
  /** It has seen bodies. */
  #hasBegun = false;
  /** What was looked at last. */
  readonly #last = { tick: -1, blend: 0, newestTick: -1 };
  /** Found last to move: it probably still does. */
  #mover: BodyId | undefined;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
  }

  /**
   * Looks at the newest state.
   *
   * @returns Whether later frames will show something else.
   */
  look(frame: SampledFrame, world: World, handle: WorldHandle): boolean {
    const isSame = this.#isSame(frame);
    if (!this.#hasBegun && handle.bodies.size > 0) {
      this.#hasBegun = true;
      // They may have come to rest before this first look.
      for (const tag of handle.bodies.values()) {
        this.#hasMoved ||= world.getRigidBody(tag)?.isDynamic() === true;
      }
    }
    // Then only steps and jumps bring anything else. The display may have stopped between two states.
    if (handle.state !== 'running') return !isSame;
    if (this.#scope.isChangePending || this.#isAnyMoving(frame, world, handle)) {
      this.#restsFrom = Number.NaN;
      return true;
    }
    const { newestTick } = frame;
    // Also after a jump back.
    if (!(newestTick >= this.#restsFrom)) this.#restsFrom = newestTick;
    return frame.tick < this.#restsFrom || (frame.tick === this.#restsFrom && frame.blend < 1);
  }

  /** @returns Whether something has moved since the last call that returned true. To be called when everything rests. */
  takeSettled(handle: WorldHandle): boolean {
    if (!this.#hasMoved || handle.state !== 'running') return false;
    this.#hasMoved = false;
    return true;
  }

  /** Whether it shows what the one before did. */
  #isSame({ tick, blend, newestTick }: SampledFrame): boolean {
    const last = this.#last;
    const isSame = last.tick === tick && last.blend === blend && last.newestTick === newestTick;
    last.tick = tick;
    last.blend = blend;
    last.newestTick = newestTick;
    return isSame;
  }

  #isAnyMoving(frame: SampledFrame, world: World, handle: WorldHandle): boolean {
    const last = this.#mover;
    const tag = last === undefined ? undefined : handle.bodies.get(last);
    if (last !== undefined && tag !== undefined && this.#isMoving(frame, world, last, tag)) {
      return true;
    }
    this.#mover = undefined;
    // Not the entries: each would be an array.
    for (const id of handle.bodies.keys()) {
      if (!this.#isMoving(frame, world, id, handle.bodies.get(id) as number)) continue;
      this.#mover = id;
      this.#hasMoved = true;
      return true;
    }
    return false;
  }

  #isMoving(frame: SampledFrame, world: World, id: BodyId, tag: number): boolean {
    if (frame.isAsleep(id) !== false) return false;
    const body = world.getRigidBody(tag);
    const canSleep = body !== undefined && this.#scope.entryOf(body)?.props.canSleep !== false;
    if (canSleep && body.isDynamic()) return true;
    // What is never put to sleep rests when it does not move.
    if (frame.velocity(id, this.#velocity) === undefined) return false;
    // Not with a callback, which would be given each number as an object.
    for (let at = 0; at < this.#velocity.length; at++) {
      if (Math.abs(this.#velocity[at] as number) > SLOWEST) return true;
    }
    return false;
  }
}
