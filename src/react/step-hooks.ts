/** Hooks for the ticks of the simulation, and those that the page cannot have. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { isDevelopment } from '../shared/util/development.js';
import { checkCallback } from './development.js';
import { usePhysics } from './physics-context.js';
import type { PhysicsScope, WorldStepCallback } from './physics-scope.js';

function useStepCallback(
  name: string,
  callback: WorldStepCallback,
  callbacksOf: (scope: PhysicsScope) => Set<{ readonly current: WorldStepCallback }>,
): void {
  const { scope } = usePhysics(name);
  if (isDevelopment) checkCallback(name, callback);
  const ref = useRef(callback);
  useLayoutEffect(() => {
    ref.current = callback;
  });
  useEffect(() => {
    const callbacks = callbacksOf(scope);
    callbacks.add(ref);
    return () => {
      callbacks.delete(ref);
    };
  }, [scope, callbacksOf]);
}

const beforeOf = (scope: PhysicsScope) => scope.beforeStep;
const afterOf = (scope: PhysicsScope) => scope.afterStep;

/**
 * Calls back once for each tick that the page has received since the last frame, before the `useFrame` callbacks: at
 * most 30 times, and as often as `step` of `useRapier` was called. Of a world that does not begin paused, the first call
 * comes before the first tick. The changes of each call take effect before the step of a later tick, the next one for which
 * no other call was made; calls share one only after a frame that took long. Code that must read what a tick computes and
 * act on the next one is a system.
 *
 * @throws Error outside of `<Physics>`.
 */
export const useBeforePhysicsStep = (callback: WorldStepCallback): void =>
  useStepCallback('useBeforePhysicsStep', callback, beforeOf);

/**
 * Like {@link useBeforePhysicsStep}: called after it, for the same tick. Its changes take effect after the step of the
 * tick for which the other was called, and before the changes of the next call, for which it waits half a second at most, at 60
 * ticks a second. So forces that one adds and the other resets act all the time, also if frames are late.
 *
 * @throws Error outside of `<Physics>`.
 */
export const useAfterPhysicsStep = (callback: WorldStepCallback): void =>
  useStepCallback('useAfterPhysicsStep', callback, afterOf);

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
 * Not possible on the page: the engine waits for the answer within a step. Write a system with `filterContact` in the
 * worker, and mount it with `useSystem`; or use `oneWay` of a collider, `ignores` of `<RigidBody>`, `collisionGroups` and `solverGroups`.
 *
 * @throws Error always; it says what to do instead.
 */
export const useFilterContactPair = (_callback: FilterContactPairCallback): void => {
  throw noFilter('useFilterContactPair', 'filterContact');
};

/**
 * Not possible on the page: see {@link useFilterContactPair}, with `filterIntersection`.
 *
 * @throws Error always; it says what to do instead.
 */
export const useFilterIntersectionPair = (_callback: FilterIntersectionPairCallback): void => {
  throw noFilter('useFilterIntersectionPair', 'filterIntersection');
};

const noFilter = (hook: string, method: string): Error =>
  new Error(
    `${hook} cannot work on the page: the engine, which is in a worker, would wait for it in the middle of a step. ` +
      `Define a system with ${method} in a worker script, give the script to <Physics worker={…}>, and mount the system ` +
      `with useSystem; or use oneWay of a collider, ignores of <RigidBody>, collisionGroups and solverGroups`,
  );
