import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PredictedRun, RollbackStates } from '../../../../src/rooms/run/predicted-run.js';
import { RoomRun } from '../../../../src/rooms/run/room-run.js';
import type { RoomWelcome } from '../../../../src/rooms/shared/room-messages.js';
import { RoomReader } from '../../../../src/rooms/shared/room-reader.js';
import { createToyRun } from '../../../fixtures/run-toy.js';
import { KeepingToy, SeatedToy } from '../../../fixtures/rooms/seated-toy.js';
import { playSession, playSessions, toyGame } from '../../../fixtures/rooms/virtual-session.js';

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

/** A client of a room with another player, 10 ticks after the room. */
async function predict(toy: SeatedToy) {
  const room = await RoomRun.open(new SeatedToy(), { capacity: 8 }, { onPacket: () => {} });
  room.join(0);
  room.join(1);
  room.advance(10 * (1000 / 60) + 0.1);
  const welcome = new RoomReader().read(room.welcome(0, 'predict')) as unknown as RoomWelcome;
  const { run } = await createToyRun(welcome.run, toy);
  const predicted = new PredictedRun(run, welcome);
  predicted.advance(20);
  /** The other player has moved in a tick that the client has run. */
  const surprise = (tick: number): boolean =>
    predicted.receive({
      tick,
      actions: [{ kind: 'command', tick: tick - 1, name: 'shift', args: '[1,2]' }],
    });
  return { predicted, surprise, welcome };
}

test('a predicted run has the hash of the room at every confirmed hash tick, whatever the network does', async () => {
  const { rollbacks, late, hashes, desyncs } = await playSessions(SEEDS);
  expect(desyncs).toBe(0);
  // The cases that this is about have happened, often.
  expect(rollbacks).toBeGreaterThan(60);
  expect(late).toBeGreaterThan(60);
  expect(hashes).toBeGreaterThan(60);
});

test('a predicted run that computes something else finds that, and continues with the state of the room', async () => {
  let calls = 0;
  const { clients } = await playSession(
    7,
    toyGame(() => new SeatedToy(() => (++calls % 100 === 0 ? 1e-9 : 0))),
  );
  expect(clients.filter(({ asked, repairs }) => asked === 0 || repairs === 0)).toEqual([]);
});

test('a predicted run goes back by what the simulation keeps in memory, where it can', async () => {
  const toy = new KeepingToy();
  const { predicted, surprise } = await predict(toy);
  surprise(14);
  expect(predicted.advance(22)).toBe(true);
  expect(predicted.counters).toMatchObject({ rollbacks: 1, repeatedTicks: 8 });
  expect({ returns: toy.returns, tick: predicted.tick }).toEqual({ returns: 1, tick: 22 });
  const saved = new SeatedToy();
  const other = await predict(saved);
  other.surprise(14);
  other.predicted.advance(22);
  expect(other.predicted.counters).toEqual(predicted.counters);
  expect(saved.positions).toEqual(toy.positions);
});

test('a predicted run needs a welcome when nothing that was kept can be used, and saves states from then on', async () => {
  const toy = new KeepingToy();
  const { predicted, surprise, welcome } = await predict(toy);
  toy.made += 1;
  surprise(14);
  expect(predicted.advance(22)).toBe(false);
  expect(predicted.counters).toMatchObject({ rollbacks: 0 });
  // The run continues as it is, and says so once.
  expect(predicted.advance(23)).toBe(true);
  predicted.begin(welcome);
  const { kept } = toy;
  predicted.advance(20);
  toy.made += 1;
  surprise(14);
  expect(predicted.advance(22)).toBe(true);
  expect(predicted.counters).toMatchObject({ rollbacks: 1, repeatedTicks: 8 });
  expect(toy).toMatchObject({ kept, returns: 0 });
});

test('a predicted run goes back farther when only an older state can be used', async () => {
  const toy = new KeepingToy();
  const { predicted, surprise } = await predict(toy);
  toy.made = 1;
  // Kept with this number: 22 and 24.
  predicted.advance(24);
  toy.made = 0;
  surprise(24);
  expect(predicted.advance(24)).toBe(true);
  expect(predicted.counters).toMatchObject({ rollbacks: 1, repeatedTicks: 4 });
  expect(toy.returns).toBe(1);
});

