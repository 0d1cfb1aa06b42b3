/** Everything that a frame of the demo depends on, except the drawn poses. */
import type { Vector3 } from 'three';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { Effects } from '../effects/effects.js';
import type { GrabLine } from './grab-line.js';
import type { Viewport } from './split-view.js';
import type { FrameDeduplicator } from './frame-deduplicator.js';

export interface FrameParts {
  readonly frame: SampledFrame;
  readonly frameMs: number;
  readonly viewports: readonly Viewport[];
  /** The camera's target: ground and shadows follow it. */
  readonly target: Vector3;
  readonly grabLine: GrabLine;
  readonly effects: Effects;
  /** Counts other changes: another scene, another canvas, another look. */
  readonly revision: number;
}

/** Describes a frame whose cameras and grab line are in place. */
export function describeFrame(deduplicator: FrameDeduplicator, parts: FrameParts): void {
  const { frame, frameMs, viewports, target, grabLine, effects, revision } = parts;
  deduplicator.begin();
  deduplicator.add(revision);
  // Numbers that nearly always decide, so that the poses need not be compared. Not `alpha`: without
  // interpolation it changes while the frame does not.
  deduplicator.add(frame.hasState ? 1 : 0);
  deduplicator.add(frame.tick);
  deduplicator.add(frame.blend);
  for (const { camera, left, top, width, height } of viewports) {
    deduplicator.addAll([left, top, width, height]);
    deduplicator.addAll(camera.position);
    deduplicator.addAll(camera.quaternion);
    deduplicator.addAll(camera.projectionMatrix.elements);
  }
  deduplicator.addAll(target);
  // Sparks and flashes advance by the page's time.
  deduplicator.add(effects.isMoving ? frameMs : -1);
  deduplicator.addAll(grabLine.ends ?? []);
}
