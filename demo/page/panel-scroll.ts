/**
 * Shows that a list continues below its lower edge: where scroll bars are invisible, nothing else
 * does.
 */

/** Tolerance for browsers that scroll by fractions of pixels, in CSS pixels. */
const TOLERANCE_PX = 2;

/** Gives a scrolling element the class `more-below` while it continues below. */
export function markMoreBelow(element: HTMLElement): void {
  const mark = (): void => {
    const belowPx = element.scrollHeight - element.clientHeight - element.scrollTop;
    element.classList.toggle('more-below', belowPx > TOLERANCE_PX);
  };
  element.addEventListener('scroll', mark, { passive: true });
  // Both the element's own size, which the window decides, and that of its content, which folds.
  const sizes = new ResizeObserver(mark);
  for (const part of [element, ...element.children]) sizes.observe(part);
}
