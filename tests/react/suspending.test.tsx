/** `<Physics>` waits for the page's engine as React waits, and begins to load in its first render. */
import { Suspense, act, useEffect, type JSX } from 'react';
import { create } from '@react-three/test-renderer';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { World } from '../../src/world/page/index.js';
import { setActing } from './run-scene.js';

type Module = typeof import('../../src/react/index.js');

let react: Module;

beforeEach(async () => {
  setActing(true);
  // Without an engine that another test has loaded.
  vi.resetModules();
  react = await import('../../src/react/index.js');
});
/** Shows a body in `<Physics>`. @returns What happened, in order, and what `useRapier` returned. */
async function show(props: Partial<Parameters<Module['Physics']>[0]>, events: string[] = []) {
  const { Physics, RigidBody, useRapier } = react;
  const shown: { world?: ReturnType<Module['useRapier']>['world'] } = {};
  const Waiting = (): null => {
    useEffect(() => void events.push('waiting'));
    return null;
  };
  const Scene = (): JSX.Element => {
    const { world } = useRapier();
    shown.world = world;
    useEffect(() => void events.push('shown'), []);
    return <RigidBody />;
  };
  const renderer = await create(
    <Suspense fallback={<Waiting />}>
      <Physics transport="local" paused capacity={64} {...props}>
        <Scene />
        <RigidBody>
          <react.BallCollider args={[0.5]} mass={3} />
        </RigidBody>
      </Physics>
    </Suspense>,
  );
  onTestFinished(() => act(() => renderer.unmount()));
  return { events, shown };
}

const massesIn = (world: World | undefined): number[] =>
  (world?.bodies.getAll() ?? []).map((body) => body.mass());

test('the scene is suspended until the page has its engine', async () => {
  const errors = vi.spyOn(console, 'error');
  const { events, shown } = await show({});
  expect(events).toEqual(['waiting', 'shown']);
  expect(massesIn(shown.world)).toEqual([0, 3]);
  // React reports a component that suspends in one render and not in the next.
  await act(() => shown.world?.ready);
  expect(errors).not.toHaveBeenCalled();
});

test('with queries={false} the scene shows at once, and a question names the option', async () => {
  const { events, shown } = await show({ queries: false });
  expect(events).toEqual(['shown']);
  expect(() => massesIn(shown.world)).toThrow(/queries: true/);
});

test('the worker begins to load in the first render, once, and the world takes it', async () => {
  const events: string[] = [];
  class StartedWorker extends EventTarget {
    constructor(address: URL) {
      super();
      events.push(address.pathname.split('/').at(-1) ?? '');
    }
    postMessage(): void {}
    terminate(): void {
      events.push('ended');
    }
  }
  vi.stubGlobal('Worker', StartedWorker);
  await show({ transport: 'transfer', onFailure: () => {} }, events);
  expect(events).toEqual(['world.worker.js', 'waiting', 'shown']);
});
