import { InspectorElement, type Inspector } from './inspector.js';
import type { InspectedSimulation, InspectorOptions } from './options.js';

/**
 * Shows a display on the page with which a simulation can be watched and controlled: plots of its step against the
 * budget, its lateness and the animation error; measurements; pause, step, time scale, rewinding; recordings as files;
 * and a log of what went wrong. It has its own styles, in a shadow root, light or dark as the page is. Escape folds it.
 *
 * It counts as a handler of the status `failed`: a failure is in its log, and is no uncaught error.
 *
 * @param simulation What `connect` resolves with, or `world.ready`, or a promise of it: then the log has the error if it
 *   does not start. Its frames are measured if the application samples it.
 * @param options What it shows, and where.
 * @returns The display.
 * @throws TypeError, RangeError for an unknown or invalid option.
 */
export function showInspector(
  simulation: InspectedSimulation | PromiseLike<InspectedSimulation>,
  options: InspectorOptions = {},
): Inspector {
  const inspector = new InspectorElement(options);
  inspector.follow(simulation);
  return inspector;
}
