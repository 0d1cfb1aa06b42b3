/** Whether a worker can draw a canvas of this page. */

let answer: string | undefined;

/**
 * Why a worker cannot draw with WebGL 2 here; an empty text if it can. A context on this thread answers for those of
 * workers: Safari 16 has OffscreenCanvas without WebGL on both.
 */
export function whyNotInWorker(): string {
  answer ??= findReason();
  return answer;
}

/**
 * Whether this browser can draw a canvas with WebGL 2 in a worker. Where it cannot, draw on the page.
 *
 * Chromium has it since version 69, Firefox since 105, Safari since 17.
 */
export function canRenderInWorker(): boolean {
  return whyNotInWorker() === '';
}

function findReason(): string {
  if (
    typeof OffscreenCanvas === 'undefined' ||
    typeof HTMLCanvasElement === 'undefined' ||
    !('transferControlToOffscreen' in HTMLCanvasElement.prototype)
  ) {
    return 'this browser does not have OffscreenCanvas';
  }
  const context = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (context === null) return 'this browser has no WebGL 2 for an OffscreenCanvas';
  // Browsers allow few contexts at a time.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return '';
}
