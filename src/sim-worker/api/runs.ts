/**
 * Runs for those who advance one themselves, without the loop, a page or a clock: the room of a server, the prediction of a
 * client, a benchmark.
 */
export { EventReporter } from '../events/event-reporter.js';
export { RunJournal } from '../run/journal.js';
export { isKept, keepPosition, KeptStates, returnTo, type Position } from '../run/kept-states.js';
export { SimulationRun } from '../run/simulation-run.js';
