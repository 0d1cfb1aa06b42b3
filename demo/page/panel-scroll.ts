/** Shows that a list goes on beyond its lower edge: where scroll bars are invisible, nothing else does. */

/** Of browsers that scroll by fractions of pixels, in CSS pixels. */
const TOLERANCE_PX = 2;

/** Gives an element that scrolls the class `more-below` while there is more of it below. */
export function markMoreBelow(element: HTMLElement): void {
  const mark = (): void => {
    const belowPx = element.scrollHeight - element.clientHeight - element.scrollTop;
    element.classList.toggle('more-below', belowPx > TOLERANCE_PX);
  };
  element.addEventListener('scroll', mark, { passive: true });
  // Both its own size, which the window gives, and that of what is in it, which folds.
  const sizes = new ResizeObserver(mark);
  for (const part of [element, ...element.children]) sizes.observe(part);
}
