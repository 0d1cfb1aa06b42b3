/** The elements of the demo's page. */
export { elementById, make, setText } from '../../pages/elements.js';
