/** Draws what no state has yet where a ref has put it: a run that is paused brings no state. */
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { AttachedObjects } from '../three/attached-objects.js';
import type { BodyHandle } from '../world/page/body-handle.js';
import type { BodyEntry } from './entries.js';

const pose = new Float64Array(7);

export function drawUnshown(
  bodies: readonly BodyHandle[],
  entryOf: (body: BodyHandle) => BodyEntry | undefined,
): void {
  const objects = new AttachedObjects();
  for (const [index, body] of bodies.entries()) {
    const entry = entryOf(body);
    // Instances are drawn by their list.
    if (entry?.object === undefined || entry.onShown !== undefined) continue;
    objects.attach(entry.object, index as BodyId, { keepVisible: true });
  }
  const read = (index: number, out: Float64Array): Float64Array => {
    bodies[index]?.readPose(pose);
    out.set(pose);
    return out;
  };
  objects.update({ pose: read } as Pick<SampledFrame, 'pose'> as SampledFrame);
}
