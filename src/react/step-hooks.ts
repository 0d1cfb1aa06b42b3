/** Hooks for the ticks of the simulation, and those that a page can have only if it runs them itself. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { isDevelopment } from '../shared/util/development.js';
import { checkCallback } from './development.js';
import type { StepHooks } from '../world/page/added-hooks.js';
import { usePhysics } from './physics-context.js';
import type { WorldStepCallback } from './physics-scope.js';

/** The callback of the last render. */
function useLatest<T>(callback: T): { readonly current: T } {
  const ref = useRef(callback);
  useLayoutEffect(() => {
    ref.current = callback;
  });
  return ref;
}

function useStepCallback(
  name: string,
  callback: WorldStepCallback,
  when: 'beforeStep' | 'afterStep',
): void {
  const { scope } = usePhysics(name);
  if (isDevelopment) checkCallback(name, callback);
  const ref = useLatest(callback);
  useEffect(() => {
    scope[when].add(ref);
    return () => void scope[when].delete(ref);
  }, [scope, when, ref]);
}

/**
 * Calls back before each step of the engine.
 *
 * - With `transport="local"`, within the tick: it reads the state of that tick, and what it writes acts at once and is recorded.
 *   An error in it fails the simulation. It is not called in a replay or a seek.
 * - Otherwise, once for each tick that the page has received since the last frame, before the `useFrame` callbacks: at
 *   most 30 times, and as often as `step` of `useRapier` was called. Of a world that does not begin paused, the first call
 *   comes before the first tick. The changes of each call take effect before the step of a later tick, the next one for which
 *   no other call was made; calls share one only after a frame that took long. Code that must read what a tick computes and
 *   act on the next one is a system.
 *
 * @throws Error outside of `<Physics>`.
 */
export const useBeforePhysicsStep = (callback: WorldStepCallback): void =>
  useStepCallback('useBeforePhysicsStep', callback, 'beforeStep');

/**
 * Like {@link useBeforePhysicsStep}: with `transport="local"`, called after the engine's step, before the bodies are published.
 * Otherwise called after the other one, for the same tick. Its changes take effect after the step of the tick for which the other
 * was called, and before the changes of the next call, for which it waits half a second at most, at 60 ticks a second. So forces
 * that one adds and the other resets act all the time, also if frames are late.
 *
 * @throws Error outside of `<Physics>`.
 */
export const useAfterPhysicsStep = (callback: WorldStepCallback): void =>
  useStepCallback('useAfterPhysicsStep', callback, 'afterStep');

/**
 * Which contacts the engine solves: see {@link useFilterContactPair}.
 *
 * @param collider1 Its number: handles are counted from 1.
 * @param collider2 Its number: handles are counted from 1.
 * @param body1 Its number: handles are counted from 1.
 * @param body2 Its number: handles are counted from 1.
 * @returns 32 bits of `SolverFlags`, or null for what others or the engine decide.
 */
export type FilterContactPairCallback = (
  collider1: number,
  collider2: number,
  body1: number,
  body2: number,
) => number | null;

/**
 * Which overlaps of sensors are reported: see {@link useFilterIntersectionPair}.
 *
 * @param collider1 Its number: handles are counted from 1.
 * @param collider2 Its number: handles are counted from 1.
 * @param body1 Its number: handles are counted from 1.
 * @param body2 Its number: handles are counted from 1.
 * @returns Whether it is reported.
 */
export type FilterIntersectionPairCallback = (
  collider1: number,
  collider2: number,
  body1: number,
  body2: number,
) => boolean;

/**
 * Is asked within each step of the pairs that may touch, if a collider of them has `ActiveHooks.FILTER_CONTACT_PAIRS`, with
 * `transport="local"`. If all callbacks return null, the two do not touch. It may not ask the engine: `useBeforePhysicsStep` can
 * note what it needs. Replays ask it again, so it should depend on nothing else.
 *
 * @throws Error outside of `<Physics>`, and if the engine runs in a worker: it waits for the answer within a step. Write a system
 *   with `filterContact`, and mount it with `useSystem`; or use `oneWay` of a collider, `ignores` of `<RigidBody>`,
 *   `collisionGroups` and `solverGroups`.
 */
export const useFilterContactPair = (callback: FilterContactPairCallback): void =>
  useFilter('useFilterContactPair', 'filterContact', callback);

/**
 * Like {@link useFilterContactPair}, for sensors and `ActiveHooks.FILTER_INTERSECTION_PAIRS`: one that returns false has the
 * sensor not notice the collider.
 *
 * @throws Error outside of `<Physics>`, and if the engine runs in a worker: write a system with `filterIntersection`.
 */
export const useFilterIntersectionPair = (callback: FilterIntersectionPairCallback): void =>
  useFilter('useFilterIntersectionPair', 'filterIntersection', callback);

/**
 * @param method The method of a system that does the same in a worker.
 * @throws Error in a world whose engine runs in a worker.
 */
function useFilter(
  hook: 'useFilterContactPair' | 'useFilterIntersectionPair',
  method: 'filterContact' | 'filterIntersection',
  callback: FilterContactPairCallback | FilterIntersectionPairCallback,
): void {
  const { scope } = usePhysics(hook);
  if (isDevelopment) checkCallback(hook, callback);
  if (!scope.isLocal) {
    throw new Error(
      `${hook} cannot work on the page: the engine, which is in a worker, would wait for it in the middle of a step. ` +
        `Define a system with ${method} in a worker script, give the script to <Physics worker={…}>, and mount the system ` +
        'with useSystem; or use oneWay of a collider, ignores of <RigidBody>, collisionGroups and solverGroups; or let the ' +
        'engine run on the page, with <Physics transport="local">',
    );
  }
  const ref = useLatest(callback);
  useEffect(() => {
    // The types of filters say that there are bodies, as those of `@react-three/rapier` do.
    const filter = (...handles: Parameters<FilterContactPairCallback>) => ref.current(...handles);
    return scope.world.addStepHooks({ [`${method}Pair`]: filter } as StepHooks);
  }, [scope, ref, method]);
}
