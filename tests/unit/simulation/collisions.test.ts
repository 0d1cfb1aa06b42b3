/** Collisions on their way from the engine to the page, over seeks. Over threads: tests/threads/transports. */
import { expect, onTestFinished, test } from 'vitest';
import { connect, type CollisionEvent } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createColliding } from '../../fixtures/colliding-simulation.js';
import { eventually } from '../../fixtures/eventually.js';

const TICKS = 90;
/** Some pairs are open after it. */
const SOUGHT = 55;

/** A paused run of some ticks, all of whose collisions have been read. */
async function collided() {
  const simulation = await connect<ReturnType<typeof createColliding>>(
    () => runLocally(createColliding()),
    {
      transport: 'local',
      capacity: 16,
      startPaused: true,
      recording: { rewindSeconds: 60, saveEverySeconds: 0.5, hashEveryTicks: 10 },
    },
  );
  onTestFinished(() => simulation.dispose());
  const events: CollisionEvent[] = [];
  simulation.on('collision', (event) => events.push(event), { when: 'now' });
  await simulation.step(TICKS);
  const { begun, ended } = await simulation.queries.known();
  await eventually(() => expect(events).toHaveLength(begun + ended));
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

const isAfterSeek = ({ tick, isLate }: CollisionEvent) => tick > SOUGHT && !isLate;

test('after a seek the open pairs are those of the state, and the ticks report what they did before', async () => {
  const { simulation, events } = await collided();
  const first = [...events];
  const known = await simulation.queries.known();
  const openAtEnd = openPairsOf(first);
  const until = first.findLastIndex(({ tick }) => tick <= SOUGHT);
  const openThen = openPairsOf(first.slice(0, until + 1));
  expect(openThen.length).toBeGreaterThan(0);

  await simulation.seek(SOUGHT);
  await simulation.step(TICKS - SOUGHT);
  const expected = first.filter(isAfterSeek);
  await eventually(() =>
    expect(events.slice(first.length).filter(isAfterSeek)).toHaveLength(expected.length),
  );
  const second = events.slice(first.length);
  expect(second.filter(isAfterSeek)).toEqual(expected);
  // The first tick begins earlier collisions again, late.
  const late = second.filter(({ isLate, phase }) => isLate && phase === 'begin');
  expect(late.map((event) => `${event.colliderA} ${event.colliderB}`).toSorted()).toEqual(openThen);
  expect(openPairsOf(events)).toEqual(openAtEnd);
  expect(await simulation.queries.known()).toEqual(known);
  // The simulation's summary of them is part of its hash.
  const report = await replay(createColliding(), simulation.recording());
  expect(report).toMatchObject({ tick: TICKS, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
});
