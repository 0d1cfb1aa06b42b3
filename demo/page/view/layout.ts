/** Which camera draws which part of the canvas. */
import type { CameraRig } from './camera-rig.js';
import type { Viewport } from './split-view.js';

export class Layout {
  readonly #rig: CameraRig;
  #width = 1;
  #height = 1;
  #isSplit = false;
  #viewports: Viewport[] = [];

  constructor(rig: CameraRig) {
    this.#rig = rig;
  }

  /** The one that interpolates is last. */
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
    const part = { width, height };
    if (this.#isSplit) {
      // One above the other where the canvas is upright, as in split.css.
      if (height >= width) part.height /= 2;
      else part.width /= 2;
    }
    this.#viewports = [{ ...part, camera, left: width - part.width, top: height - part.height }];
    if (this.#isSplit) this.#viewports.unshift({ ...part, camera: latestCamera, left: 0, top: 0 });
    this.#rig.setAspect(part.width / part.height);
  }
}
