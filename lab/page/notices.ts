/** Messages that stay until they are dismissed or no longer true. */
import { elementById, make } from '../../site/common/elements.js';

/** @param topic A newer message on the same topic takes its place; no texts take it away. */
export function showNotice(topic: string, texts: readonly string[]): void {
  const list = elementById('notices', HTMLDivElement);
  list.querySelector(`[data-topic="${topic}"]`)?.remove();
  if (texts.length === 0) return;
  const notice = make('div', 'notice');
  notice.dataset['topic'] = topic;
  const message = make('div');
  message.append(...texts.map((text) => make('p', '', text)));
  const button = make('button', '', '×');
  button.type = 'button';
  button.setAttribute('aria-label', 'Dismiss');
  button.addEventListener('click', () => notice.remove());
  notice.append(message, button);
  list.append(notice);
}
