/** Types of the records in the queue of inputs. */

export const input = 1;
export const command = 2;
