/** What `<Physics>` does: steps, callbacks of steps, errors, saved states. */
import { useFrame } from '@react-three/fiber';
import { create } from '@react-three/test-renderer';
import { act, createRef, type JSX } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AnyCollider,
  CuboidCollider,
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useRapier,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { eventually } from '../fixtures/eventually.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import * as ours from '../../src/render-main/react/index.js';

const thrown = ({ RigidBody: Body }: Library): JSX.Element => (
  <Body linearVelocity={[20, 20, 20]}>
    <mesh>
      <boxGeometry />
    </mesh>
  </Body>
);

test('step() advances a paused world by that many ticks, as on the peer', async () => {
  const scene = await runScene(thrown(ours));
  const peer = await runOnPeer(thrown(peerLibrary));
  const places = (): (readonly number[])[] =>
    [scene.world, peer.world].map((world) => {
      const { x, y, z } = world.bodies.getAll()[0]?.translation() ?? { x: 0, y: 0, z: 0 };
      return [x, y, z].map((value) => Math.round(value * 1e4) / 1e4);
    });
  for (let tick = 0; tick < 3; tick++) {
    await act(() => scene.context.step(1 / 60));
    await scene.frame();
    await peer.ticks(1);
    const [mine, theirs] = places();
    expect(mine).toEqual(theirs);
  }
  const before = places();
  await scene.frame();
  expect(places()).toEqual(before);
  await act(() => scene.context.step(0.5));
  expect(scene.simulation.stats().tick).toBe(33);
  await scene.unmount();
  await peer.unmount();
});

describe('callbacks of steps', () => {
  const calls: string[] = [];
  const Callbacks = ({ name = '' }: { readonly name?: string }): null => {
    useAfterPhysicsStep(() => calls.push(`after${name}`));
    useBeforePhysicsStep(() => calls.push(`before${name}`));
    useFrame(() => {
      calls.push(`frame${name}`);
    });
    return null;
  };
  beforeEach(() => {
    calls.length = 0;
  });

  test('are called once for each tick, before those of the frame', async () => {
    const scene = await runScene(<Callbacks />);
    await scene.frame();
    expect(calls).toEqual(['frame']);
    calls.length = 0;
    await scene.ticks(2);
    expect(calls).toEqual(['before', 'after', 'frame', 'before', 'after', 'frame']);
    calls.length = 0;
    await act(() => scene.context.step(3 / 60));
    await scene.frame();
    expect(calls).toEqual(['before', 'after', 'before', 'after', 'before', 'after', 'frame']);
    await scene.unmount();
  });

  test('of several components are called in the order of their effects, until they are unmounted', async () => {
    const scene = await runScene(
      <>
        <Callbacks key="1" name="1" />
        <Callbacks key="2" name="2" />
      </>,
    );
    await scene.ticks(1);
    expect(calls.slice(0, 4)).toEqual(['before1', 'before2', 'after1', 'after2']);
    await scene.render(<Callbacks key="2" name="2" />);
    calls.length = 0;
    await scene.ticks(1);
    expect(calls).toEqual(['before2', 'after2', 'frame2']);
    await scene.unmount();
  });

  test('are called at most 30 times in a frame', async () => {
    const scene = await runScene(<Callbacks />);
    await act(() => scene.simulation.step(120));
    await scene.frame();
    expect(calls.filter((call) => call === 'before')).toHaveLength(30);
    await scene.unmount();
  });

  test('are not called for a jump back, and again for what comes after it', async () => {
    const scene = await runScene(
      <>
        <RigidBody />
        <Callbacks />
      </>,
    );
    await scene.ticks(5);
    const saved = await act(() => scene.simulation.save());
    await scene.ticks(5);
    calls.length = 0;
    await act(() => scene.context.setWorld(saved));
    await scene.frame();
    expect(calls).toEqual(['frame']);
    await scene.ticks(1);
    expect(calls).toEqual(['frame', 'before', 'after', 'frame']);
    await scene.unmount();
  });

  test('are given the world, and what they write takes effect', async () => {
    const ref = createRef<RapierRigidBody>();
    const Lift = (): null => {
      useBeforePhysicsStep((world) => {
        world.getRigidBody(ref.current?.handle ?? 0)?.setLinvel({ x: 0, y: 1, z: 0 }, true);
      });
      return null;
    };
    const scene = await runScene(
      <>
        <RigidBody ref={ref} gravityScale={0} />
        <Lift />
      </>,
    );
    await scene.ticks(3);
    expect(ref.current?.linvel().y).toBe(1);
    expect(ref.current?.translation().y).toBeGreaterThan(0);
    await scene.unmount();
  });

  test('find the last function that was rendered', async () => {
    const Says = ({ what }: { readonly what: string }): null => {
      useBeforePhysicsStep(() => calls.push(what));
      return null;
    };
    const scene = await runScene(<Says what="one" />);
    await scene.ticks(1);
    await scene.render(<Says what="two" />);
    await scene.ticks(1);
    expect(calls).toEqual(['one', 'two']);
    await scene.unmount();
  });
});

test('the simulation runs whether frames are drawn or not', async () => {
  const scene = await runScene(<RigidBody />, { paused: false });
  const before = scene.simulation.stats().tick;
  await act(() =>
    eventually(() => expect(scene.simulation.stats().tick).toBeGreaterThan(before + 2)),
  );
  await scene.unmount();
});

const Reader = (): null => {
  useRapier();
  return null;
};

describe('outside of <Physics>', () => {
  const errors = vi.spyOn(console, 'error');
  beforeEach(() => {
    errors.mockImplementation(() => {});
  });
  afterEach(() => {
    errors.mockReset();
  });
  test.each([
    ['useRapier', <Reader key="1" />],
    ['<RigidBody>', <RigidBody key="2" linearVelocity={[20, 20, 20]} />],
    ['a collider', <AnyCollider key="3" restitution={2} />],
  ])('%s says what to do', async (name, element) => {
    await expect(create(element)).rejects.toThrow(`${name} was used outside of <Physics>`);
  });
});

test('a saved state brings back where bodies were, and they continue as they did', async () => {
  const contents = [0, 2, -2].map((at) => (
    <RigidBody key={at} name={`body ${at}`} position={[at, at, at]} colliders={false}>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  ));
  const scene = await runScene(contents);
  await scene.ticks(20);
  const saved = await act(() => scene.simulation.save());
  const places = (): unknown[] =>
    scene.world.bodies.getAll().map((body) => [body.translation(), body.rotation()]);
  await scene.ticks(1);
  const before = places();
  await scene.ticks(20);
  expect(places()).not.toEqual(before);
  await act(() => scene.context.setWorld(saved));
  await scene.ticks(1);
  expect(places()).toEqual(before);
  expect(scene.object('body 2').position.y).toBeLessThan(2);
  await scene.unmount();
});
