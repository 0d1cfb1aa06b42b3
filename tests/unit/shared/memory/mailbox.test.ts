import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { MailboxWriter } from '../../../../src/shared/memory/mailbox.js';
import { MailboxReader, initializeMailbox } from '../../../../src/shared/memory/mailbox-reader.js';
import { assertMailbox } from '../../../fixtures/invariants.js';

const WORD = 3;

/** Both ends of a mailbox, and three slots that hold one number each. */
class TestMailbox {
  readonly words = new Int32Array(new SharedArrayBuffer(32));
  readonly slots = [-1, -1, -1];
  readonly writer = new MailboxWriter(this.words, WORD);
  readonly reader = new MailboxReader(this.words, WORD);

  constructor() {
    initializeMailbox(this.words, WORD);
  }

  /** Who owns which slot: the middle's number is followed by * while it is fresh. */
  get owners(): string {
    const word = this.words[WORD] ?? -1;
    return `W=${this.writer.slot} M=${word & 3}${(word & 4) === 0 ? '' : '*'} R=${this.reader.slot}`;
  }

  publish(message: number): boolean {
    this.slots[this.writer.slot] = message;
    return this.writer.publish();
  }

  assertInvariants(): void {
    assertMailbox(this.words, WORD, this.writer, this.reader);
  }
}

describe('the state table', () => {
  let box: TestMailbox;
  beforeEach(() => {
    box = new TestMailbox();
  });

  test('starts with the writer at 0, the middle at 1 and stale, the reader at 2', () => {
    expect(box.owners).toBe('W=0 M=1 R=2');
    expect(box.writer.publishedSlot).toBe(-1);
  });

  test('fetching a stale middle changes nothing', () => {
    expect(box.reader.fetch()).toBe(false);
    expect(box.owners).toBe('W=0 M=1 R=2');
  });

  test('publishing swaps writer and middle, and makes it fresh', () => {
    expect(box.writer.publish()).toBe(false);
    expect(box.owners).toBe('W=1 M=0* R=2');
    expect(box.writer.publishedSlot).toBe(0);
  });

  test('publishing over a fresh middle reports that a message was lost', () => {
    box.writer.publish();
    expect(box.writer.publish()).toBe(true);
    expect(box.owners).toBe('W=0 M=1* R=2');
  });

  test('fetching swaps reader and middle, and makes it stale', () => {
    box.writer.publish();
    expect(box.reader.fetch()).toBe(true);
    expect(box.owners).toBe('W=1 M=2 R=0');
    expect(box.reader.fetch()).toBe(false);
    expect(box.owners).toBe('W=1 M=2 R=0');
  });

  test('publishing over a fetched middle loses nothing', () => {
    box.writer.publish();
    box.reader.fetch();
    expect(box.writer.publish()).toBe(false);
    expect(box.owners).toBe('W=2 M=1* R=0');
  });

  test('uses one word and leaves its neighbours unchanged', () => {
    for (let message = 0; message < 10; message++) {
      box.publish(message);
      if (message % 3 === 0) box.reader.fetch();
    }
    expect(box.words.filter((_, index) => index !== WORD).every((word) => word === 0)).toBe(true);
  });
});

/** A mailbox, and its expected state: messages are numbered from 0, and −1 is none. */
class CheckedMailbox {
  readonly box = new TestMailbox();
  readonly faults: string[] = [];
  published = -1;
  #fetched = -1;
  #lost = 0;
  #fetches = 0;

  get #isFresh(): boolean {
    return this.published > this.#fetched;
  }

  publish(): void {
    const wasFresh = this.#isFresh;
    this.published += 1;
    if (wasFresh) this.#lost += 1;
    if (this.box.publish(this.published) !== wasFresh) this.faults.push('wrong answer to publish');
    const { slots, writer } = this.box;
    if (slots[writer.publishedSlot] !== this.published) this.faults.push('I3: published slot');
  }

  fetch(): void {
    const wasFresh = this.#isFresh;
    this.#fetched = this.published;
    if (wasFresh) this.#fetches += 1;
    if (this.box.reader.fetch() !== wasFresh) this.faults.push('wrong answer to fetch');
  }

  /** What must hold at any time. */
  check(): void {
    this.box.assertInvariants();
    const { slots, reader } = this.box;
    if (slots[reader.slot] !== this.#fetched) this.faults.push('I3: the slot being read');
    const accounted = this.#lost + this.#fetches + (this.#isFresh ? 1 : 0);
    if (accounted !== this.published + 1) this.faults.push('a message is not accounted for');
  }
}

describe('any sequence of publishing and fetching', () => {
  const steps = fc.array(fc.constantFrom('publish' as const, 'fetch' as const), { maxLength: 200 });

  test('keeps the invariants, delivers the newest message and counts each lost one', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const checked = new CheckedMailbox();
        for (const step of sequence) {
          checked[step]();
          checked.check();
        }
        expect(checked.faults).toEqual([]);
        expect(checked.published + 1).toBe(sequence.filter((step) => step === 'publish').length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the check of the invariants', () => {
  test('names I1 when a slot has two owners', () => {
    const box = new TestMailbox();
    box.words[WORD] = 2;
    expect(() => box.assertInvariants()).toThrow(/^I1: slots are 0, 2, 2/);
  });

  test('names I1 when a slot does not exist', () => {
    const box = new TestMailbox();
    box.words[WORD] = 3;
    expect(() => box.assertInvariants()).toThrow(/^I1: slots are 0, 3, 2/);
  });

  test('names I4 when the word has undefined bits set', () => {
    const box = new TestMailbox();
    box.words[WORD] = 1 | 8;
    expect(() => box.assertInvariants()).toThrow(/^I4: unknown bits/);
  });

  test('names I3 when the published slot is given to the writer again', () => {
    const box = new TestMailbox();
    box.publish(1);
    // Another thread returns the slot that is being filled, and takes it once it is published.
    box.words[WORD] = box.writer.slot;
    box.writer.publish();
    box.words[WORD] = 0;
    expect(() => box.assertInvariants()).toThrow(/^I3/);
  });
});
