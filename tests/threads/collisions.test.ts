/** Collisions on their way from the engine to the page. */
import { expect, inject, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker, type CollisionEvent } from '../../src/render-main/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { createColliding } from '../fixtures/colliding-simulation.js';
import { eventually } from '../fixtures/eventually.js';
import { PATIENT, startThread } from '../fixtures/threads.js';

const TICKS = 200;

async function connectColliding() {
  const simulation = await connect<ReturnType<typeof createColliding>>(
    (transport) =>
      transport === 'local'
        ? runLocally(createColliding())
        : fromNodeWorker(startThread('colliding')),
    {
      ...PATIENT,
      transport: inject('transport'),
      capacity: 16,
      startPaused: true,
      recording: { rewindSeconds: 60, saveEverySeconds: 0.5 },
    },
  );
  onTestFinished(() => simulation.dispose());
  const events: CollisionEvent[] = [];
  simulation.on('collision', (event) => events.push(event), { when: 'now' });
  return { simulation, events };
}

/** Ends the test if begin and end of a pair do not alternate. @returns The pairs that are open. */
function openPairsOf(events: readonly CollisionEvent[]): readonly string[] {
  const open = new Set<string>();
  for (const { phase, colliderA, colliderB } of events) {
    const key = `${colliderA} ${colliderB}`;
    expect([key, open.has(key)]).toEqual([key, phase === 'end']);
    if (phase === 'begin') open.add(key);
    else open.delete(key);
  }
  return [...open].toSorted();
}

/** All collisions of the run. */
async function reported(): Promise<readonly CollisionEvent[]> {
  const { events } = await runTicks(createColliding(), { ticks: TICKS, capacity: 16 });
  return events
    .filter(({ name }) => (name as string) === 'collision')
    .map((event) => event as unknown as CollisionEvent);
}

test('the page receives what the run reports: every number of every collision', async () => {
  const expected = await reported();
  expect(expected.filter(({ points }) => points.length > 0).length).toBeGreaterThan(30);
  expect(expected.some(({ isSensor }) => isSensor)).toBe(true);

  const { simulation, events } = await connectColliding();
  await simulation.step(TICKS);
  await eventually(() => expect(events).toHaveLength(expected.length));
  expect(events.map((event) => Object.assign(event, { name: 'collision' }))).toEqual(expected);
  // What the simulation made of them is part of its hash.
  const report = await replay(createColliding(), await simulation.recording());
  expect(report).toMatchObject({ tick: TICKS, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
});

const isAfterSeek = ({ tick, isLate }: CollisionEvent) => tick > 110 && !isLate;

test('after a seek the open pairs are those of the state, and the ticks report what they did before', async () => {
  const { length } = await reported();
  const { simulation, events } = await connectColliding();
  await simulation.step(TICKS);
  // All of them: those that came later would count as the second run's.
  await eventually(() => expect(events).toHaveLength(length));
  const first = [...events];
  const known = await simulation.queries.known();
  const openAtEnd = openPairsOf(first);
  const until = first.findLastIndex(({ tick }) => tick <= 110);
  const openThen = openPairsOf(first.slice(0, until + 1));

  await simulation.seek(110);
  await simulation.step(TICKS - 110);
  const expected = first.filter(isAfterSeek);
  await eventually(() =>
    expect(events.slice(first.length).filter(isAfterSeek)).toHaveLength(expected.length),
  );
  const second = events.slice(first.length);
  expect(second.filter(isAfterSeek)).toEqual(expected);
  // What had begun before is begun again, late, by the first tick.
  const late = second.filter(({ isLate, phase }) => isLate && phase === 'begin');
  expect(late.map((event) => `${event.colliderA} ${event.colliderB}`).toSorted()).toEqual(openThen);
  expect(openPairsOf(events)).toEqual(openAtEnd);
  expect(await simulation.queries.known()).toEqual(known);
});

test('a seek of a paused run ends the open pairs, although no frame reads it', async () => {
  const { length } = await reported();
  const { simulation, events } = await connectColliding();
  await simulation.step(TICKS);
  await eventually(() => expect(events).toHaveLength(length));
  const open = openPairsOf(events);
  expect(open.length).toBeGreaterThan(0);
  await simulation.seek(0);
  await eventually(() => expect(events).toHaveLength(length + open.length));
  expect(openPairsOf(events)).toEqual([]);
});
