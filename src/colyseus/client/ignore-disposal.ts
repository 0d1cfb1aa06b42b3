/** Of a call that is made for the connection's sake: if the simulation is disposed first, nothing is left to do. */
export const ignoreDisposal = (call: Promise<unknown>): void => {
  call.catch(() => {});
};
