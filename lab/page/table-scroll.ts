/** Shows that the comparison continues to the right, as long as it does. */
import { elementById } from '../../site/elements.js';

/** Less is the rounding of a zoomed page, in CSS pixels. */
const SLACK = 2;

export function setUpTableScroll(): void {
  const box = elementById('table-box', HTMLDivElement);
  const sign = elementById('table-more', HTMLSpanElement);
  const show = (): void => {
    const hasMore = box.scrollLeft + box.clientWidth < box.scrollWidth - SLACK;
    box.toggleAttribute('data-more', hasMore);
    sign.hidden = !hasMore;
  };
  box.addEventListener('scroll', show, { passive: true });
  const observer = new ResizeObserver(show);
  observer.observe(box);
  observer.observe(elementById('table', HTMLTableElement));
}
