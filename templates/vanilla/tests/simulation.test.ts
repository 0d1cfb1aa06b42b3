import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import { keyCode } from 'betwixt/worker';
import { expect, test, vi } from 'vitest';
import { BODIES, RADIUS_M } from '../src/bodies.js';
import { createSimulation } from '../src/simulation.js';
import { play } from './play.js';

/** In ticks. */
const SECOND = 60;
/** Long enough for everything to lie still. */
const REST = 6 * SECOND;

const values = { code: keyCode('Space'), device: 0, x: 0, y: 0, z: 0, w: 0 };
const spaceDown = { kind: 'keydown', ...values } as const;

/** The space bar is pressed in a tick and let go in the next. */
const space = (tick: number) => {
  const down = { ...spaceDown, fraction: 0.5 };
  return [
    { kind: 'input', tick, input: down },
    { kind: 'input', tick: tick + 1, input: { ...down, kind: 'keyup' } },
  ] as const;
};

test('three bodies fall on the plate, touch it, and come to rest on it', async () => {
  const simulation = createSimulation();
  const met = new Set<unknown>();
  await play(simulation, {
    ticks: REST,
    onInit: ({ events }) => {
      vi.spyOn(events, 'contact').mockImplementation((a, b) => {
        // What is no body, such as the plate, is undefined.
        if (a === undefined || b === undefined) met.add(a ?? b);
      });
    },
    onTick: (tick) => {
      if (tick < REST) return;
      for (const height of simulation.commands.heights()) {
        expect(height).toBeGreaterThan(0.2);
        expect(height).toBeLessThan(2 * RADIUS_M);
      }
    },
  });
  expect(met.size).toBe(BODIES.length);
});

test('the space bar makes one of them jump, and the next time the next one', async () => {
  const simulation = createSimulation();
  const jumped: number[] = [];
  await play(simulation, {
    ticks: REST + 4 * SECOND,
    inputs: [...space(REST), ...space(REST + 2 * SECOND)],
    onTick: () => {
      simulation.commands.heights().forEach((y, index) => {
        if (y > 1.5 && jumped.at(-1) !== index) jumped.push(index);
      });
    },
  });
  // What is high up before the first jump is falling down at the start.
  expect(jumped.slice(-2)).toEqual([0, 1]);
});

test('the same seed gives the same run, bit for bit', async () => {
  const first = await hashOfRun(1);
  expect(await hashOfRun(1)).toBe(first);
  expect(await hashOfRun(2)).not.toBe(first);
});

test('what was recorded is shown again bit for bit, by a simulation that has gone on since', async () => {
  const sim = await start();
  await sim.step(REST);
  sim.inputs.push(spaceDown, performance.now());
  await sim.step(SECOND);
  const file = encodeRecording(sim.recording());
  // Now it is another one's turn, the key is still held, and the bodies lie elsewhere.
  await sim.step(SECOND);
  const shown = sim.replay(decodeRecording(file));
  await sim.resume();
  const ticks = REST + SECOND;
  expect(await shown).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
  await sim.dispose();
});

test('a saved state goes on as it did, in another simulation too', async () => {
  const sim = await start();
  await sim.step(REST);
  sim.inputs.push(spaceDown, performance.now());
  await sim.step(SECOND / 2);
  const state = await sim.save();
  /** Nobody jumps before the key was let go, and then the one whose turn it is. */
  const goOn = async (played: typeof sim): Promise<readonly number[]> => {
    for (const kind of ['keydown', 'keyup', 'keydown'] as const) {
      played.inputs.push({ ...spaceDown, kind }, performance.now());
      await played.step(20);
    }
    return played.commands.heights();
  };
  const heights = await goOn(sim);
  await sim.restore(state);
  expect(await goOn(sim)).toEqual(heights);
  const other = await start();
  await other.restore(state);
  expect(await goOn(other)).toEqual(heights);
  await Promise.all([sim.dispose(), other.dispose()]);
});

/** As the page does it, but in this thread. It is paused, its ticks run when told to, and each of them is hashed. */
function start() {
  return connect<ReturnType<typeof createSimulation>>(() => runLocally(createSimulation()), {
    transport: 'local',
    capacity: 16,
    startPaused: true,
    timeScale: 100,
    hashEveryTicks: 1,
  });
}

function hashOfRun(seed: number): Promise<string> {
  return play(createSimulation(), { seed, ticks: 3 * SECOND, inputs: space(SECOND) });
}
