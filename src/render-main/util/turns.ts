/** Turns of the page's event loop. */

/** @returns A function that has work done when the turn ends: once, however often it is called before. */
export function oncePerTurn(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      work();
    });
  };
}
