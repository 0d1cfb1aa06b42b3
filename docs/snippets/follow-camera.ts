import type { SampledFrame } from 'betwixt';
import type { BodyId } from 'betwixt/shared';
import { Vector3, type PerspectiveCamera } from 'three';

/** Behind the body and above it, in m. */
const OFFSET = new Vector3(0, 3, 8);
/** The distance to the goal shrinks to a third in this time. */
const SMOOTHING_SECONDS = 0.15;

const body = new Vector3();
const goal = new Vector3();
const pose = new Float64Array(7);

/** Call it in each frame, after `sample`. */
export function follow(
  camera: PerspectiveCamera,
  frame: SampledFrame,
  id: BodyId,
  frameSeconds: number,
): void {
  // Undefined while the body does not live: the camera stays.
  if (frame.pose(id, pose) === undefined) return;
  body.fromArray(pose);
  goal.copy(body).add(OFFSET);
  camera.position.lerp(goal, 1 - Math.exp(-frameSeconds / SMOOTHING_SECONDS));
  camera.lookAt(body);
}
