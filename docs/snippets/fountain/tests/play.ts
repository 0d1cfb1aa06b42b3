/** Stands for the file of this name in an app of the template. */
export { play } from '../../../../templates/custom/tests/play.js';
