/** What developers are shown on the console each time that it happens; see `warn-once.ts` for the rest. */
export function say(level: 'info' | 'warn', text: string): void {
  console[level](`betwixt: ${text}`);
}

/** Of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
