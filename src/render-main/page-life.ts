/**
 * Pauses a simulation while the page is away, and resumes it without a fast-forward.
 *
 *     hidden      another tab is in front: only with `whenHidden: 'pause'`
 *     frozen      the browser stops the page and its worker: in the back/forward cache, or after a long time
 *                 in the background. The worker sees one gap, which counts as a pause
 */
import type { HiddenPolicy } from './api/connect-options.js';

interface Pausable {
  pauseFor(reason: 'hidden' | 'frozen'): Promise<void>;
  resumeFrom(reason: 'hidden' | 'frozen'): Promise<void>;
}

/** What a worker that draws has in place of the page's document. */
export interface RemotePage extends EventTarget {
  readonly hidden: boolean;
}

let remotePage: RemotePage | undefined;

/** Has simulations of this worker follow a page. It fires `freeze` and `resume` for `pagehide` and `pageshow`, too. */
export function setRemotePage(page: RemotePage | undefined): void {
  remotePage = page;
}

/** Does nothing without a document. @returns Stops following the page. */
export function followPageLife(simulation: Pausable, whenHidden: HiddenPolicy): () => void {
  const page = globalThis.document ?? remotePage;
  if (page === undefined) return () => {};
  // The application sees a failure of the worker as a status; nothing can be done about it here.
  const pauseFor = (reason: 'hidden' | 'frozen'): void => {
    simulation.pauseFor(reason).catch(() => {});
  };
  const resumeFrom = (reason: 'hidden' | 'frozen'): void => {
    simulation.resumeFrom(reason).catch(() => {});
  };
  const listening = new AbortController();
  const { signal } = listening;
  const follow = (): void => (page.hidden ? pauseFor('hidden') : resumeFrom('hidden'));
  if (whenHidden === 'pause') {
    page.addEventListener('visibilitychange', follow, { signal });
    if (page.hidden) follow();
  }
  page.addEventListener('freeze', () => pauseFor('frozen'), { signal });
  page.addEventListener('resume', () => resumeFrom('frozen'), { signal });
  globalThis.addEventListener('pagehide', () => pauseFor('frozen'), { signal });
  globalThis.addEventListener('pageshow', () => resumeFrom('frozen'), { signal });
  return () => listening.abort();
}
