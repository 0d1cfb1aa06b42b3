import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import { expect, test, vi } from 'vitest';
import { createSimulation } from '../src/simulation.js';
import { play } from './play.js';

const BIRDS = 120;
/** In ticks. */
const SECOND = 60;

/** The pointer goes down or up in a tick, in the middle of the picture. */
const pointer = (tick: number, kind: 'pointerdown' | 'pointerup') => {
  const values = { code: 0, device: 1, x: 0, y: 0, z: 0, w: kind === 'pointerdown' ? 1 : 0 };
  return { kind: 'input', tick, input: { kind, ...values, fraction: 0.5 } } as const;
};

test('the birds fly on, and stay where they can be seen', async () => {
  const simulation = createSimulation();
  let before = simulation.commands.places();
  await play(simulation, {
    capacity: BIRDS,
    ticks: 20 * SECOND,
    onTick: (tick) => {
      if (tick % SECOND !== 0) return;
      const places = simulation.commands.places();
      expect(places).toHaveLength(BIRDS);
      expect(places).not.toEqual(before);
      for (const { x, y, z } of places) expect(x * x + y * y + z * z).toBeLessThan(12 ** 2);
      before = places;
    },
  });
});

test('they come to fly in flocks', async () => {
  const simulation = createSimulation();
  const scattered = await playAndMeasure(simulation, 1);
  expect(await playAndMeasure(createSimulation(), 10 * SECOND)).toBeGreaterThan(scattered + 0.3);
});

test('a pointer that is down scares them away, and the page is told', async () => {
  const emit = vi.fn<(name: string, value: unknown) => void>();
  const inTheMiddle = async (inputs: ReturnType<typeof pointer>[]): Promise<number> => {
    const simulation = createSimulation();
    await play(simulation, {
      capacity: BIRDS,
      ticks: 5 * SECOND,
      inputs,
      onInit: ({ events }) => vi.spyOn(events, 'emit').mockImplementation(emit),
    });
    return simulation.commands.places().filter(({ x, y }) => x * x + y * y < 3 ** 2).length;
  };
  const undisturbed = await inTheMiddle([]);
  expect(emit).not.toHaveBeenCalled();
  const isDown = await inTheMiddle([pointer(3 * SECOND, 'pointerdown')]);
  expect(isDown).toBeLessThan(undisturbed / 2);
  expect(emit.mock.calls).toEqual([['startled', { x: 0, y: 0, birds: expect.any(Number) }]]);
});

test('the same seed gives the same run, bit for bit', async () => {
  const first = await hashOfRun(1);
  expect(await hashOfRun(1)).toBe(first);
  expect(await hashOfRun(2)).not.toBe(first);
});

test('what was recorded is shown again bit for bit, by a simulation that has gone on since', async () => {
  // As the page does it, but in this thread. Its ticks run when told to, and each of them is hashed.
  const sim = await connect(() => runLocally(createSimulation()), {
    transport: 'local',
    capacity: BIRDS,
    startPaused: true,
    timeScale: 100,
    hashEveryTicks: 1,
  });
  await sim.step(SECOND);
  const { input } = pointer(0, 'pointerdown');
  sim.inputs.push(input, performance.now());
  await sim.step(SECOND);
  const file = encodeRecording(sim.recording());
  // The birds fly on, and the pointer is still down.
  await sim.step(SECOND);
  const shown = sim.replay(decodeRecording(file));
  await sim.resume();
  const ticks = 2 * SECOND;
  expect(await shown).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
  await sim.dispose();
});

function hashOfRun(seed: number): Promise<string> {
  const inputs = [pointer(SECOND, 'pointerdown'), pointer(2 * SECOND, 'pointerup')];
  return play(createSimulation(), { seed, capacity: BIRDS, ticks: 4 * SECOND, inputs });
}

/** How much the courses of two birds near each other agree, on average: 1 the same, 0 by chance. */
async function playAndMeasure(
  simulation: ReturnType<typeof createSimulation>,
  ticks: number,
): Promise<number> {
  let before = simulation.commands.places();
  let after = before;
  await play(simulation, {
    capacity: BIRDS,
    ticks: ticks + 1,
    onTick: () => {
      before = after;
      after = simulation.commands.places();
    },
  });
  const birds = after.map((place, index) => {
    const old = before[index] ?? place;
    const course = { x: place.x - old.x, y: place.y - old.y, z: place.z - old.z };
    return { place, course, speed: Math.hypot(course.x, course.y, course.z) };
  });
  const agreements: number[] = [];
  for (const a of birds) {
    for (const b of birds) {
      const { x, y, z } = a.place;
      const distance = Math.hypot(x - b.place.x, y - b.place.y, z - b.place.z);
      if (a === b || distance > 1.8) continue;
      const along = a.course.x * b.course.x + a.course.y * b.course.y + a.course.z * b.course.z;
      agreements.push(along / (a.speed * b.speed));
    }
  }
  return agreements.reduce((sum, value) => sum + value, 0) / agreements.length;
}
