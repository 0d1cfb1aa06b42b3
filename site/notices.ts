/** Short messages, in the page's element `notices`, that do not interrupt the user. */
import { elementById, make } from './elements.js';

/** How long a message about an event stays, in ms: time to read some forty words. */
const TOAST_MS = 10_000;
/** A short confirmation. */
const NOTE_MS = 2500;
/** Older ones go when there are more. */
const MAX_NOTICES = 5;

/** @returns Takes the notice away. */
function show(
  texts: readonly string[],
  kind: 'problem' | 'toast' | 'condition',
  isDismissible: boolean,
): () => void {
  const list = elementById('notices', HTMLDivElement);
  const notice = make('div', `notice ${kind}`);
  const message = make('div');
  message.append(...texts.map((text) => make('p', '', text)));
  notice.append(message);
  if (isDismissible) {
    const button = make('button', '', '×');
    button.type = 'button';
    button.setAttribute('aria-label', 'Dismiss');
    button.addEventListener('click', () => notice.remove());
    notice.append(button);
  }
  // A repeated message is shown once.
  const sameText = [...list.children].find((other) => other.textContent === notice.textContent);
  sameText?.remove();
  list.append(notice);
  while (list.childElementCount > MAX_NOTICES) list.firstElementChild?.remove();
  return () => notice.remove();
}

/**
 * A lasting fact about this page's address or state: it stays until it is dismissed.
 *
 * @returns Takes the notice away when it is no longer true.
 */
export function showNotice(texts: readonly string[]): () => void {
  return show(texts, 'problem', true);
}

/** @returns Replaces the previous notice; no texts remove it. */
export function noticeTopic(): (texts: readonly string[]) => void {
  let remove: (() => void) | undefined;
  return (texts) => {
    remove?.();
    remove = texts.length === 0 ? undefined : showNotice(texts);
  };
}

/** A condition that ends by itself. @returns Takes the note away. */
export function showCondition(text: string): () => void {
  return show([text], 'condition', false);
}

/** Something has just failed. The message disappears by itself. */
export function showToast(error: unknown): void {
  const remove = show([error instanceof Error ? error.message : String(error)], 'toast', true);
  setTimeout(remove, TOAST_MS);
}

/** A short confirmation. */
export function showNote(text: string): void {
  setTimeout(show([text], 'condition', false), NOTE_MS);
}
