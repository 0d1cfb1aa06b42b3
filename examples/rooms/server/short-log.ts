/**
 * The log of a server to which anyone may send anything. For each message that Colyseus cannot read, it logs the stack of the error, as text:
 * here, the first line of it, and only some of those that come at the same time.
 */

/** What is used of `console`. */
type Log = Pick<Console, 'debug' | 'error' | 'info' | 'trace' | 'warn'>;

/** Most lines in a window, and how long that is, in ms. */
const MOST_LINES = 10;
const WINDOW_MS = 10_000;

/** @param log What is written to. @param now A clock, in ms. */
export function shortLog(log: Log = console, now: () => number = Date.now): Log {
  let startMs = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const error = (...parts: readonly unknown[]): void => {
    const nowMs = now();
    if (nowMs - startMs >= WINDOW_MS) {
      if (lines > MOST_LINES) log.error(`(${lines - MOST_LINES} more errors)`);
      startMs = nowMs;
      lines = 0;
    }
    lines += 1;
    if (lines > MOST_LINES) return;
    // Errors themselves are those of the room, which its author needs.
    log.error(...parts.map((part) => (typeof part === 'string' ? part.split('\n', 1)[0] : part)));
  };
  return {
    debug: (...parts) => log.debug(...parts),
    info: (...parts) => log.info(...parts),
    trace: (...parts) => log.trace(...parts),
    warn: (...parts) => log.warn(...parts),
    error,
  };
}
