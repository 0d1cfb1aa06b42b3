/**
 * Replays many files in a few threads, so that the result of a file depends on no other. A pool from npm would not do: a
 * thread is replaced after a file that may have damaged it, and a file that an earlier one may have spoiled is repeated.
 */
import type { FileResult, Verdict } from './file-result.js';
import { ReplayThread, type ThreadOptions } from './replay-thread.js';

export class ThreadPool {
  readonly #options: ThreadOptions;
  readonly #count: number;
  readonly #threads = new Set<ReplayThread>();
  #ticksOfEnded = 0;
  #isStopped = false;

  /** @param count Number of threads. */
  constructor(count: number, options: ThreadOptions) {
    this.#count = count;
    this.#options = options;
  }

  /** The number of ticks that have been run. */
  get ticks(): number {
    let sum = this.#ticksOfEnded;
    for (const { ticks } of this.#threads) sum += ticks;
    return sum;
  }

  /**
   * Resolves when all files have a result, or it was stopped.
   *
   * @param onResult Called with the index of each file, in the order in which they end.
   * @throws RefusedError if the simulation's module cannot be loaded.
   */
  async run(
    paths: readonly string[],
    onResult: (index: number, result: FileResult) => void,
  ): Promise<void> {
    const next = paths.entries();
    const lanes = Array.from({ length: Math.min(this.#count, paths.length) }, () =>
      this.#runLane(next, onResult),
    );
    try {
      await Promise.all(lanes);
    } finally {
      await this.stop();
      await Promise.allSettled(lanes);
    }
  }

  /** Ends all threads at once. Files that they have not finished get no result. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  async #runLane(
    next: Iterator<[index: number, path: string]>,
    onResult: (index: number, result: FileResult) => void,
  ): Promise<void> {
    let thread: ReplayThread | undefined;
    try {
      while (!this.#isStopped) {
        const { value, done } = next.next();
        if (done === true) break;
        const [index, path] = value;
        for (;;) {
          thread ??= await this.#start();
          const { result, isSpent } = await thread.verify(path);
          // An earlier file may have left something behind in the thread.
          const isDoubtful = thread.files > 1 && isBad(result.verdict, isSpent);
          if (isSpent || isDoubtful) {
            await this.#end(thread);
            thread = undefined;
          }
          if (this.#isStopped) return;
          if (isDoubtful) continue;
          onResult(index, result);
          break;
        }
      }
    } catch (error) {
      if (!this.#isStopped) throw error;
    } finally {
      if (thread !== undefined) await this.#end(thread);
    }
  }

  async #start(): Promise<ReplayThread> {
    const thread = new ReplayThread(this.#options);
    this.#threads.add(thread);
    await thread.ready();
    return thread;
  }

  async #end(thread: ReplayThread): Promise<void> {
    await thread.end();
    this.#threads.delete(thread);
    this.#ticksOfEnded += thread.ticks;
  }
}

/** Whether an error in the simulation's code may be the cause. What takes too long is not repeated: it would take twice as long. */
const isBad = (verdict: Verdict, isSpent: boolean): boolean =>
  verdict === 'differs' || (isSpent && verdict !== 'timed out');
