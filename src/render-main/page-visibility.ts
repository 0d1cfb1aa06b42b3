/** Pauses a simulation while the page is hidden, and resumes it without a fast-forward. */

interface Pausable {
  pauseFor(reason: 'hidden'): Promise<void>;
  resumeFrom(reason: 'hidden'): Promise<void>;
  onDispose(cleanup: () => void): void;
}

/** No effect where there is no document. */
export function pauseWhileHidden(simulation: Pausable): void {
  if (typeof document === 'undefined') return;
  const follow = (): void => {
    const change = document.hidden
      ? simulation.pauseFor('hidden')
      : simulation.resumeFrom('hidden');
    // A failure of the worker reaches the application by `onFailure`; here nobody could act on it.
    change.catch(() => {});
  };
  document.addEventListener('visibilitychange', follow);
  simulation.onDispose(() => document.removeEventListener('visibilitychange', follow));
  if (document.hidden) follow();
}
