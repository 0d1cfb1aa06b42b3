/** The flock of the template `custom`. The tests in the template are about any simulation. */
import { expect, test } from 'vitest';
import { runTicks, type InputAtTick, type TickState } from '../../src/sim-worker/testing/index.js';
import { createSimulation } from '../../templates/custom/src/simulation.js';

const BIRDS = 120;
/** In ticks. */
const SECOND = 60;

test('the birds keep flying and stay in view', async () => {
  let before: unknown;
  await runTicks(createSimulation(), {
    capacity: BIRDS,
    ticks: 10 * SECOND,
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
  const { inTheMiddle, startled } = await fly([{ tick, kind: 'pointerdown', device: 1, w: 1 }]);
  expect(inTheMiddle).toBeLessThan(undisturbed.inTheMiddle / 2);
  expect(startled).toMatchObject([{ tick, value: { x: 0, y: 0, birds: expect.any(Number) } }]);
});

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
