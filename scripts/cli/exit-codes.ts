/** The exit codes of every command; its help lists those that it uses. */
export const EXIT_CODES = {
  done: 0,
  /** Something failed or differs. */
  failed: 1,
  /** Nothing was done, for a reason that is one line on stderr. */
  refused: 2,
  /** The shells' convention for a command that was ended by Ctrl-C. */
  interrupted: 130,
} as const;
