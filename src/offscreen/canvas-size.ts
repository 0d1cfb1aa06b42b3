/** Follows the size of a canvas on its page. */
import type { CanvasSize } from './messages.js';

export function sizeOf(canvas: HTMLCanvasElement, pixels?: ResizeObserverSize): CanvasSize {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pixelRatio = devicePixelRatio;
  return {
    width,
    height,
    pixelRatio,
    pixelWidth: pixels?.inlineSize ?? Math.round(width * pixelRatio),
    pixelHeight: pixels?.blockSize ?? Math.round(height * pixelRatio),
  };
}

/**
 * Reports the size now and whenever it or the page's pixel ratio changes.
 *
 * @returns Ends it.
 */
export function followSize(
  canvas: HTMLCanvasElement,
  onSize: (size: CanvasSize) => void,
): () => void {
  let last = '';
  const report = (size: CanvasSize): void => {
    const key = JSON.stringify(size);
    if (key === last) return;
    last = key;
    onSize(size);
  };
  const observer = new ResizeObserver((entries) => {
    // Exact where a size in CSS pixels is no whole number of pixels. Safari lacks it.
    report(sizeOf(canvas, entries.at(-1)?.devicePixelContentBoxSize?.[0]));
  });
  const observe = (): void => {
    try {
      observer.observe(canvas, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(canvas);
    }
  };
  observe();
  const listening = new AbortController();
  // The page was zoomed, or is on another display. A query names one ratio, so each change needs another.
  const followRatio = (): void => {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    query.addEventListener('change', onRatio, { once: true, signal: listening.signal });
  };
  const onRatio = (): void => {
    followRatio();
    report(sizeOf(canvas));
    // Observed again, it reports the exact size.
    observer.unobserve(canvas);
    observe();
  };
  followRatio();
  return () => {
    observer.disconnect();
    listening.abort();
  };
}
