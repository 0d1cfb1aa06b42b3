/** The canvas as something to draw on: its renderer and its size, and what happens to its contents. */
import type { Scene, WebGLRenderer } from 'three';
import { HalfRateDrawing, type HalfRatePattern } from '../../../src/render-main/three/index.js';
import { createRenderer } from './create-renderer.js';
import type { Viewport } from './split-view.js';

const MOST_PIXELS_A_CSS_PIXEL = 2;

export interface SurfaceOptions {
  readonly canvas: HTMLCanvasElement;
  /** CSS pixels; undefined: fill the window. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly antialias: boolean;
  readonly onContextLost: () => void;
  readonly onContextRestored: () => void;
}

export class Surface {
  readonly #options: SurfaceOptions;
  readonly #renderer: WebGLRenderer;
  readonly #listening = new AbortController();
  #halfRate: HalfRateDrawing | undefined;
  #revision = 0;
  #isLost = false;

  /** @throws Error if there is no WebGL 2. */
  constructor(options: SurfaceOptions) {
    this.#options = options;
    const { canvas, antialias } = options;
    this.#renderer = createRenderer({ canvas, antialias });
    const { signal } = this.#listening;
    canvas.addEventListener('webglcontextlost', this.#onContextLost, { signal });
    canvas.addEventListener('webglcontextrestored', this.#onContextRestored, { signal });
    document.addEventListener('visibilitychange', this.#onVisibility, { signal });
  }

  /** Another number when what stood on the canvas is gone, or would be drawn in another way. */
  get revision(): number {
    return this.#revision;
  }

  /** How often the whole canvas has to be drawn until each of its pixels has had its turn. */
  get passes(): number {
    return this.#halfRate === undefined ? 1 : 2;
  }

  /** Half of the pixels a frame, in a pattern; undefined: all of them. */
  setHalfRate(pattern: HalfRatePattern | undefined): void {
    if (pattern === this.#halfRate?.pattern) return;
    this.#revision += 1;
    if (pattern === undefined) {
      this.#halfRate?.dispose();
      this.#halfRate = undefined;
    } else {
      this.#halfRate ??= new HalfRateDrawing(this.#renderer, pattern);
      this.#halfRate.setPattern(pattern);
    }
  }

  /** Takes the size that was asked for, or the window's. Returns it, in CSS pixels. */
  resize(): { width: number; height: number } {
    // A canvas that is given a size may be empty, be it the size that it has.
    this.#revision += 1;
    const { size } = this.#options;
    const { width, height } = size ?? { width: window.innerWidth, height: window.innerHeight };
    const fitted = { width: Math.max(1, width), height: Math.max(1, height) };
    // A size that was asked for is meant in pixels of the picture.
    const ratio = size === undefined ? window.devicePixelRatio : 1;
    this.#renderer.setPixelRatio(Math.min(ratio, MOST_PIXELS_A_CSS_PIXEL));
    this.#renderer.setSize(fitted.width, fitted.height);
    return fitted;
  }

  /** Makes all shaders, also of what is not seen yet: making one takes longer than a frame. */
  prepareShaders(scene: Scene, { camera }: Pick<Viewport, 'camera'>): void {
    if (this.#renderer.getContext().isContextLost()) return;
    this.#renderer.compile(scene, camera);
  }

  /** @param isPart There are other viewports beside it: those are drawn at the full rate. */
  draw(scene: Scene, { left, width, height, camera }: Viewport, isPart: boolean): void {
    if (this.#isLost) return;
    this.#renderer.setViewport(left, 0, width, height);
    this.#renderer.setScissor(left, 0, width, height);
    this.#renderer.setScissorTest(isPart);
    if (isPart) this.#renderer.render(scene, camera);
    else (this.#halfRate ?? this.#renderer).render(scene, camera);
  }

  dispose(): void {
    this.#listening.abort();
    this.#halfRate?.dispose();
    this.#renderer.dispose();
  }

  readonly #onContextLost = (event: Event): void => {
    // Asks for it back.
    event.preventDefault();
    this.#isLost = true;
    if (this.#halfRate !== undefined) {
      // What it had on the graphics card has to be forgotten now: see lost-uploads.ts.
      const { pattern } = this.#halfRate;
      this.#halfRate.dispose();
      this.#halfRate = new HalfRateDrawing(this.#renderer, pattern);
    }
    this.#options.onContextLost();
  };

  readonly #onContextRestored = (): void => {
    this.#isLost = false;
    this.#revision += 1;
    this.#options.onContextRestored();
  };

  /** Whether a browser keeps the picture of a page that is hidden is its own affair. */
  readonly #onVisibility = (): void => {
    this.#revision += 1;
  };
}
