/** Warnings for developers: most are on by `isDevelopment`. */

/** The type libraries differ, but every realm has it. */
declare const console: { warn(text: string): void };

const warned = new Set<string>();

/** Shows a warning on the console, the first time. @param about What it is about: there is one warning for each. */
export function warnOnce(about: string, text: string): void {
  if (warned.has(about)) return;
  warned.add(about);
  console.warn(`betwixt: ${text}`);
}
