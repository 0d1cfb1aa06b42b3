/** The page's words when there is no game, and while there is none yet. */
import { elementById, setText } from '../../../site/elements.js';
import type { Offer } from './join.js';

/** @param text Undefined: it is done. */
export function showProgress(text: string | undefined): void {
  const screen = elementById('progress', HTMLDivElement);
  screen.hidden = text === undefined;
  setText(elementById('progress-text', HTMLParagraphElement), text ?? '');
}

/** While a dialog is open, nothing behind it can be operated. */
function setBehind(isInert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>('main, #panel')) {
    element.inert = isInert;
  }
}

/** Asks what to do about it. */
export async function askAbout(message: string, offer: Offer): Promise<'retry' | 'other'> {
  const dialog = elementById('problem', HTMLDialogElement);
  const retry = elementById('problem-retry', HTMLButtonElement);
  const other = elementById('problem-other', HTMLButtonElement);
  setText(elementById('problem-text', HTMLParagraphElement), message);
  retry.hidden = offer === 'other';
  other.hidden = offer !== 'other' && offer !== 'both';
  return new Promise((resolve) => {
    const answer = (choice: 'retry' | 'other') => () => {
      dialog.close();
      setBehind(false);
      resolve(choice);
    };
    retry.onclick = answer('retry');
    other.onclick = answer('other');
    // There is nothing behind it.
    dialog.oncancel = (event) => event.preventDefault();
    setBehind(true);
    dialog.showModal();
  });
}

const KEPT_NAME = 'betwixt-rooms-name';

/** Asks for the player's name. */
export async function askName(): Promise<string> {
  const dialog = elementById('join', HTMLDialogElement);
  const input = elementById('name', HTMLInputElement);
  input.value = localStorage.getItem(KEPT_NAME) ?? '';
  return new Promise((resolve) => {
    dialog.oncancel = (event) => event.preventDefault();
    elementById('join-form', HTMLFormElement).onsubmit = (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name === '') return;
      localStorage.setItem(KEPT_NAME, name);
      dialog.close();
      setBehind(false);
      resolve(name);
    };
    setBehind(true);
    dialog.showModal();
    input.select();
  });
}
