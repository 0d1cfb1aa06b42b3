/** Draws the frames of `<Physics>`, and asks for them while something moves. */
import { useFrame, useThree, type RootState } from '@react-three/fiber';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { WorldHandle } from '../world/page/index.js';
import { frameStamp, keepStamps } from './frame-clock.js';
import type { PhysicsProps } from './physics-props.js';
import type { PhysicsScope } from './physics-scope.js';
import { RestWatch } from './rest-watch.js';

/** Before the callbacks of components: they find what is drawn. Those below 0 leave the rendering to fiber. */
const STANDARD_PRIORITY = -1;

/** How often a scene that is drawn on demand is looked at while it rests: what wakes in the worker by itself shows then. */
const LOOK_MS = 50;

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
  useEffect(() => keepStamps(), []);
  useLayoutEffect(() => {
    painter.canvas = { isByHand: frameloop === 'never', gl };
  });
  useFrame(painter.drawFrame, updatePriority);
  const isWatched = isOnDemand || onSettled !== undefined;
  useEffect(() => {
    if (!isWatched || simulation === undefined) return;
    painter.watch(simulation, {
      onMoving: isOnDemand ? invalidate : undefined,
      onSettled: () => settled.current?.(),
    });
    return () => painter.unwatch();
  }, [painter, simulation, isWatched, isOnDemand, invalidate]);
  useEffect(() => {
    if (!isOnDemand) return;
    const off = scope.onChange(invalidate);
    const looking = setInterval(() => painter.lookAgain(), LOOK_MS);
    return () => {
      off();
      clearInterval(looking);
    };
  }, [scope, painter, isOnDemand, invalidate]);
}

/** What draws the frames. */
interface DrawnCanvas {
  /** Whether the application draws frames itself. */
  readonly isByHand: boolean;
  readonly gl: RootState['gl'];
}

interface Watching {
  /** Later frames will show something else. */
  readonly onMoving: (() => void) | undefined;
  readonly onSettled: () => void;
}

class Painter {
  canvas: DrawnCanvas | undefined;
  readonly #scope: PhysicsScope;
  #rest: RestWatch | undefined;
  #simulation: WorldHandle | undefined;
  #watching: Watching | undefined;
  #lastStamp = 0;
  #isDrawn = false;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
  }

  watch(simulation: WorldHandle, watching: Watching): void {
    this.#simulation = simulation;
    this.#watching = watching;
    watching.onMoving?.();
    this.#rest ??= new RestWatch(this.#scope);
  }

  unwatch(): void {
    this.#simulation = undefined;
    this.#watching = undefined;
  }

  /**
   * For fiber, which keeps the first callbacks of a canvas in a list as long as the canvas: so it is no closure of the
   * component, and leads to no world that has ended.
   */
  readonly drawFrame = (): void => {
    if (this.canvas === undefined) return;
    const { isByHand, gl } = this.canvas;
    this.draw(frameStamp(isByHand, gl.xr?.isPresenting === true));
  };

  draw(stamp: number): void {
    this.#isDrawn = true;
    // A look may have been later than the stamp of the frame that follows it.
    this.#lastStamp = Math.max(stamp, this.#lastStamp);
    const frame = this.#scope.draw(this.#lastStamp);
    const world = this.#scope.existingWorld;
    const simulation = this.#simulation;
    const watching = this.#watching;
    const rest = this.#rest;
    if (frame?.hasState !== true || world === undefined || rest === undefined) return;
    if (simulation === undefined || watching === undefined) return;
    if (rest.look(frame, world, simulation)) watching.onMoving?.();
    else if (rest.takeSettled(simulation)) watching.onSettled();
  }

  /** Unless a frame was drawn since the last call: no frames come while everything rests. */
  lookAgain(): void {
    if (!this.#isDrawn) this.draw(performance.now());
    this.#isDrawn = false;
  }
}
