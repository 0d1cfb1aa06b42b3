/** A thread that replays files, as the command sees it. */
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { firstLineOf, RefusedError } from '../../../scripts/cli/errors.js';
import { typescriptThread } from '../../../scripts/typescript-thread.js';
import { stoppedBy, threadMessage, type ThreadMessage } from './file-result.js';
import type { VerifiedFile } from './verify-file.js';
import type { ThreadData } from './verify-thread.js';

/** Calls a function after some seconds, unless it is cancelled by the function that is returned. */
export type After = (seconds: number, call: () => void) => () => void;

export interface ThreadOptions extends Omit<ThreadData, 'ticks'> {
  readonly maxHeapMiB: number;
  readonly timeoutSeconds: number;
  readonly after: After;
}

/** What a thread answers, or why it does not. */
type Answer = ThreadMessage | { readonly kind: 'timed out' | 'ended'; readonly reason: string };

export class ReplayThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #ticks: Uint32Array;
  #settle: ((answer: Answer) => void) | undefined;
  /** The first reason, because an error is followed by an exit code. */
  #ended: Answer | undefined;
  #files = 0;

  constructor(options: ThreadOptions) {
    const { simulation, maxTicks, maxBytes, maxHeapMiB } = options;
    this.#options = options;
    this.#ticks = new Uint32Array(new SharedArrayBuffer(4));
    const workerData: ThreadData = { simulation, maxTicks, maxBytes, ticks: this.#ticks };
    this.#worker = new Worker(new URL('./verify-thread.ts', import.meta.url), {
      ...typescriptThread,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
      stdout: true,
    });
    // Only results are printed on stdout, and not what a simulation prints.
    this.#worker.stdout.on('data', (chunk: Uint8Array) => process.stderr.write(chunk));
    this.#worker
      .on('message', (message: unknown) => this.#receive(message))
      .on('messageerror', (error) => this.#fail(firstLineOf(error)))
      .on('error', (error) => this.#fail(firstLineOf(error)))
      .on('exit', (code) => this.#fail(`the thread ended with the exit code ${code}`));
  }

  /**
   * Resolves when it has loaded the simulation's module.
   *
   * @throws RefusedError if it cannot.
   */
  async ready(): Promise<void> {
    const answer = await this.#answer();
    if (answer.kind === 'ready') return;
    const { simulation } = this.#options;
    throw new RefusedError(`the simulation ${simulation} cannot be loaded: ${reasonOf(answer)}`);
  }

  /** The number of files that it was given. */
  get files(): number {
    return this.#files;
  }

  /** The number of ticks that it has run. */
  get ticks(): number {
    return Atomics.load(this.#ticks, 0);
  }

  /** Never rejects. Call it for one file at a time; after a result with `isSpent`, only {@link end}. */
  async verify(path: string): Promise<VerifiedFile> {
    const { after, timeoutSeconds } = this.#options;
    this.#files += 1;
    const before = this.ticks;
    const cancel = after(timeoutSeconds, () => {
      const run = this.ticks - before;
      const reason = `took longer than ${timeoutSeconds} s, in which ${run} ticks were run: --timeout allows more`;
      this.#settle?.({ kind: 'timed out', reason });
    });
    if (this.#ended === undefined) this.#worker.postMessage(path);
    const answer = await this.#answer();
    cancel();
    switch (answer.kind) {
      case 'result':
        return { result: answer.result, isSpent: answer.isSpent };
      case 'timed out':
        return { result: stoppedBy('timed out', answer.reason), isSpent: true };
      default:
        return {
          result: stoppedBy('crashed', `ended its thread: ${reasonOf(answer)}`),
          isSpent: true,
        };
    }
  }

  /** Ends it at once, also within a tick. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #answer(): Promise<Answer> {
    return (
      this.#ended ??
      new Promise((resolve) => {
        this.#settle = resolve;
      })
    );
  }

  #receive(message: unknown): void {
    const { success, output } = v.safeParse(threadMessage, message);
    if (success) this.#settle?.(output);
    else this.#fail('the simulation sent a message to the command');
  }

  #fail(reason: string): void {
    this.#ended ??= { kind: 'ended', reason };
    this.#settle?.(this.#ended);
  }
}

const reasonOf = (answer: Answer): string => ('reason' in answer ? answer.reason : answer.kind);
