/** All that a picture of the demo depends on, apart from what the bodies are drawn at. */
import type { Vector3 } from 'three';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { Effects } from '../effects/effects.js';
import type { GrabLine } from './grab-line.js';
import type { Viewport } from './split-view.js';
import type { StandingPicture } from './standing-picture.js';

export interface PictureParts {
  readonly frame: SampledFrame;
  readonly frameMs: number;
  readonly viewports: readonly Viewport[];
  /** What the camera looks at: ground and shadows go along with it. */
  readonly target: Vector3;
  readonly grabLine: GrabLine;
  readonly effects: Effects;
  /** Counts what no number here tells: another scene, another canvas, another look. */
  readonly revision: number;
}

/** Describes a frame whose cameras and grab line are in place. */
export function describePicture(picture: StandingPicture, parts: PictureParts): void {
  const { frame, frameMs, viewports, target, grabLine, effects, revision } = parts;
  picture.begin();
  picture.add(revision);
  // Nearly always decide by themselves, so that the poses need not be compared. Not `alpha`: without interpolation it
  // goes on while the picture does not.
  picture.add(frame.hasState ? 1 : 0);
  picture.add(frame.tick);
  picture.add(frame.blend);
  for (const { camera, left, width, height } of viewports) {
    picture.addAll([left, width, height]);
    picture.addAll(camera.position);
    picture.addAll(camera.quaternion);
    picture.addAll(camera.projectionMatrix.elements);
  }
  picture.addAll(target);
  // Sparks and flashes go on by the time of the page.
  picture.add(effects.isMoving ? frameMs : -1);
  picture.addAll(grabLine.ends ?? []);
}
