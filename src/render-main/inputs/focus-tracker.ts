/** Tracks whether the user is at the page, and when they left: from then on it receives no input events. */

export interface FocusTracker {
  /** The window has lost the focus, or is hidden or frozen, and has not come back yet. */
  readonly isAway: boolean;
  dispose(): void;
}

/** The properties of a window, a document or an element that lead to the window. */
interface ViewOwner extends EventTarget {
  readonly window?: Window;
  readonly defaultView?: Window | null;
  readonly ownerDocument?: Document | null;
}

/**
 * The window that an event target belongs to: its own, or the one of this script.
 *
 * @throws TypeError if there is none.
 */
export function viewOf(target: EventTarget): Window {
  const { window, defaultView, ownerDocument } = target as ViewOwner;
  const view = window ?? defaultView ?? ownerDocument?.defaultView ?? globalThis.window;
  if (view === undefined) throw new TypeError('target must belong to a window');
  return view;
}

/**
 * Watches a window.
 *
 * @param onLoss Called when the focus is lost or the page hidden, possibly several times in a row for one departure.
 */
export function trackFocus(view: Window, onLoss: (event: Event) => void): FocusTracker {
  const page = view.document;
  const watching = new AbortController();
  const { signal } = watching;
  const focus = { isAway: page.hidden, dispose: () => watching.abort() };
  const leave = (event: Event): void => {
    focus.isAway = true;
    onLoss(event);
  };
  const comeBack = (): void => {
    focus.isAway = page.hidden;
  };
  // A visible page need not be in use: the focus may be in another window.
  const comeBackFocused = (): void => {
    if (page.hasFocus()) comeBack();
  };
  view.addEventListener('blur', leave, { signal });
  view.addEventListener('pagehide', leave, { signal });
  view.addEventListener('focus', comeBack, { signal });
  view.addEventListener('pageshow', comeBackFocused, { signal });
  page.addEventListener('freeze', leave, { signal });
  page.addEventListener('resume', comeBackFocused, { signal });
  page.addEventListener(
    'visibilitychange',
    (event) => (page.hidden ? leave(event) : comeBackFocused()),
    { signal },
  );
  return focus;
}
