/** The corner that says what this is. */
import { elementById } from '../../site/common/elements.js';

export function setUpAbout(): void {
  // Open where it is in nobody's way, below the measurements.
  const room = matchMedia('(min-width: 900px) and (min-height: 720px)');
  const about = elementById('about', HTMLDetailsElement);
  about.open = room.matches;
  room.addEventListener('change', () => {
    if (!room.matches) about.open = false;
  });
  // As a file that the build brings along, wherever the page is served from.
  elementById('readme', HTMLAnchorElement).href = new URL('../../README.md', import.meta.url).href;
}
