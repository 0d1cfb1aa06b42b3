/// <reference lib="webworker" />
/** Calls runSimulation too late. */
await new Promise(() => {});
export {};
