/** Draws the frames of `<Physics>`, and asks for them while something moves. */
import {
  addAfterEffect,
  addEffect,
  type RenderCallback,
  type RootState,
  useFrame,
  useThree,
} from '@react-three/fiber';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { World, WorldHandle } from '../world/page/index.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import type { PhysicsProps } from './types.js';
import type { PhysicsScope } from './physics-scope.js';

/** Before the callbacks of components: they find what is drawn. Those below 0 leave the rendering to fiber. */
const STANDARD_PRIORITY = -1;

/** How often a resting scene that is drawn on demand is sampled: a body may wake in the worker by itself. */
const POLL_MS = 50;

export function useDrawing(
  scope: PhysicsScope,
  simulation: WorldHandle | undefined,
  { onSettled, updatePriority = STANDARD_PRIORITY }: PhysicsProps,
): void {
  const frameloop = useThree((state) => state.frameloop);
  const invalidate = useThree((state) => state.invalidate);
  const gl = useThree((state) => state.gl);
  const isOnDemand = frameloop === 'demand';
  const [painter] = useState(() => new Painter(scope));
  const settled = useRef(onSettled);
  useLayoutEffect(() => {
    settled.current = onSettled;
  });
  useEffect(() => addEffect(note), []);
  useEffect(() => addAfterEffect(forget), []);
  useLayoutEffect(() => {
    painter.canvas = { isByHand: frameloop === 'never', gl };
  });
  useFrame(painter.drawFrame, updatePriority);
  const isWatched = isOnDemand || onSettled !== undefined;
  useEffect(() => {
    if (!isWatched || simulation === undefined) return;
    painter.watch({
      simulation,
      onMoving: isOnDemand ? invalidate : undefined,
      onSettled: () => settled.current?.(),
    });
    return () => painter.unwatch();
  }, [painter, simulation, isWatched, isOnDemand, invalidate]);
  useEffect(() => {
    if (!isOnDemand) return;
    const off = scope.onChange(invalidate);
    const polling = setInterval(() => painter.poll(), POLL_MS);
    return () => {
      off();
      clearInterval(polling);
    };
  }, [scope, painter, isOnDemand, invalidate]);
}

/** The canvas that draws the frames. */
interface DrawnCanvas {
  /** Whether the application draws frames itself. */
  readonly isByHand: boolean;
  readonly gl: RootState['gl'];
}

interface Watching {
  readonly simulation: WorldHandle;
  /** Later frames will show something else. */
  readonly onMoving: (() => void) | undefined;
  readonly onSettled: () => void;
}

