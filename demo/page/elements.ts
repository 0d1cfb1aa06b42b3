/** The elements of the demo's page. */
export { elementById, make, setText } from '../../pages/elements.js';

/** A window with little room: a phone, or a small window. The style sheets have the same condition. */
export const smallWindow = matchMedia('(max-width: 640px), (max-height: 520px)');
