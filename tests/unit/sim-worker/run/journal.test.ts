import { expect, test } from 'vitest';
import type { JournalItem } from '../../../../src/shared/protocol/control-protocol.js';
import { bytesIn } from '../../../../src/sim-worker/run/journal.js';

const HASH = '0123456789abcdef';

test('the bytes of states in the journal are transferred instead of being copied', () => {
  const first = Uint8Array.of(1, 2);
  const second = Uint8Array.of(3);
  const items: JournalItem[] = [
    { kind: 'state', state: { tick: 1, bytes: first } },
    { kind: 'hash', tick: 1, hash: HASH },
    { kind: 'state', state: { tick: 2, bytes: second } },
  ];
  const posted = structuredClone(items, { transfer: bytesIn(items) });
  expect([first.length, second.length]).toEqual([0, 0]);
  expect(posted).toMatchObject([
    { state: { tick: 1, bytes: Uint8Array.of(1, 2) } },
    { kind: 'hash' },
    { state: { tick: 2, bytes: Uint8Array.of(3) } },
  ]);
});
