/** Which states a prediction keeps: few, and such that little more than the wrong ticks runs again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeepingToy } from '../../../fixtures/rooms/seated-toy.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { RollbackStates } from '../../../../src/rooms/run/rollback-states.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';

/** As many as there are at most. */
const MOST = 8;

async function begin(ticksPerPacket: number) {
  const toy = new KeepingToy();
  const run = new SimulationRun({
    simulation: toy,
    options: { capacity: 8, seed: 1, setup: null, dt: 1 / 60, invalidPosePolicy: 'freeze' },
    events: new EventReporter(undefined),
  });
  await run.initialize();
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
  const client = await begin(2);
  client.runTo(8);
  for (let packet = 0; packet < 100; packet++) {
    expect(client.surprise()).toBe(8);
    client.runTo(client.run.tick + 2);
  }
  expect(client.toy.returns).toBe(100);
});

test('a prediction keeps few states and uses their memory again, however far ahead it is', async () => {
  const client = await begin(1);
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

test('a prediction has a state before the wrong tick, at most a gap earlier, whatever packets say', async () => {
  let surprises = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.constantFrom('surprise', 'confirm', 'wait'), fc.nat(3)), {
        minLength: 20,
        maxLength: 80,
      }),
      async (ticksPerPacket, happenings) => {
        const client = await begin(ticksPerPacket);
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
