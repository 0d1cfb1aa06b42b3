/**
 * Pauses a simulation while the page is away, and resumes it without a fast-forward.
 *
 *     hidden      another tab is in front: by choice
 *     frozen      the browser stops the page altogether, worker included: in the back/forward cache, or a tab
 *                 that was in the background for long
 *
 * Whatever the worker notices of it, a freeze is one gap for it, which counts as a pause; here the clocks are aligned
 * anew when the page is back.
 */
import type { HiddenPolicy } from './api/connect-options.js';

interface Pausable {
  pauseFor(reason: 'hidden' | 'frozen'): Promise<void>;
  resumeFrom(reason: 'hidden' | 'frozen'): Promise<void>;
}

/**
 * No effect where there is no document.
 *
 * @returns Ends it.
 */
export function followPageLife(simulation: Pausable, whenHidden: HiddenPolicy): () => void {
  if (typeof document === 'undefined') return () => {};
  // A failure of the worker reaches the application as a status; here nobody could act on it.
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
