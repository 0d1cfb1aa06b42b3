import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import { runTicks, type InputAtTick, type TickState } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';

const BIRDS = 120;
/** In ticks. */
const SECOND = 60;

/** The pointer goes down or up in the center of the view. */
const pointer = (kind: 'pointerdown' | 'pointerup') =>
  ({ kind, code: 0, device: 1, x: 0, y: 0, z: 0, w: kind === 'pointerdown' ? 1 : 0 }) as const;

test('the birds keep flying and stay in view', async () => {
  let before: unknown;
  await runTicks(createSimulation(), {
    capacity: BIRDS,
    ticks: 20 * SECOND,
    onTick: ({ tick, poses }) => {
      if (tick % SECOND !== 0) return;
      expect(poses.size).toBe(BIRDS);
      expect(poses).not.toEqual(before);
      for (const { x, y, z } of poses.values()) expect(x * x + y * y + z * z).toBeLessThan(12 ** 2);
      before = poses;
    },
  });
});

test('the birds form flocks', async () => {
  const scattered = await agreementAfter(1);
  expect(await agreementAfter(10 * SECOND)).toBeGreaterThan(scattered + 0.3);
});

test('a pressed pointer scares the birds away and sends an event', async () => {
  const fly = async (inputs: readonly InputAtTick[]) => {
    const options = { capacity: BIRDS, ticks: 5 * SECOND, inputs };
    const { poses, eventsOf } = await runTicks(createSimulation(), options);
    const inTheMiddle = [...poses.values()].filter(({ x, y }) => x * x + y * y < 3 ** 2).length;
    return { inTheMiddle, startled: eventsOf('startled') };
  };
  const undisturbed = await fly([]);
  expect(undisturbed.startled).toEqual([]);
  const tick = 3 * SECOND;
  const { inTheMiddle, startled } = await fly([{ tick, ...pointer('pointerdown') }]);
  expect(inTheMiddle).toBeLessThan(undisturbed.inTheMiddle / 2);
  expect(startled).toMatchObject([{ tick, value: { x: 0, y: 0, birds: expect.any(Number) } }]);
});

test('the same seed gives the same run, bit for bit', async () => {
  const first = await hashOfRun(1);
  expect(await hashOfRun(1)).toBe(first);
  expect(await hashOfRun(2)).not.toBe(first);
});

test('a recording replays bit for bit after the simulation has continued', async () => {
  // Like the page, but in this thread. It runs single ticks, and hashes each of them.
  const sim = await connect(() => runLocally(createSimulation()), {
    transport: 'local',
    capacity: BIRDS,
    startPaused: true,
    timeScale: 100,
    recording: { hashEveryTicks: 1 },
  });
  await sim.step(SECOND);
  sim.inputs.push(pointer('pointerdown'), performance.now());
  await sim.step(SECOND);
  const file = encodeRecording(sim.recording());
  // The birds keep flying, and the pointer is still down.
  await sim.step(SECOND);
  const replay = await sim.openReplay(decodeRecording(file));
  await sim.resume();
  const ticks = 2 * SECOND;
  expect(await replay.ended).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
  await sim.dispose();
});

async function hashOfRun(seed: number): Promise<string> {
  const inputs = [
    { tick: SECOND, ...pointer('pointerdown') },
    { tick: 2 * SECOND, ...pointer('pointerup') },
  ];
  const options = { seed, capacity: BIRDS, ticks: 4 * SECOND, inputs };
  return (await runTicks(createSimulation(), options)).hash;
}

/** Average agreement of the courses of nearby birds: 1 for equal courses, 0 for random ones. */
async function agreementAfter(ticks: number): Promise<number> {
  let before: TickState['poses'] = new Map();
  const { poses } = await runTicks(createSimulation(), {
    capacity: BIRDS,
    ticks: ticks + 1,
    onTick: (state) => {
      if (state.tick === ticks) before = state.poses;
    },
  });
  const birds = [...poses].map(([id, position]) => {
    const old = before.get(id) ?? position;
    const course = { x: position.x - old.x, y: position.y - old.y, z: position.z - old.z };
    return { position, course, speed: Math.hypot(course.x, course.y, course.z) };
  });
  const agreements: number[] = [];
  for (const a of birds) {
    for (const b of birds) {
      const { x, y, z } = a.position;
      const distance = Math.hypot(x - b.position.x, y - b.position.y, z - b.position.z);
      if (a === b || distance > 1.8) continue;
      const along = a.course.x * b.course.x + a.course.y * b.course.y + a.course.z * b.course.z;
      agreements.push(along / (a.speed * b.speed));
    }
  }
  return agreements.reduce((sum, value) => sum + value, 0) / agreements.length;
}
