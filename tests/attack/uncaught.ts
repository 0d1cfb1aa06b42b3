/** Uncaught errors: an attack has to know of them, and which case caused them. */
type Kind = 'unhandledRejection' | 'uncaughtException';
const KINDS: readonly Kind[] = ['unhandledRejection', 'uncaughtException'];

export class UncaughtErrors {
  readonly #seen: string[] = [];
  readonly #listeners = KINDS.map(
    (kind) =>
      [
        kind,
        (error: unknown) => {
          const stack = error instanceof Error ? error.stack : undefined;
          this.#seen.push(`${kind}: ${stack ?? String(error)}`);
        },
      ] as const,
  );

  constructor() {
    for (const [kind, listener] of this.#listeners) process.on(kind, listener);
  }

  /** The errors since the last call, after pending events have been processed. */
  async take(): Promise<readonly string[]> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    return this.#seen.splice(0);
  }

  close(): void {
    for (const [kind, listener] of this.#listeners) process.off(kind, listener);
  }
}
