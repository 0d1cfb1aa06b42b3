/** Tells the page everything that decides how the run goes, before it does. */
import type { JournalItem, JournalMessage } from '../shared/control-protocol.js';

export interface Journal {
  /** Messages sent so far. */
  readonly sent: number;
  add(item: JournalItem): void;
  /** Sends what was added. Before each step, so that the page knows what a step was given even if it never ends. */
  flush(): void;
}

/** By message: never lost, however far behind the page is, and delivered though this thread may hang next. */
export class MessageJournal implements Journal {
  readonly #post: (message: JournalMessage, transfer: Transferable[]) => void;
  #items: JournalItem[] = [];
  sent = 0;

  constructor(post: (message: JournalMessage, transfer: Transferable[]) => void) {
    this.#post = post;
  }

  add(item: JournalItem): void {
    this.#items.push(item);
  }

  flush(): void {
    if (this.#items.length === 0) return;
    this.sent += 1;
    const items = this.#items;
    this.#items = [];
    const transfer = items.flatMap((item) =>
      item.kind === 'state' ? [item.state.bytes.buffer as ArrayBuffer] : [],
    );
    this.#post({ type: 'betwixt:journal', items }, transfer);
  }
}
