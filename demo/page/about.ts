/** The corner that says what this is. */
import { elementById } from './elements.js';

export function setUpAbout(): void {
  // Open where it is in nobody's way, below the measurements.
  const hasRoom = matchMedia('(min-width: 900px) and (min-height: 720px)').matches;
  elementById('about', HTMLDetailsElement).open = hasRoom;
  // As a file that the build brings along, wherever the page is served from.
  elementById('readme', HTMLAnchorElement).href = new URL('../../README.md', import.meta.url).href;
}