/** Draws frames, and tells whether later ones will show something else. */
class Painter {
  canvas: DrawnCanvas | undefined;
  readonly #scope: PhysicsScope;
  readonly #rest: RestWatch;
  #watching: Watching | undefined;
  #lastStamp = 0;
  #isDrawn = false;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
    this.#rest = new RestWatch(scope);
  }

  watch(watching: Watching): void {
    this.#watching = watching;
    watching.onMoving?.();
  }

  unwatch(): void {
    this.#watching = undefined;
  }

  /**
   * For fiber, which keeps the first callbacks of a canvas in a list as long as the canvas: so it is no closure of the
   * component, and leads to no world that has ended.
   */
  readonly drawFrame: RenderCallback = (_state, _delta, frame) => {
    if (this.canvas === undefined) return;
    const { isByHand, gl } = this.canvas;
    // The time at which a headset will show the frame, if the browser knows it.
    this.draw(frame?.predictedDisplayTime || frameStamp(isByHand, gl.xr?.isPresenting === true));
  };

  draw(stamp: number): void {
    this.#isDrawn = true;
    // A poll may have been later than the stamp of the frame after it.
    this.#lastStamp = Math.max(stamp, this.#lastStamp);
    const frame = this.#scope.draw(this.#lastStamp);
    const world = this.#scope.existingWorld;
    const watching = this.#watching;
    if (frame?.hasState !== true || world === undefined || watching === undefined) return;
    const { simulation } = watching;
    if (this.#rest.update(frame, world, simulation)) watching.onMoving?.();
    else if (this.#rest.takeSettled(simulation)) watching.onSettled();
  }

  /** Draws a frame unless one was drawn since the last call: no frames come while everything rests. */
  poll(): void {
    if (!this.#isDrawn) this.draw(performance.now());
    this.#isDrawn = false;
  }
}

/** Time stamp of the frame that is being drawn. Undefined outside of a frame that a display has asked for. */
let current: number | undefined;
/** A function made for each frame would be garbage. */
const note = (stamp: number): void => {
  current = stamp;
};
/** A frame that is drawn by hand has another stamp, or none. */
const forget = (): void => {
  current = undefined;
};

/**
 * The time stamp of the frame that is drawn now, in ms.
 *
 * @param isByHand Whether the application draws frames itself, and may pass any number for their time.
 * @param isPresenting Whether a headset shows the frames: those of the page may have stopped.
 */
function frameStamp(isByHand: boolean, isPresenting: boolean): number {
  if (!isByHand && current !== undefined) return current;
  if (isPresenting) return performance.now();
  const shown = globalThis.document?.timeline?.currentTime;
  return typeof shown === 'number' ? shown : performance.now();
}

/** In m/s and radians per second: a slower body rests. The engine moves characters on the ground by less than that. */
const SLOWEST = 1e-5;

/** Watches whether anything moves, for frames that are drawn on demand and for `onSettled`. */
class RestWatch {
  readonly #scope: PhysicsScope;
  readonly #velocity = new Float64Array(6);
  /** The first tick after which nothing moved, as far as it was noticed. NaN: something moves. */
  #restsFrom = Number.NaN;
  #hasMoved = false;
  /** Whether an update has seen bodies. */
  #hasBegun = false;
  /** The frame of the last update. */
  readonly #last = { tick: -1, blend: 0, newestTick: -1 };
  /** The body that was last found to move: it probably still does. */
  #mover: BodyId | undefined;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
  }

  /**
   * Reads the newest state.
   *
   * @returns Whether later frames will show something else.
   */
  update(frame: SampledFrame, world: World, handle: WorldHandle): boolean {
    const isSame = this.#isSame(frame);
    if (!this.#hasBegun && handle.bodies.size > 0) {
      this.#hasBegun = true;
      // Bodies may have come to rest before this first update.
      for (const tag of handle.bodies.values()) {
        this.#hasMoved ||= world.getRigidBody(tag)?.isDynamic() === true;
      }
    }
    // In a run that is paused, only steps and jumps bring another frame. The display may have stopped between two states.
    if (handle.state !== 'running') return !isSame;
    if (this.#scope.isChangePending || this.#isAnyMoving(frame, world, handle)) {
      this.#restsFrom = Number.NaN;
      return true;
    }
    const { newestTick } = frame;
    // Or the run has jumped back.
    if (!(newestTick >= this.#restsFrom)) this.#restsFrom = newestTick;
    return frame.tick < this.#restsFrom || (frame.tick === this.#restsFrom && frame.blend < 1);
  }

  /** @returns Whether something has moved since the last call that returned true. To be called when everything rests. */
  takeSettled(handle: WorldHandle): boolean {
    if (!this.#hasMoved || handle.state !== 'running') return false;
    this.#hasMoved = false;
    return true;
  }

  /** Whether a frame shows the same as the one before. */
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
    // Entries would be an array each.
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
    // A body that is never put to sleep rests when it does not move.
    if (frame.velocity(id, this.#velocity) === undefined) return false;
    // A callback would get each number as an object.
    for (let at = 0; at < this.#velocity.length; at++) {
      if (Math.abs(this.#velocity[at] as number) > SLOWEST) return true;
    }
    return false;
  }
}
