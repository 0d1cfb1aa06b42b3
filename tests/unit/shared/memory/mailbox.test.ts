import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MailboxWriter,
  MailboxReader,
  initializeMailbox,
} from '../../../../src/shared/memory/mailbox.js';
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
}

test("a mailbox follows the table of states in its file's header", () => {
  const box = new TestMailbox();
  const { writer, reader } = box;
  expect([box.owners, writer.publishedSlot]).toEqual(['W=0 M=1 R=2', -1]);
  const after = (answer: boolean): unknown => [answer, box.owners, writer.publishedSlot];
  // A stale middle.
  expect(after(reader.fetch())).toEqual([false, 'W=0 M=1 R=2', -1]);
  expect(after(writer.publish())).toEqual([false, 'W=1 M=0* R=2', 0]);
  // Over a fresh middle: a message is lost.
  expect(after(writer.publish())).toEqual([true, 'W=0 M=1* R=2', 1]);
  expect(after(reader.fetch())).toEqual([true, 'W=0 M=2 R=1', 1]);
  expect(after(reader.fetch())).toEqual([false, 'W=0 M=2 R=1', 1]);
  expect(after(writer.publish())).toEqual([false, 'W=2 M=0* R=1', 0]);
});

test('a mailbox uses one word and leaves its neighbours unchanged', () => {
  const box = new TestMailbox();
  for (let message = 0; message < 10; message++) {
    box.publish(message);
    if (message % 3 === 0) box.reader.fetch();
  }
  expect(box.words.every((word, index) => index === WORD || word === 0)).toBe(true);
});

test.each([
  ['an unknown bit', 0b1100, true],
  ['all bits', -1, true],
  ['a slot that does not exist', 0b111, true],
  ["the reader's own slot", 0b110, true],
  ['the slot of the writer', 0b100, false],
  ['the slot of the middle', 0b101, false],
])('a reader that finds a fresh word with %s is broken or reads it', (_, word, isBroken) => {
  const { words, reader } = new TestMailbox();
  words[WORD] = word;
  expect(reader.fetch()).toBe(!isBroken);
  expect([reader.isBroken, reader.slot]).toEqual([isBroken, isBroken ? 2 : word & 3]);
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

  /** Checks the rules that must hold at any time. */
  check(): void {
    const { words, writer, reader, slots } = this.box;
    assertMailbox(words, WORD, writer, reader);
    if (slots[reader.slot] !== this.#fetched) this.faults.push('I3: the slot being read');
    const accounted = this.#lost + this.#fetches + (this.#isFresh ? 1 : 0);
    if (accounted !== this.published + 1) this.faults.push('a message is not accounted for');
  }
}

test('any sequence of publishing and fetching keeps the invariants, delivers the newest message and counts each lost one', () => {
  const steps = fc.array(fc.constantFrom('publish' as const, 'fetch' as const), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (sequence) => {
      const checked = new CheckedMailbox();
      for (const step of sequence) {
        checked[step]();
        checked.check();
      }
      expect(checked.faults).toEqual([]);
      expect(checked.box.reader.isBroken).toBe(false);
      expect(checked.published + 1).toBe(sequence.filter((step) => step === 'publish').length);
    }),
    { numRuns: 200 },
  );
});
