/**
 * In each page of a development server with `betwixt()`: passes on which worker scripts have changed. The simulations of
 * the page listen, and replace their workers. If no simulation runs one of the scripts, the page reloads, as it does without
 * this.
 */
import.meta.hot?.on(
  'betwixt:workers-changed',
  (/** @type {{ workers: string[] }} */ { workers }) => {
    /** The scripts that a simulation runs. */
    const taken = new Set();
    dispatchEvent(new CustomEvent('betwixt:workers-changed', { detail: { workers, taken } }));
    if (workers.some((worker) => !taken.has(worker))) location.reload();
  },
);
