/** Nothing is left of several `<Physics>` that were unmounted, in whatever order that was. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StrictMode, act, useRef, type JSX } from 'react';
import { create } from '@react-three/test-renderer';
import { expect, test } from 'vitest';
import {
  Attractor,
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  Physics,
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useRopeJoint,
  type RapierRigidBody,
} from '../../src/react/index.js';
import type { WorldHandle } from '../../src/world/page/index.js';
import { eventually } from '../fixtures/eventually.js';
import { setActing } from './run-scene.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Objects that must be collected, by their names. */
class Watched {
  readonly #refs: { readonly name: string; readonly ref: WeakRef<object> }[] = [];

  add(name: string, object: object | null | undefined): void {
    if (!object || this.#refs.some(({ ref }) => ref.deref() === object)) return;
    this.#refs.push({ name, ref: new WeakRef(object) });
  }

  get count(): number {
    return this.#refs.length;
  }

  /** Names of what is still there. */
  get left(): string[] {
    return this.#refs.filter(({ ref }) => ref.deref() !== undefined).map(({ name }) => name);
  }
}

/** Keeps this process alive, or would wake it: timers, ports and threads. */
async function resources(): Promise<string[]> {
  // By then, those of the waiting itself are there.
  await new Promise((resolve) => void setImmediate(resolve));
  return process.getActiveResourcesInfo().filter((name) => /Timeout|Port|Worker/.test(name));
}

/** Something of everything. */
const Contents = ({ name, watched }: { name: string; watched: Watched }): JSX.Element => {
  const anchor = useRef<RapierRigidBody>(null);
  const bob = useRef<RapierRigidBody>(null);
  const joint = useRopeJoint(anchor, bob, [[0, 0, 0], [0, 0, 0], 2]);
  useBeforePhysicsStep((world) => {
    watched.add(`${name} world`, world);
    watched.add(`${name} joint`, joint.current);
  });
  useAfterPhysicsStep(() => watched.add(`${name} body`, bob.current));
  return (
    <>
      <RigidBody ref={anchor} type="fixed" position={[0, 5, 0]} />
      <RigidBody ref={bob} position={[0, 3, 0]} onSleep={() => {}} onCollisionEnter={() => {}}>
        <mesh ref={(mesh) => watched.add(`${name} mesh`, mesh)}>
          <boxGeometry ref={(geometry) => watched.add(`${name} geometry`, geometry)} />
        </mesh>
        <Attractor strength={0.001} />
      </RigidBody>
      <CuboidCollider
        sensor
        args={[5, 1, 5]}
        onIntersectionEnter={() => {}}
        ref={(collider) => watched.add(`${name} collider`, collider)}
      />
      <InstancedRigidBodies
        instances={[{ key: 'a' }, { key: 'b' }]}
        colliders={false}
        colliderNodes={[<BallCollider key="ball" args={[1]} />]}
        ref={(rows) => {
          for (const row of rows ?? []) watched.add(`${name} instance`, row);
        }}
      >
        <instancedMesh args={[undefined, undefined, 2]} />
      </InstancedRigidBodies>
    </>
  );
};

interface Plan {
  readonly isStrict: boolean;
  /** Worlds in the order in which they are unmounted: those of a list at the same time. */
  readonly order: readonly (readonly number[])[];
}

/**
 * Mounts worlds at once, has each run, and unmounts them in that order.
 *
 * @returns Unmounts the canvas.
 */
async function run({ isStrict, order }: Plan, watched: Watched): Promise<() => Promise<void>> {
  setActing(true);
  const count = order.flat().length;
  const running = new Map<WorldHandle, number>();
  const gone = new Set<number>();
  const scene = (): JSX.Element => {
    const worlds = Array.from(
      { length: count },
      (_, world) =>
        !gone.has(world) && (
          <Physics
            key={world}
            transport="local"
            capacity={64}
            debug={world === 0}
            onSettled={() => {}}
            onReady={(_world, handle) => {
              watched.add(`handle ${world}`, handle);
              running.set(handle, handle.stats().tick);
              handle.on('status', ({ kind }) => kind === 'disposed' && running.delete(handle));
            }}
          >
            <Contents name={`${world}`} watched={watched} />
          </Physics>
        ),
    );
    return isStrict ? <StrictMode>{worlds}</StrictMode> : <>{worlds}</>;
  };
  const renderer = await create(scene());
  const until = (holds: () => boolean): Promise<void> =>
    act(() =>
      eventually(async () => {
        await renderer.advanceFrames(1, 1 / 60);
        expect(holds()).toBe(true);
      }),
    );
  await until(() => running.size === count);
  await until(() => [...running].every(([handle, tick]) => handle.stats().tick > tick + 1));
  for (const worlds of order) {
    for (const world of worlds) gone.add(world);
    await renderer.update(scene());
  }
  // A worker that has ended is in no list of the test.
  await until(() => running.size === 0);
  // React keeps what a commit has removed until there was another one.
  for (let commit = 0; commit < 2; commit++) await renderer.update(scene());
  return () => renderer.unmount();
}

test.each<Plan>([
  { isStrict: false, order: [[1], [0]] },
  { isStrict: true, order: [[2], [0], [1]] },
  { isStrict: false, order: [[0], [2, 1]] },
])('nothing is left of worlds that are unmounted as in %j', async (plan) => {
  const before = await eventually(resources);
  const watched = new Watched();
  const end = await run(plan, watched);
  // World, handle, joint, body, mesh, geometry, collider and two instances of each.
  expect(watched.count).toBeGreaterThanOrEqual(9 * plan.order.flat().length);
  await eventually(() => {
    collect();
    expect(watched.left).toEqual([]);
  });
  await end();
  // Fewer than one of each world.
  await eventually(async () => {
    expect((await resources()).length - before.length).toBeLessThan(2);
  });
});
