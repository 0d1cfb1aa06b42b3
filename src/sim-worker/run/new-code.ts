/** Whether the state that is being restored may be of other code: only while a restore runs, which does not wait. */
export const newCode = { isRestoring: false };
