/** Types of the records in the event queue. */

export const contact = 1;
export const contactForce = 2;
export const sensor = 3;
export const sleep = 4;
export const user = 5;
export const cleared = 6;
export const collision = 7;
