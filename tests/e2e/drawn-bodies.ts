/**
 * Where bodies should be in the frame, and where they are: found by comparison with a frame without
 * one.
 */
import type { Page } from '@playwright/test';
import type { BodyId } from '../../src/shared/memory/body-meta.js';
import { drawingOf } from './demo-page.js';

/** Poses of bodies: x y z qx qy qz qw. */
export type Poses = readonly (readonly [id: BodyId, pose: readonly number[]])[];

/** A place in the frame, in its pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Of all bodies of the scene that are alive in the frame that was drawn last. */
export const posesOf = (page: Page): Promise<Poses> =>
  drawingOf(page).evaluate(() => {
    const { betwixt, betwixtView: view } = globalThis;
    return (view?.description?.bodies ?? []).flatMap(({ id }) => {
      const pose = betwixt.pose(id, new Float64Array(7));
      return pose === undefined ? [] : [[id, [...pose]] as const];
    });
  });

/** Those whose pose has changed, by more than rounding. */
export function movedBetween(before: Poses, after: Poses): Poses {
  const old = new Map(before);
  return after.filter(([id, pose]) => {
    const was = old.get(id);
    return was?.some((value, index) => Math.abs(value - (pose[index] ?? 0)) > 0.02) ?? false;
  });
}

/** Where poses are in the frame, with the current camera; undefined for those outside. */
export const pointsOf = (page: Page, poses: Poses): Promise<(Point | undefined)[]> =>
  drawingOf(page).evaluate((all) => {
    const view = globalThis.betwixtView;
    if (view === undefined) throw new Error('there is no view');
    const { camera } = view.rig;
    const { clientWidth: width, clientHeight: height } = view.element;
    return all.map(([, [x = 0, y = 0, z = 0]]) => {
      const point = camera.position.clone().set(x, y, z);
      point.project(camera);
      if (Math.max(Math.abs(point.x), Math.abs(point.y), Math.abs(point.z)) > 1) return undefined;
      return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height };
    });
  }, poses);

/**
 * Omits one body from all frames from now on, as if it was dead; undefined: none is omitted.
 * Simulation and camera are not affected.
 */
export const leaveOut = (page: Page, body: BodyId | undefined): Promise<void> =>
  drawingOf(page).evaluate((missing) => {
    const { betwixt } = globalThis;
    // Replaced once: what is missing is looked up in every frame.
    const state = globalThis as { missingBody?: BodyId | undefined; canLeaveOut?: true };
    state.missingBody = missing;
    if (state.canLeaveOut) return;
    state.canLeaveOut = true;
    const sample = betwixt.sample.bind(betwixt);
    const replaced = new WeakSet<object>();
    betwixt.sample = (frameMs) => {
      const frame = sample(frameMs);
      // Always the same object.
      if (replaced.has(frame)) return frame;
      replaced.add(frame);
      const pose = frame.pose.bind(frame);
      const writeMatrices = frame.writeMatrices.bind(frame);
      frame.pose = (id, out) => (id === state.missingBody ? undefined : pose(id, out));
      frame.writeMatrices = (ids, scales, count, out) => {
        const alive = writeMatrices(ids, scales, count, out);
        const { missingBody } = state;
        const at = missingBody === undefined ? -1 : ids.subarray(0, count).indexOf(missingBody);
        if (at >= 0) out.fill(0, 16 * at, 16 * at + 16);
        return alive;
      };
      return frame;
    };
  }, body);

/**
 * The smallest rectangle around all pixels in which two images differ; undefined when they are the
 * same.
 */
export const differenceOf = (page: Page, a: Buffer, b: Buffer): Promise<Rectangle | undefined> =>
  page.evaluate(
    async (images) => {
      const pixels = await Promise.all(
        images.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (text) => text.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d', {
            willReadFrequently: true,
          });
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height);
        }),
      );
      const [one, other] = pixels;
      if (!one || !other) throw new Error('the images cannot be read');
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let at = 0; at < one.data.length; at++) {
        if (one.data[at] === other.data[at]) continue;
        const pixel = at >> 2;
        const [x, y] = [pixel % one.width, Math.floor(pixel / one.width)];
        [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
      }
      return left < right ? { left, top, right, bottom } : undefined;
    },
    [a.toString('base64'), b.toString('base64')],
  );
