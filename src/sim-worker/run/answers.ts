/** The part that runs queries, which a simulation may not have. */
export { runQuery } from './run-query.js';
export { restartRun } from './run-restart.js';
