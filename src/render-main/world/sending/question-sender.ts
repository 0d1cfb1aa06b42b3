/**
 * Asks the worker about a world, and gives its answers with the page's handles.
 *
 *     call ─▶ flush ─▶ the tick that has the batch, unless no tick comes ─▶ query `ask` ─▶ answer
 *               ▲                                                                          │ names what the page has
 *               └──────────────── again, without it ───────────────────────────────────────┘ removed in the meantime
 */
import type { FilterData, QuestionName, Questions } from '../../../shared/world/questions.js';
import type { BatchSender } from './batch-sender.js';
import type { WorldHandle } from './world-handle.js';

/** How often it is checked whether the simulation was paused while a question waits for a tick, in ms. */
const CHECK_MS = 50;

/** @typeParam C A collider, as the page has it. */
export interface QuestionParts<C> {
  readonly ready: () => Promise<WorldHandle>;
  readonly sender: BatchSender;
  /** Undefined: it was removed. */
  readonly colliderOf: (handle: number) => C | undefined;
}

/** @typeParam C A collider, as the page has it. */
export class QuestionSender<C> {
  readonly #parts: QuestionParts<C>;

  constructor(parts: QuestionParts<C>) {
    this.#parts = parts;
  }

  async ask<Name extends QuestionName>(
    name: Name,
    ...args: Parameters<Questions[Name]>
  ): Promise<ReturnType<Questions[Name]>> {
    const { ready, sender } = this.#parts;
    // What was written before the call, and nothing that comes after it.
    sender.flush();
    const handle = await ready();
    await whenTicked(handle, sender.applied());
    const answer = await handle.queries.ask(name, args);
    return answer as ReturnType<Questions[Name]>;
  }

  /**
   * As {@link ask}, for questions that end with a filter.
   *
   * @param handlesIn The colliders that an answer names.
   */
  async askBeyond<Answer>(
    filter: FilterData,
    ask: (filter: FilterData) => Promise<Answer>,
    handlesIn: (answer: Answer) => Iterable<number>,
  ): Promise<Answer> {
    const excluded = [...filter.excluded];
    for (;;) {
      const answer = await ask({ ...filter, excluded });
      const gone = [...handlesIn(answer)].filter((handle) => this.#isGone(handle));
      if (gone.length === 0) return answer;
      excluded.push(...gone);
    }
  }

  /** Those of the page: what was removed in the meantime is left out. */
  colliders(handles: readonly number[]): C[] {
    return handles.flatMap((handle) => this.#parts.colliderOf(handle) ?? []);
  }

  #isGone(handle: number): boolean {
    return handle > 0 && this.#parts.colliderOf(handle) === undefined;
  }
}

/** Waits for a tick, unless the simulation is paused or becomes so, or shows a recording. */
async function whenTicked(handle: WorldHandle, ticked: Promise<void>): Promise<void> {
  const hasTicks = (): boolean => handle.state !== 'paused' && handle.replay === undefined;
  let check: ReturnType<typeof setInterval> | undefined;
  const stopped = new Promise<void>((resolve) => {
    if (!hasTicks()) resolve();
    check = setInterval(() => {
      if (!hasTicks()) resolve();
    }, CHECK_MS);
  });
  await Promise.race([ticked, stopped]);
  clearInterval(check);
}
