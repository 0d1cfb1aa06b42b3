import { expect, test, vi } from 'vitest';
import type { JournalMessage } from '../../../../src/shared/protocol/control-protocol.js';
import { MessageJournal } from '../../../../src/sim-worker/run/journal.js';

type Post = (message: JournalMessage, transfer: Transferable[]) => void;

test('added entries are sent in one message, in order', () => {
  const post = vi.fn<Post>();
  const journal = new MessageJournal(post);
  journal.add({ kind: 'step', tick: 1, dt: 0.5 });
  journal.add({ kind: 'hash', tick: 1, hash: '0123456789abcdef' });
  expect(post).not.toHaveBeenCalled();
  journal.flush();
  const items = [
    { kind: 'step', tick: 1, dt: 0.5 },
    { kind: 'hash', tick: 1, hash: '0123456789abcdef' },
  ];
  expect(post.mock.calls).toEqual([[{ type: 'betwixt:journal', items }, []]]);
});

test('nothing is sent twice, and no empty message is sent', () => {
  const post = vi.fn<Post>();
  const journal = new MessageJournal(post);
  journal.flush();
  expect(post).not.toHaveBeenCalled();
  expect(journal.sent).toBe(0);
  journal.add({ kind: 'step', tick: 1, dt: 0.5 });
  journal.flush();
  journal.flush();
  journal.add({ kind: 'step', tick: 2, dt: 1 });
  journal.flush();
  expect(journal.sent).toBe(2);
  expect(post.mock.calls.map(([{ items }]) => items)).toEqual([
    [{ kind: 'step', tick: 1, dt: 0.5 }],
    [{ kind: 'step', tick: 2, dt: 1 }],
  ]);
});

test('the bytes of states are transferred instead of being copied', () => {
  const posted: JournalMessage[] = [];
  const journal = new MessageJournal((message, transfer) => {
    posted.push(structuredClone(message, { transfer }));
  });
  const first = Uint8Array.of(1, 2);
  const second = Uint8Array.of(3);
  journal.add({ kind: 'state', state: { tick: 1, bytes: first } });
  journal.add({ kind: 'hash', tick: 1, hash: '0123456789abcdef' });
  journal.add({ kind: 'state', state: { tick: 2, bytes: second } });
  journal.flush();
  expect([first.length, second.length]).toEqual([0, 0]);
  expect(posted[0]?.items).toMatchObject([
    { state: { tick: 1, bytes: Uint8Array.of(1, 2) } },
    { kind: 'hash' },
    { state: { tick: 2, bytes: Uint8Array.of(3) } },
  ]);
});
