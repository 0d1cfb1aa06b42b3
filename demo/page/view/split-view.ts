/**
 * The two halves of the split view: only the current state on the left, interpolation on the right.
 */
import type { PerspectiveCamera } from 'three';
import type { InterpolationMode } from '../../../src/render-main/index.js';

/** A part of the canvas that one camera fills, in CSS pixels from its top left corner. */
export interface Viewport {
  readonly camera: PerspectiveCamera;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

const LABELS: Record<InterpolationMode, string> = {
  none: 'without interpolation',
  interpolate: 'with interpolation',
  extrapolate: 'with extrapolation',
};

/** The divider and the labels, over the canvas. They let the pointer through. */
export class SplitOverlay {
  readonly #canvas: HTMLCanvasElement;
  readonly #root = document.createElement('div');
  readonly #right: HTMLElement;
  #mode: InterpolationMode = 'interpolate';

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#root.className = 'split-view';
    Object.assign(this.#root.style, {
      position: 'absolute',
      display: 'flex',
      overflow: 'hidden',
      pointerEvents: 'none',
    });
    const divider = document.createElement('div');
    Object.assign(divider.style, {
      position: 'absolute',
      insetBlock: '0',
      left: 'calc(50% - 1px)',
      width: '2px',
      background: 'rgb(255 255 255 / 85%)',
      boxShadow: '0 0 0 0.5px rgb(30 40 50 / 35%)',
    });
    this.#right = createLabel(LABELS.interpolate, 'flex-start');
    this.#root.append(createLabel(LABELS.none, 'flex-end'), this.#right, divider);
    this.show(false);
    canvas.after(this.#root);
  }

  show(on: boolean): void {
    this.#root.hidden = !on;
  }

  setMode(mode: InterpolationMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    const [text] = this.#right.children;
    if (text !== undefined) text.textContent = LABELS[mode];
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

/** Half the overlay, with a label at the divider, below the bar at the top. */
function createLabel(text: string, side: 'flex-start' | 'flex-end'): HTMLElement {
  const half = document.createElement('div');
  Object.assign(half.style, {
    flex: '1 1 50%',
    display: 'flex',
    alignItems: 'flex-start',
    justifyContent: side,
    minWidth: '0',
  });
  const label = document.createElement('span');
  label.textContent = text;
  Object.assign(label.style, {
    margin: 'var(--below-bar) 8px 0',
    padding: '4px 10px',
    borderRadius: '999px',
    // A phone's half has room for one line.
    font: '600 clamp(12px, 3.3vw, 14px)/1.4 var(--font)',
    color: '#fff',
    background: 'rgb(30 40 50 / 72%)',
    textAlign: 'center',
  });
  half.append(label);
  return half;
}
