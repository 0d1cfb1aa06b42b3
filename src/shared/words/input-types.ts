/** Types of the records in the queue of inputs. */

export const input = 1;
export const command = 2;
/** The assets that the page has sent up to here: commands and batches behind it wait for them. */
export const asset = 3;
/** What the page has changed in a world. */
export const batch = 4;
