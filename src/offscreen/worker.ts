/** Entry point for the worker that draws a page's canvas: `betwixt/offscreen/worker`. */
export type { CanvasSize } from './messages.js';
export { receiveCanvas, type ReceivedCanvas } from './receive-canvas.js';
