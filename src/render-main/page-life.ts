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

/** Does nothing without a document. @returns Stops following the page. */
export function followPageLife(simulation: Pausable, whenHidden: HiddenPolicy): () => void {
  if (typeof document === 'undefined') return () => {};
  // The application sees a failure of the worker as a status; nothing can be done about it here.
  const pauseFor = (reason: 'hidden' | 'frozen'): void => {
    simulation.pauseFor(reason).catch(() => {});
  };
  const resumeFrom = (reason: 'hidden' | 'frozen'): void => {
    simulation.resumeFrom(reason).catch(() => {});
  };
  const listening = new AbortController();
  const { signal } = listening;
  const follow = (): void => (document.hidden ? pauseFor('hidden') : resumeFrom('hidden'));
  if (whenHidden === 'pause') {
    document.addEventListener('visibilitychange', follow, { signal });
    if (document.hidden) follow();
  }
  document.addEventListener('freeze', () => pauseFor('frozen'), { signal });
  document.addEventListener('resume', () => resumeFrom('frozen'), { signal });
  globalThis.addEventListener('pagehide', () => pauseFor('frozen'), { signal });
  globalThis.addEventListener('pageshow', () => resumeFrom('frozen'), { signal });
  return () => listening.abort();
}
