/** Warnings of mistakes with a binding whose only sign is that nothing moves or is seen. Loaded only in development. */
import type { Object3D } from 'three';
import { later } from '../render-main/util/later.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { latestFrames, warnOnce } from '../shared/util/development.js';
import type { BodyBinding } from './body-binding.js';

/** By binding. */
const seen = new WeakMap<BodyBinding, Seen>();

interface Seen {
  isUpdated: boolean;
  /** The sampled frames of the updates so far, and the last of them: a simulation has one. */
  readonly frames: Set<SampledFrame>;
  last: SampledFrame | undefined;
}

/** Watches a binding from when it first draws something. @param draws Whether it still does. */
export function watchBinding(binding: BodyBinding, draws: () => boolean): void {
  if (seen.has(binding)) return;
  const own: Seen = { isUpdated: false, frames: new Set(), last: undefined };
  seen.set(binding, own);
  const update = binding.update.bind(binding);
  binding.update = (frame) => {
    own.isUpdated = true;
    noteFrame(own, frame);
    update(frame);
  };
  whenSeen(() => {
    if (own.isUpdated || !draws()) return;
    warnOnce(
      'no updates',
      'a BodyBinding, or what addGltf returned, has objects, and its update was never called, so they are hidden or stay ' +
        'where they are: call bodies.update(sim.sample(stamp)) in each frame, or level.update(world.sample(stamp))',
    );
  });
}

/** Bodies of two simulations have the same ids. */
function noteFrame(own: Seen, frame: SampledFrame): void {
  if (frame === own.last || latestFrames.has(frame)) return;
  const { frames } = own;
  own.last = frame;
  if (!frames.has(frame)) {
    frames.add(frame);
    return;
  }
  warnOnce(
    'two simulations',
    'a BodyBinding gets frames of two simulations in turn, and draws the bodies of both at the places of one: make one ' +
      'BodyBinding for each',
  );
}

/** Watches an object that `populate` has put nowhere. */
export function watchPlace(binding: BodyBinding, object: Object3D): void {
  whenSeen(() => {
    if (object.parent !== null || binding.bodyOf({ object }) === undefined) return;
    warnOnce(
      'no parent',
      'an object of populate() is in no scene, so it is not seen: pass { parent: scene }, or add it to the scene yourself',
    );
  });
}

/** Calls a function after a while in which the page was seen: a hidden one draws nothing. */
function whenSeen(call: () => void): void {
  later(() => {
    if (typeof document !== 'undefined' && document.hidden) whenSeen(call);
    else call();
  });
}