test('a predicted run goes back for an own action of a tick that has run', async () => {
  const toy = new SeatedToy();
  const { predicted } = await predict(toy);
  const before = toy.positions;
  predicted.addOwn([{ kind: 'command', tick: 18, name: 'shift', args: '[2]' }]);
  expect(predicted.isWrong).toBe(true);
  predicted.advance(20);
  expect(predicted.counters).toMatchObject({ rollbacks: 1, repeatedTicks: 4 });
  expect(toy.positions[0]?.x).toBeCloseTo((before[0]?.x ?? 0) + 2, 6);
  expect(toy.positions[1]).toEqual(before[1]);
});

/** As many as there are at most. */
const MOST = 8;

/** Which states a prediction keeps: few, and such that little more than the wrong ticks runs again. */
async function keepStates(ticksPerPacket: number) {
  const toy = new KeepingToy();
  const { run } = await createToyRun({}, toy);
  const states = new RollbackStates(run);
  states.keep();
  let confirmed = 0;
  const runTo = (tick: number): void => {
    while (run.tick < tick) {
      run.runTick(1 / 60);
      if (run.tick % ticksPerPacket === 0) states.keepIfNeeded(confirmed, tick);
    }
    states.forgetBefore(Math.min(confirmed, run.tick));
  };
  return {
    toy,
    run,
    runTo,
    /** A packet, which says that the first tick it is about ran with wrong actions. @returns Ticks that run again. */
    surprise(): number {
      const wrong = confirmed + 1;
      confirmed += ticksPerPacket;
      const before = run.tick;
      if (before < wrong) return 0;
      if (!states.goBefore(wrong)) throw new Error('nothing was kept');
      const again = before - run.tick;
      runTo(before);
      return again;
    },
    /** A packet without a surprise. */
    confirm(): void {
      confirmed += ticksPerPacket;
      states.forgetBefore(Math.min(confirmed, run.tick));
    },
    get confirmed() {
      return confirmed;
    },
  };
}

test('a prediction with a short lead runs only the ticks after the last right one again', async () => {
  const client = await keepStates(2);
  client.runTo(8);
  for (let packet = 0; packet < 100; packet++) {
    expect(client.surprise()).toBe(8);
    client.runTo(client.run.tick + 2);
  }
  expect(client.toy.returns).toBe(100);
});

test('a prediction keeps few states and uses their memory again, however far ahead it is', async () => {
  const client = await keepStates(1);
  client.runTo(40);
  for (let packet = 0; packet < 100; packet++) {
    // The state of a confirmed tick is there, because it has run again.
    expect(client.surprise()).toBe(40);
    client.runTo(client.run.tick + 1);
  }
  const { kept, reused } = client.toy;
  // A seventh of the ticks.
  expect(kept).toBeLessThan((100 * 41) / 6 + 100 + MOST);
  expect(kept - reused).toBeLessThanOrEqual(MOST + 1);
});

test('a prediction has a state before the wrong tick, at most an interval earlier, whatever packets say', async () => {
  let surprises = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.constantFrom('surprise', 'confirm', 'wait'), fc.nat(3)), {
        minLength: 20,
        maxLength: 80,
      }),
      async (ticksPerPacket, happenings) => {
        const client = await keepStates(ticksPerPacket);
        for (const [what, ticks] of happenings) {
          const lead = client.run.tick - client.confirmed;
          if (what === 'surprise') {
            const again = client.surprise();
            if (again > 0) surprises += 1;
            // A state is at most 2 / 7 of the longest lead before it, as two neighbours are thinned to one.
            if (again > 0 && again - lead > ticksPerPacket + (2 * 60) / 7) return false;
          } else if (what === 'confirm') client.confirm();
          const most = client.confirmed + 60;
          client.runTo(Math.max(client.run.tick, Math.min(most, client.run.tick + ticks)));
          if (client.toy.kept - client.toy.reused > MOST + 1) return false;
        }
        return true;
      },
    ),
    { numRuns: 200 },
  );
  expect(surprises).toBeGreaterThan(500);
});
