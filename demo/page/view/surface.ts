/** The canvas as a drawing surface: its renderer and its size, and what happens to its contents. */
import { type Camera, type Scene, Vector2, type WebGLRenderer } from 'three';
import type { Look } from '../quality/levels.js';
import { measureRenderer } from '../../../src/three/measure-renderer.js';
import { createRenderer, isSoftware } from './create-renderer.js';
import { DrawTimer } from './draw-timer.js';
import { programsReady } from './programs-ready.js';
import type { Viewport } from './split-view.js';

/** The part of a look that concerns the canvas. */
export type SurfaceLook = Pick<Look, 'pixels'>;

export interface SurfaceOptions {
  readonly canvas: HTMLCanvasElement;
  /** CSS pixels; undefined: fill the window. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  readonly look: SurfaceLook;
  readonly onContextLost: () => void;
}

/** A smaller window, as a phone's, is drawn in as many pixels as one of this size. */
const USUAL_PIXELS = 1280 * 720;

const rendererSize = new Vector2();

export class Surface {
  readonly #options: SurfaceOptions;
  readonly #renderer: WebGLRenderer;
  readonly #timer: DrawTimer;
  #look: SurfaceLook;
  #revision = 0;
  #isLost = false;

  /** @throws Error if there is no WebGL 2. */
  constructor(options: SurfaceOptions) {
    this.#options = options;
    const { look, canvas } = options;
    this.#renderer = createRenderer(canvas);
    measureRenderer(this.#renderer);
    this.#timer = new DrawTimer(this.#renderer.getContext() as WebGL2RenderingContext);
    this.#look = look;
    canvas.addEventListener('webglcontextlost', this.#onContextLost);
    canvas.addEventListener('webglcontextrestored', this.#onContextRestored);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Changes when the contents of the canvas are gone, or would be drawn differently. */
  get revision(): number {
    return this.#revision;
  }

  /** A software renderer draws. */
  get isSoftware(): boolean {
    return isSoftware(this.#renderer.getContext());
  }

  /** Pixels per CSS pixel, along a side. */
  get pixelRatio(): number {
    return this.#renderer.getPixelRatio();
  }

  /**
   * How long the frames since the last call took to draw, in ms; undefined if none was measured.
   */
  takeDrawMs(): number | undefined {
    return this.#timer.take();
  }

  setLook(look: SurfaceLook): void {
    const { pixels } = this.#look;
    this.#look = look;
    if (pixels !== look.pixels) this.resize();
  }

  /** Takes the requested size, or the window's. Returns it, in CSS pixels. */
  resize(): { width: number; height: number } {
    // Setting a canvas's size may clear it, even if the size stays the same.
    this.#revision += 1;
    const { size } = this.#options;
    const { width, height } = size ?? { width: innerWidth, height: innerHeight };
    const fitted = { width: Math.max(1, width), height: Math.max(1, height) };
    // A requested size is in pixels of the drawing buffer.
    const ratio = size === undefined ? devicePixelRatio : 1;
    const { pixels } = this.#look;
    const inSmall = pixels * Math.sqrt(USUAL_PIXELS / (fitted.width * fitted.height));
    this.#renderer.setPixelRatio(Math.min(ratio, Math.max(pixels, Math.min(1, inSmall))));
    this.#renderer.setSize(fitted.width, fitted.height);
    return fitted;
  }

  /** Compiles all shaders, also of what is not visible yet: compiling takes longer than a frame. */
  prepareShaders(scene: Scene, camera: Camera): void {
    const renderer = this.#renderer;
    if (!renderer.getContext().isContextLost()) renderer.compile(scene, camera);
  }

  /**
   * Resolves when all started shaders are compiled, in the background where the browser can do
   * that.
   */
  async shadersReady(): Promise<void> {
    await programsReady(this.#renderer);
  }

  /**
   * Draws a viewport.
   *
   * @param isPart There are other viewports.
   */
  draw(scene: Scene, { left, top, width, height, camera }: Viewport, isPart: boolean): void {
    if (this.#isLost) return;
    this.#timer.begin();
    // From the bottom left corner.
    const bottom = this.#renderer.getSize(rendererSize).y - top - height;
    this.#renderer.setViewport(left, bottom, width, height);
    this.#renderer.setScissor(left, bottom, width, height);
    this.#renderer.setScissorTest(isPart);
    this.#renderer.render(scene, camera);
  }

  /** All viewports have been drawn. */
  finish(): void {
    if (this.#isLost) return;
    this.#timer.end();
  }

  readonly #onContextLost = (event: Event): void => {
    // Asks for the context to be restored.
    event.preventDefault();
    this.#isLost = true;
    this.#timer.forget();
    this.#options.onContextLost();
  };

  readonly #onContextRestored = (): void => {
    this.#isLost = false;
    this.#revision += 1;
  };

  /** Browsers may drop the canvas's contents while the page is hidden. */
  readonly #onVisibility = (): void => {
    this.#revision += 1;
  };
}
