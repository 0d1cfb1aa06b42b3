/** What the view has of the page: all of it if it is drawn there, and what a worker is sent of it otherwise. */
import type { InterpolationMode } from '../../../src/render-main/index.js';

/** The divider and the labels of the split view, over the canvas. */
export interface Overlay {
  show(on: boolean): void;
  /** Names what the right half shows. */
  setMode(mode: InterpolationMode): void;
  /** Covers the canvas again after it was resized. */
  resize(): void;
  dispose(): void;
}

/** Plays the sounds of the simulation. */
export interface SoundPlayer {
  /** Call it once a frame. */
  beginFrame(): void;
  /**
   * @param strength 0 to 1. @param radius Approximate size of the body that was hit, in metres:
   * large bodies sound deep.
   */
  hit(strength: number, radius: number): void;
  /** @param number Which tone of the scale. */
  ping(number: number): void;
  /** Voices that sound now. */
  readonly voices: number;
}

export interface Screen {
  /** What is drawn on. */
  readonly canvas: HTMLCanvasElement | OffscreenCanvas;
  /** Has the events, the cursor and the focus. The canvas itself on the page. */
  readonly element: HTMLCanvasElement;
  /** Fires `visibilitychange`. */
  readonly page: EventTarget;
  /** CSS pixels; undefined: fill the window. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
  /** The window, in CSS pixels, and its pixels per CSS pixel along a side. */
  readonly window: { readonly width: number; readonly height: number; readonly ratio: number };
  /** The user prefers less motion. */
  readonly prefersStill: boolean;
  readonly overlay: Overlay;
  readonly sounds: SoundPlayer;
}
