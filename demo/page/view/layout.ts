/** Which camera draws which part of the canvas, and where in it the scene is. */
import type { CameraRig } from './camera-rig.js';
import { approach, type Covered, framingOf, UNCOVERED } from './framing.js';
import type { Viewport } from './split-view.js';

/** How quickly the view adapts when a panel unfolds over it, in 1/s. */
const GIVE_WAY_RATE = 9;

export class Layout {
  readonly #rig: CameraRig;
  readonly #prefersStill: () => boolean;
  #width = 1;
  #height = 1;
  #isSplit = false;
  #viewports: readonly Viewport[] = [];
  #covered = UNCOVERED;
  /** The covered part to adapt to. */
  #coveredSoon = UNCOVERED;
  #hasStarted = false;

  /** @param prefersStill Whether the user prefers less motion, at the moment. */
  constructor(rig: CameraRig, prefersStill: () => boolean) {
    this.#rig = rig;
    this.#prefersStill = prefersStill;
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

  /** What lies over the canvas. */
  setCovered(covered: Covered): void {
    this.#coveredSoon = covered;
    // Before the first frame nothing can move.
    if (!this.#hasStarted) this.#giveWay(1);
  }

  /** Advances by one frame. */
  advance(dt: number): void {
    this.#hasStarted = true;
    this.#giveWay(this.#prefersStill() ? 1 : -Math.expm1(-GIVE_WAY_RATE * dt));
  }

  #giveWay(share: number): void {
    const covered = approach(this.#covered, this.#coveredSoon, share);
    if (covered === this.#covered) return;
    this.#covered = covered;
    this.#frame();
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
    this.#frame();
  }

  /** Points the cameras so that the scene is in the uncovered part. */
  #frame(): void {
    const last = this.#viewports.length - 1;
    const framings = this.#viewports.map(({ camera, width, height }, index) => {
      const framing = framingOf(width, height, {
        left: index === 0 ? this.#covered.left : 0,
        right: index === last ? this.#covered.right : 0,
        top: this.#covered.top,
      });
      camera.setViewOffset(width, height, -framing.shift, -framing.drop, width, height);
      return framing;
    });
    const aspect = this.#width / this.#viewports.length / this.#height;
    // Both halves show the scene equally large.
    this.#rig.setAspect(aspect, Math.min(...framings.map((framing) => framing.aspect)));
  }
}
