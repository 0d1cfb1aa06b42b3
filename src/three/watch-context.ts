/** Says on the page that a graphics context was lost: its picture no longer changes, or is black, although the simulation runs. */

const TEXT =
  'The graphics context was lost, and the browser is restoring it. If the picture does not come back, load the page again.';

const STYLE =
  'position: fixed; inset: auto 1rem 1rem; z-index: 1000; margin: 0 auto; width: fit-content; padding: 0.5rem 0.75rem; ' +
  'border-radius: 0.375rem; background: #fff; color: #222; font: 0.875rem/1.4 system-ui, sans-serif; pointer-events: none';

/**
 * Shows a sentence while a canvas has lost its graphics context: browsers take it away when the driver or the GPU fails. Renderers
 * of three.js draw again when it is restored. Without effect for a canvas that is no longer in the page.
 *
 * @param canvas Of the renderer: its `domElement`.
 * @param show Shows the sentence, and returns what takes it away. Default: a line at the bottom of the page.
 * @returns Ends it.
 */
export function watchContext(
  canvas: HTMLCanvasElement,
  show: (text: string) => () => void = showLine,
): () => void {
  let remove: (() => void) | undefined;
  const onLost = (): void => {
    // A page that removes its canvas may give the context away.
    if (canvas.isConnected) remove ??= show(TEXT);
  };
  const onRestored = (): void => {
    remove?.();
    remove = undefined;
  };
  canvas.addEventListener('webglcontextlost', onLost);
  canvas.addEventListener('webglcontextrestored', onRestored);
  return () => {
    canvas.removeEventListener('webglcontextlost', onLost);
    canvas.removeEventListener('webglcontextrestored', onRestored);
    onRestored();
  };
}

function showLine(text: string): () => void {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.style.cssText = STYLE;
  line.textContent = text;
  document.body.append(line);
  return () => line.remove();
}
