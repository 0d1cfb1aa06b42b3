/** The corner that says what this is. */
import { elementById } from '../../site/common/elements.js';

export function setUpAbout(): void {
  // Opens below the measurements, where it covers nothing.
  const room = matchMedia('(min-width: 900px) and (min-height: 720px)');
  const about = elementById('about', HTMLDetailsElement);
  about.open = room.matches;
  room.addEventListener('change', () => {
    if (!room.matches) about.open = false;
  });
  // As a file of the build, so that it works wherever the page is served from.
  elementById('readme', HTMLAnchorElement).href = new URL('../../README.md', import.meta.url).href;
}
