/**
 * The two halves of the split view: only the current state on the left or above, interpolation on the right or below.
 */
import type { PerspectiveCamera } from 'three';
import type { InterpolationMode } from '../../../src/render-main/index.js';

/** A part of the canvas that one camera fills, in CSS pixels from its top left corner. */
export interface Viewport {
  readonly camera: PerspectiveCamera;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const LABELS: Record<InterpolationMode, string> = {
  none: 'without interpolation',
  interpolate: 'with interpolation',
  extrapolate: 'with extrapolation',
};

/** The labels and the divider, over the canvas. They let the pointer through. */
export class SplitOverlay {
  readonly #canvas: HTMLCanvasElement;
  readonly #root = document.createElement('div');
  readonly #second = document.createElement('span');

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#root.className = 'split-view';
    const first = document.createElement('span');
    first.textContent = LABELS.none;
    this.#root.append(first, this.#second);
    this.setMode('interpolate');
    this.show(false);
    canvas.after(this.#root);
  }

  show(on: boolean): void {
    this.#root.hidden = !on;
  }

  setMode(mode: InterpolationMode): void {
    if (this.#second.textContent !== LABELS[mode]) this.#second.textContent = LABELS[mode];
  }

  resize(): void {
    const { offsetLeft, offsetTop, clientWidth, clientHeight } = this.#canvas;
    Object.assign(this.#root.style, {
      left: `${offsetLeft}px`,
      top: `${offsetTop}px`,
      width: `${clientWidth}px`,
      height: `${clientHeight}px`,
    });
  }
}
