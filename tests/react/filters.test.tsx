/** What filter hooks are for elsewhere: systems that filter contacts, in the worker. */
import { createRef, useEffect, type JSX } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CuboidCollider,
  RigidBody,
  useFilterContactPair,
  useFilterIntersectionPair,
  useSystem,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { ActiveHooks, SolverFlags } from '../../src/render-main/world/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import {
  createWorldSimulation,
  defineSystem,
  type FilteredPair,
} from '../../src/sim-worker/world/index.js';
import { runScene } from './run-scene.js';

/** What filters were asked: here, the worker is this thread. */
const pairs: FilteredPair[] = [];

const contacts = defineSystem(() => ({
  filterContact(pair, { answer }: { answer: number | null | 'none' }) {
    pairs.push(pair);
    return answer === 'none' ? undefined : answer;
  },
}));

const intersections = defineSystem(() => ({
  filterIntersection(pair, { answer }: { answer: boolean }) {
    pairs.push(pair);
    return answer;
  },
}));

const worker = () => runLocally(createWorldSimulation({ contacts, intersections }));

const Filter = ({ name, props }: { readonly name: string; readonly props: object }): null => {
  useSystem(name, props as never);
  return null;
};

const upper = createRef<RapierRigidBody>();
const lower = createRef<RapierCollider>();
const onCollisionEnter = vi.fn();
const onIntersectionEnter = vi.fn();

/** A box that falls onto another one, which has hooks. */
const Boxes = ({ isSensor = false }: { readonly isSensor?: boolean }): JSX.Element => {
  useEffect(() => {
    lower.current?.setActiveHooks(
      isSensor ? ActiveHooks.FILTER_INTERSECTION_PAIRS : ActiveHooks.FILTER_CONTACT_PAIRS,
    );
  }, [isSensor]);
  return (
    <>
      <RigidBody
        type="fixed"
        onCollisionEnter={onCollisionEnter}
        onIntersectionEnter={onIntersectionEnter}
      >
        <CuboidCollider ref={lower} args={[1, 1, 1]} sensor={isSensor} />
      </RigidBody>
      <RigidBody ref={upper} position={[0, 2.1, 0]} linearVelocity={[0, -5, 0]}>
        <CuboidCollider args={[1, 1, 1]} />
      </RigidBody>
    </>
  );
};

beforeEach(() => {
  pairs.length = 0;
  vi.clearAllMocks();
});

async function runBoxes(filter: JSX.Element, isSensor = false): Promise<number> {
  const scene = await runScene(
    <>
      {filter}
      <Boxes isSensor={isSensor} />
    </>,
    { worker, events: 'now' },
  );
  const handles = [lower, upper].map(({ current }) => current?.handle);
  await scene.ticks(30);
  for (const pair of pairs) {
    expect(Object.values(pair).every((handle) => Number.isInteger(handle))).toBe(true);
    expect([pair.collider1, pair.collider2]).toContain(handles[0]);
    expect([pair.body1, pair.body2]).toContain(handles[1]);
  }
  const height = upper.current?.translation().y ?? Number.NaN;
  await scene.unmount();
  return height;
}

describe('a filter of contacts', () => {
  test('is asked of the pairs of a collider with hooks, by the handles of the page', async () => {
    await runBoxes(<Filter name="contacts" props={{ answer: 'none' }} />);
    expect(pairs.length).toBeGreaterThan(0);
  });

  test('that has no answer leaves the two to touch', async () => {
    expect(await runBoxes(<Filter name="contacts" props={{ answer: 'none' }} />)).toBeGreaterThan(
      1.9,
    );
    expect(onCollisionEnter).toHaveBeenCalledTimes(1);
  });

  test('may let them touch', async () => {
    const answer = SolverFlags.COMPUTE_IMPULSE;
    expect(await runBoxes(<Filter name="contacts" props={{ answer }} />)).toBeGreaterThan(1.9);
    expect(onCollisionEnter).toHaveBeenCalledTimes(1);
  });

  test('may let them pass', async () => {
    const answer = SolverFlags.EMPTY;
    expect(await runBoxes(<Filter name="contacts" props={{ answer }} />)).toBeLessThan(1);
  });
});

test.each([
  [true, 1],
  [false, 0],
])('a filter of intersections that says %s', async (answer, count) => {
  await runBoxes(<Filter name="intersections" props={{ answer }} />, true);
  expect(pairs.length).toBeGreaterThan(0);
  expect(onIntersectionEnter).toHaveBeenCalledTimes(count);
});

const Contacts = (): null => {
  useFilterContactPair(() => null);
  return null;
};

const Intersections = (): null => {
  useFilterIntersectionPair(() => true);
  return null;
};

test('hooks that filter on the page say what to write instead', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(runScene(<Contacts />)).rejects.toThrow(/system with filterContact/);
  await expect(runScene(<Intersections />)).rejects.toThrow(/system with filterIntersection/);
  errors.mockRestore();
});
