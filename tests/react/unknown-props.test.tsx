/** Names of props that no component has, and values that nothing else looks at: during development. */
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as react from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const element = (name: string, props: object, children?: ReactNode): ReactNode =>
  createElement((react as unknown as Record<string, string>)[name] as string, props, children);

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation((text: string) => {
    if (text.startsWith('betwixt: ')) warnings.push(text.slice('betwixt: '.length));
  });
});
afterEach(() => vi.restoreAllMocks());

/** What is warned of while something is rendered twice. */
async function warnedOf(
  content: ReactNode,
  props?: Partial<react.PhysicsProps>,
): Promise<readonly string[]> {
  const scene = await runScene(content, props);
  await scene.render(<group>{content}</group>);
  await scene.unmount();
  return [...warnings];
}

const instances = (props: object, row: object = {}): ReactNode =>
  element(
    'InstancedRigidBodies',
    { instances: [{ key: 0, ...row }], ...props },
    <instancedMesh args={[undefined, undefined, 1]}>
      <boxGeometry />
    </instancedMesh>,
  );
const attractor = (props: object): ReactNode => element('Attractor', props);
const meshCollider = (props: object): ReactNode =>
  element('RigidBody', {}, element('MeshCollider', { type: 'ball', ...props }));

describe('a name is warned of once, with the nearest one', () => {
  test.each([
    [
      element('RigidBody', { collider: 'ball' }),
      '<RigidBody> has no prop collider: did you mean colliders?',
    ],
    [
      element('RigidBody', { restituton: 1 }),
      '<RigidBody> has no prop restituton: did you mean restitution?',
    ],
    [
      element('RigidBody', { mysterious: 1 }),
      '<RigidBody> has no prop mysterious: it is set on the object and does nothing else',
    ],
    [
      element('BallCollider', { args: [1], frictoin: 1 }),
      '<BallCollider> has no prop frictoin: did you mean friction?',
    ],
    [
      element('CuboidCollider', { args: [1, 1, 1], castShadow: true }),
      '<CuboidCollider> has no prop castShadow: it does nothing',
    ],
    [
      instances({ instancez: [] }),
      '<InstancedRigidBodies> has no prop instancez: did you mean instances?',
    ],
    [
      instances({}, { linearVelocty: 1 }),
      'instances[0] of <InstancedRigidBodies> has no prop linearVelocty: did you mean linearVelocity?',
    ],
    [attractor({ strenght: 1 }), '<Attractor> has no prop strenght: did you mean strength?'],
    [meshCollider({ typ: 'ball' }), '<MeshCollider> has no prop typ: did you mean type?'],
    [
      element('BallCollider', { args: [1], principalAngularInertia: [1, 1, 1] }),
      'principalAngularInertia of <BallCollider> has no effect: it is never read, as in @react-three/rapier. Use ' +
        'massProperties',
    ],
    [
      element('RigidBody', { transformState: () => {} }),
      'transformState of <RigidBody> has no effect: bodies are drawn between the states of the worker, which no ' +
        'function changes',
    ],
  ])('%#', async (content, warning) => {
    expect(await warnedOf(content)).toEqual([warning]);
  });

  test('of <Physics>', async () => {
    const wrong = { gravty: [0, 0, 0], updateLoop: 'follow' } as Partial<react.PhysicsProps>;
    expect(await warnedOf(null, wrong)).toEqual([
      '<Physics> has no prop gravty: did you mean gravity?',
      expect.stringContaining('<Physics updateLoop="follow"> has no effect: '),
    ]);
  });
});

test('props of the objects of three.js, and of fiber, are known where they are passed on', async () => {
  const ofObject = {
    'position-x': 1,
    'rotation-y': 1,
    'userData-name': 'box',
    name: 'box',
    visible: true,
    castShadow: true,
    receiveShadow: true,
    renderOrder: 1,
    layers: 1,
    dispose: null,
    onClick: () => {},
    onPointerMissed: () => {},
    onUpdate: () => {},
  };
  const content = (
    <>
      {element('RigidBody', { ...ofObject, key: 'body', userData: { a: 1 } })}
      {instances(ofObject, { name: 'one' })}
    </>
  );
  expect(await warnedOf(content)).toEqual([]);
});

test('maps of useRapier that are always empty say so when they are read', async () => {
  const scene = await runScene(null);
  expect([scene.context.rigidBodyStates.size, scene.context.rigidBodyStates.size]).toEqual([0, 0]);
  expect(warnings).toEqual([
    expect.stringContaining('rigidBodyStates of useRapier is always empty'),
  ]);
  await scene.unmount();
});

describe('a value that nothing else looks at is an error', () => {
  test.each([
    [
      element('RigidBody', { onSleep: 5 }),
      'onSleep of <RigidBody> must be a function, but is a value',
    ],
    [
      element('RigidBody', { includeInvisible: 1 }),
      'includeInvisible of <RigidBody> must be a boolean',
    ],
    [
      element('BallCollider', { args: [1], onCollisionEnter: 'f' }),
      'onCollisionEnter of <BallCollider>',
    ],
    [instances({}, { onWake: {} }), 'onWake of instances[0] of <InstancedRigidBodies> must be a'],
  ])('%#', async (content, message) => {
    await expect(runScene(content)).rejects.toThrow(message);
  });

  test.each([
    [{ paused: 'no' }, 'paused of <Physics> must be a boolean, but is a value of type string'],
    [{ updatePriority: Number.NaN }, 'updatePriority of <Physics> must be a number, but is NaN'],
    [{ onReady: 5 }, 'onReady of <Physics> must be a function'],
  ])('%j', async (props, message) => {
    await expect(runScene(null, props as never)).rejects.toThrow(message);
  });
});
