/** A worker script that never calls runSimulation. */
export {};
