import { expect, test } from 'vitest';
import {
  MailboxWriter,
  MailboxReader,
  initializeMailbox,
} from '../../../../src/shared/memory/mailbox.js';

const WORD = 3;

/** Both ends of a mailbox. */
class TestMailbox {
  readonly words = new Int32Array(new SharedArrayBuffer(32));
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
}

test("a mailbox follows the table of states in its file's header, and leaves the words next to it", () => {
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
