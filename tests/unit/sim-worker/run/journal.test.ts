import { expect, test, vi } from 'vitest';
import type { JournalItem } from '../../../../src/shared/protocol/control-protocol.js';
import { NO_TICK_INPUTS } from '../../../../src/shared/input/tick-inputs.js';
import { RunJournal, bytesIn } from '../../../../src/sim-worker/run/journal.js';
import type { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';

const HASH = '0123456789abcdef';

const send = vi.fn<(items: JournalItem[]) => void>();

test('the journal sends nothing twice, and no empty message', () => {
  const journal = new RunJournal(send, { hashEveryTicks: 0, saveEveryTicks: 0 });
  const tick = (number: number, dt: number): void => {
    journal.recordTick(number, dt, NO_TICK_INPUTS);
    journal.recordState({ tick: number } as SimulationRun);
  };
  expect(journal.sent).toBe(0);
  tick(1, 0.5);
  tick(2, 0.5);
  tick(3, 1);
  expect(journal.sent).toBe(2);
  expect(send.mock.calls.map(([items]) => items)).toEqual([
    [{ kind: 'step', tick: 1, dt: 0.5 }],
    [{ kind: 'step', tick: 3, dt: 1 }],
  ]);
});

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
