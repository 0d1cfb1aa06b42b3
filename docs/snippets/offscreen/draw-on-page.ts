/** The same scene, drawn by the page. */
export const drawing = import('../orbit.js');
