/** Which camera draws which part of the canvas. */
import type { CameraRig } from './camera-rig.js';
import type { Viewport } from './split-view.js';

export class Layout {
  readonly #rig: CameraRig;
  #width = 1;
  #height = 1;
  #isSplit = false;
  #viewports: readonly Viewport[] = [];

  constructor(rig: CameraRig) {
    this.#rig = rig;
  }

  /** From the left. */
  get viewports(): readonly Viewport[] {
    return this.#viewports;
  }

  get isSplit(): boolean {
    return this.#isSplit;
  }

  /** @param width Of the canvas, as its height in CSS pixels. */
  setSize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#layOut();
  }

  setSplit(on: boolean): void {
    this.#isSplit = on;
    this.#layOut();
  }

  #layOut(): void {
    const { camera, latestCamera } = this.#rig;
    const [width, height] = [this.#width, this.#height];
    const half = width / 2;
    this.#viewports = this.#isSplit
      ? [
          { camera: latestCamera, left: 0, width: half, height },
          { camera, left: half, width: half, height },
        ]
      : [{ camera, left: 0, width, height }];
    this.#rig.setAspect(width / this.#viewports.length / height);
  }
}
