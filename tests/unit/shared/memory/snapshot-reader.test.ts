import { expect, test } from 'vitest';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { CONTROL, SLOT_HEADER, STATE_HEADER } from '../../../../src/shared/memory/layout.js';
import { MailboxWriter } from '../../../../src/shared/memory/mailbox.js';
import { SnapshotReader, StatusReader } from '../../../../src/shared/memory/snapshot-reader.js';

type Fields = Partial<Record<keyof typeof SLOT_HEADER, number>>;

/** A slot as a running worker writes it: three states, of which the newest is number 7. */
const VALID: Fields = {
  newestState: 7,
  stateCount: 3,
  tickRateHz: 60,
  timeScale: 1,
  shiftMs: 100,
  pausedVirtualMs: Number.NaN,
  newestTick: 70,
};

function write(header: Float64Array | undefined, fields: Fields): void {
  for (const [name, value] of Object.entries({ ...VALID, ...fields })) {
    header?.fill(value, SLOT_HEADER[name as keyof Fields], SLOT_HEADER[name as keyof Fields] + 1);
  }
}

const HEADERS: readonly (readonly [fields: Fields, isValid: boolean])[] = [
  [{}, true],
  [{ stateCount: 4 }, true],
  [{ stateCount: 5 }, false],
  [{ stateCount: 1 }, true],
  [{ stateCount: -1 }, false],
  [{ stateCount: 1.5 }, false],
  [{ newestState: 2 }, true],
  [{ newestState: 1 }, false],
  [{ newestState: 7.5 }, false],
  [{ newestTick: 0 }, true],
  [{ newestTick: -1 }, false],
  [{ newestTick: 0.5 }, false],
  [{ tickRateHz: 0 }, false],
  [{ tickRateHz: -60, timeScale: -1 }, true],
  [{ timeScale: Number.NaN }, false],
  [{ timeScale: Infinity }, false],
  [{ shiftMs: Number.NaN }, false],
  [{ pausedVirtualMs: 5 }, true],
  [{ pausedVirtualMs: Infinity }, false],
  // Nothing has been published: only the tick is used.
  [{ stateCount: 0, newestState: -1, tickRateHz: 0, shiftMs: Number.NaN }, true],
  [{ stateCount: 0, newestTick: -1 }, false],
];

/** A reader of a snapshot with this header, whose states have these changed headers. */
function snapshot(fields: Fields, states: readonly Partial<typeof STATE_HEADER>[] = []) {
  const views = createBuffer(1, 4);
  const writer = new MailboxWriter(views.control, CONTROL.mailbox);
  const slot = views.slots[writer.slot];
  write(slot?.header, fields);
  const newest = fields.newestState ?? 7;
  for (let age = 0; age < 4; age++) {
    const state = slot?.stateHeaders[(newest - age) % 4];
    const { ordinal = newest - age, virtualMs = 0, latenessMs = 0 } = states[age] ?? {};
    state?.fill(ordinal, STATE_HEADER.ordinal, STATE_HEADER.ordinal + 1);
    state?.fill(virtualMs, STATE_HEADER.virtualMs, STATE_HEADER.virtualMs + 1);
    state?.fill(latenessMs, STATE_HEADER.latenessMs, STATE_HEADER.latenessMs + 1);
  }
  writer.publish();
  const reader = new SnapshotReader(views);
  expect([reader.isBroken, reader.slot]).toEqual([false, views.slots[2]]);
  expect([reader.fetch(), reader.fetch()]).toEqual([true, false]);
  expect(reader.slot).toBe(slot);
  expect(reader.control).toBe(views.control);
  return reader;
}

test.each(HEADERS)('a snapshot whose header has %o is valid: %s', (fields, isValid) => {
  expect(snapshot(fields).isBroken).toBe(!isValid);
});

type State = Record<'ordinal' | 'virtualMs' | 'latenessMs', number>;

test.each<[states: readonly Partial<State>[], isValid: boolean]>([
  [[{ ordinal: 8 }], false],
  [[{}, {}, { ordinal: 4 }], false],
  [[{}, {}, {}, { ordinal: 99 }], true],
  [[{}, { virtualMs: Number.NaN }], false],
  [[{}, { latenessMs: Infinity }], false],
  [[{ virtualMs: -5, latenessMs: 3 }], true],
])('a snapshot whose states, from the newest, have %o is valid: %s', (states, isValid) => {
  expect(snapshot({}, states as never).isBroken).toBe(!isValid);
});

test.each(HEADERS)(
  'a status with %o is valid: %s; otherwise the last valid one is kept',
  (fields, isValid) => {
    const views = createBuffer(1, 4);
    const writer = new MailboxWriter(views.control, CONTROL.statusMailbox);
    const reader = new StatusReader(views);
    expect(reader.read()).toEqual(new Float64Array(16));
    write(views.statuses[writer.slot], { sequence: 1 });
    writer.publish();
    expect(reader.read()[SLOT_HEADER.sequence]).toBe(1);
    expect(reader.isBroken).toBe(false);
    write(views.statuses[writer.slot], { sequence: 2, ...fields });
    writer.publish();
    expect(reader.read()[SLOT_HEADER.sequence]).toBe(isValid ? 2 : 1);
    expect(reader.isBroken).toBe(!isValid);
  },
);

test('readers whose mailbox has an impossible word are broken', () => {
  const views = createBuffer(1, 4);
  views.control[CONTROL.mailbox] = 7;
  views.control[CONTROL.statusMailbox] = 7;
  const readers = [new SnapshotReader(views), new StatusReader(views)] as const;
  readers[0].fetch();
  readers[1].read();
  expect(readers.map(({ isBroken }) => isBroken)).toEqual([true, true]);
});
