/** Messages between a page and the worker that draws its canvas. */
import type { InputValues } from '../shared/input/tick-inputs.js';

/** The size of a canvas on its page, and how many pixels that is. */
export interface CanvasSize {
  /** In CSS pixels, without borders. */
  readonly width: number;
  /** In CSS pixels, without borders. */
  readonly height: number;
  /** Pixels of the display per CSS pixel, along a side: the page's `devicePixelRatio`. */
  readonly pixelRatio: number;
  /** Whole pixels of the display that the width covers. */
  readonly pixelWidth: number;
  /** Whole pixels of the display that the height covers. */
  readonly pixelHeight: number;
}

/** Whether the page is seen and used. */
export interface PageState {
  readonly hidden: boolean;
  readonly hasFocus: boolean;
}

/** The worker's first message: from then on it can take the canvas. */
export interface CanvasCall {
  /** The worker's `performance.timeOrigin`, in ms. */
  readonly betwixtCanvasFor: number;
}

/** The answer. */
export interface CanvasMessage {
  readonly betwixtCanvas: HTMLCanvasElement | OffscreenCanvas;
  readonly port: MessagePort;
  readonly size: CanvasSize;
  readonly page: PageState;
}

/** Values of an event that has happened on the page; the others keep their defaults. */
export type EventValues = Readonly<Record<string, unknown>>;

/** To the worker. Stamps are on its clock. */
export type ToWorker =
  | { readonly kind: 'size'; readonly size: CanvasSize }
  | {
      readonly kind: 'element';
      readonly type: string;
      readonly stampMs: number;
      readonly values: EventValues;
    }
  | {
      readonly kind: 'page';
      readonly type: string;
      readonly stampMs: number;
      readonly page: PageState;
    }
  | { readonly kind: 'input'; readonly input: InputValues; readonly stampMs: number }
  | { readonly kind: 'clock' };

/** To the page. */
export type ToPage =
  | { readonly kind: 'clock'; readonly clockMs: number; readonly resolutionMs: number }
  | { readonly kind: 'style'; readonly name: string; readonly value: string }
  | { readonly kind: 'capture'; readonly pointerId: number; readonly isOn: boolean }
  | { readonly kind: 'focus' }
  | { readonly kind: 'context'; readonly isLost: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };
