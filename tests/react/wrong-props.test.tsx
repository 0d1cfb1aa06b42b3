/** What is used wrongly says what is wrong: the error names the component and the prop, and an error boundary gets it. */
import { Component, createRef, useRef, type ReactNode } from 'react';
import type { Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as react from '../../src/render-main/react/index.js';
import { ProbeDesc, VehicleDesc, type JointData } from '../../src/render-main/world/index.js';
import { runScene, type RunningScene } from './run-scene.js';

/** As applications without types see them. */
const untyped = react as unknown as Record<string, (props: object) => ReactNode>;
const hooks = react as unknown as Record<string, (...args: unknown[]) => unknown>;

class Boundary extends Component<{
  readonly children: ReactNode;
  readonly errors: Error[];
}> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: Error): void {
    this.props.errors.push(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}

const uncaught: Error[] = [];
const onUncaught = (error: Error): void => void uncaught.push(error);

beforeEach(() => {
  // React shows there what a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  uncaught.length = 0;
  process.on('uncaughtException', onUncaught);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.off('uncaughtException', onUncaught);
  expect(uncaught).toEqual([]);
});

/** What the boundary around some content in `<Physics>` catches, which is one error. */
async function caughtOf(
  content: ReactNode,
  act?: (scene: RunningScene) => Promise<void>,
): Promise<Error> {
  const errors: Error[] = [];
  const scene = await runScene(<Boundary errors={errors}>{content}</Boundary>);
  await act?.(scene);
  // What is done after the commit has been done.
  await scene.ticks(1);
  expect(scene.world.bodies.len()).toBe(0);
  await scene.unmount();
  expect(errors.map(({ message }) => message)).toHaveLength(1);
  return errors[0] as Error;
}

const element = (name: string, props: object, children?: ReactNode): ReactNode => {
  const Tag = untyped[name] as (props: object) => ReactNode;
  return <Tag {...props}>{children}</Tag>;
};
const box = (
  <mesh name="box">
    <boxGeometry />
  </mesh>
);

describe('a prop of <RigidBody>', () => {
  test.each([
    ['linearDamping', Number.NaN, 'must be finite'],
    ['angularDamping', -1, 'must not be negative'],
    ['gravityScale', '1', 'must be a number'],
    ['dominanceGroup', 128, 'must be a whole number from -127 to 127'],
    ['softCcdPrediction', {}, 'must be a number'],
    ['additionalSolverIterations', 0.5, 'must be a whole number'],
    ['linearVelocity', 5, 'must be an array'],
    ['angularVelocity', [0, Number.NaN, 0], 'angvel.y must be finite'],
    ['ccd', 1, 'must be true or false'],
    ['lockRotations', 'yes', 'must be true or false'],
    ['enabledTranslations', true, 'must be an array'],
    ['position', [0, Number.NaN, 0], 'must be finite'],
    ['rotation', [0, Number.NaN, 0], 'must be finite'],
    ['quaternion', [0, 0, 0, Number.NaN], 'must be finite'],
    ['scale', [1, Number.NaN, 1], 'y must be finite'],
    ['friction', -1, 'must not be negative'],
    ['collisionGroups', Number.NaN, 'must be a whole number'],
    ['frictionCombineRule', 'max', 'must be a number'],
    ['massProperties', { mass: 1 }, 'centerOfMass must be an object'],
    ['colliders', 'box', 'must be one of ball, cuboid, hull, trimesh, but is "box"'],
  ])('%s: %j', async (prop, value, message) => {
    const body = element('RigidBody', { [prop]: value }, box);
    const where = prop === 'quaternion' ? 'rotation' : prop;
    const { message: text } = await caughtOf(body);
    expect(text).toContain(`${where} of <RigidBody>: `);
    expect(text).toContain(message);
  });

  test.each([
    ['type', 'kinematic', 'must be one of fixed, dynamic'],
    ['canSleep', 'no', 'must be true or false'],
  ])('%s, which says how it is made', async (prop, value, message) => {
    const { message: text } = await caughtOf(element('RigidBody', { [prop]: value }));
    expect(text).toContain(`<RigidBody>: ${prop} ${message}`);
  });

  test('names the type of the error, and has the cause', async () => {
    const error = await caughtOf(element('RigidBody', { linearDamping: -1 }));
    expect(error).toBeInstanceOf(RangeError);
    expect((error.cause as Error).message).toBe('factor must not be negative, but is -1');
  });
});

describe('a prop of a collider', () => {
  test.each([
    ['BallCollider', { args: [-1] }, 'args of <BallCollider>: radius must be greater than 0'],
    ['BallCollider', { args: 1 }, 'args of <BallCollider>: it must be an array'],
    ['BallCollider', {}, 'args of <BallCollider>: [0] must be a number, but is undefined'],
    ['CuboidCollider', { args: [1, '1', 1] }, 'args of <CuboidCollider>: [1] must be a number'],
    ['CuboidCollider', { args: [1, 1, 1], scale: Number.NaN }, 'args of <CuboidCollider>: scale.x'],
    ['TrimeshCollider', { args: [] }, 'args of <TrimeshCollider>: [0] must be a list of numbers'],
    ['ConvexHullCollider', { args: [[1, 2]] }, 'args of <ConvexHullCollider>: vertices must have'],
    ['HeightfieldCollider', { args: [1, 1, [0]] }, 'args of <HeightfieldCollider>: [3] must be'],
    ['AnyCollider', { shape: 'box', args: [] }, 'args of <AnyCollider>: shape must be one of'],
    ['BallCollider', { args: [1], sensor: 1 }, 'sensor of <BallCollider>: '],
    ['BallCollider', { args: [1], position: [Number.NaN, 0, 0] }, 'position of <BallCollider>: '],
    ['BallCollider', { args: [1], mass: -1 }, 'mass of <BallCollider>: mass must not be negative'],
  ])('%s %j', async (name, props, message) => {
    expect((await caughtOf(element(name, props))).message).toContain(message);
    // In a body, too.
    const { message: inBody } = await caughtOf(element('RigidBody', {}, element(name, props)));
    expect(inBody).toContain(message);
  });

  test('that the body has is one of the body', async () => {
    const ball = element('BallCollider', { args: [1] });
    const { message } = await caughtOf(element('RigidBody', { density: -1 }, ball));
    expect(message).toBe('density of <RigidBody>: density must not be negative, but is -1');
  });

  test('of a <MeshCollider>', async () => {
    const meshCollider = element('MeshCollider', { type: 'box' }, box);
    const { message } = await caughtOf(element('RigidBody', {}, meshCollider));
    expect(message).toContain('type of <MeshCollider>: the mesh "box": shape must be one of');
  });
});

const instancesWith = (props: object): ReactNode =>
  element(
    'InstancedRigidBodies',
    { instances: [{ key: 0 }, { key: 1 }], ...props },
    <instancedMesh args={[undefined, undefined, 2]}>
      <boxGeometry />
    </instancedMesh>,
  );
const rowsWith = (row: object): ReactNode =>
  instancesWith({ instances: [{ key: 0 }, { key: 1, ...row }] });

describe('a prop of instances', () => {
  const row = 'instances[1] of <InstancedRigidBodies>';
  const ball = <react.BallCollider key="ball" args={[Number.NaN]} />;

  test.each([
    [rowsWith({ linearDamping: -1 }), `linearDamping of ${row}: factor must not be negative`],
    [rowsWith({ position: [0, Number.NaN, 0] }), `position of ${row}: translation.x must be`],
    [rowsWith({ scale: Number.NaN }), `scale of ${row}: scale.x must be finite`],
    [rowsWith({ friction: 'x' }), `friction of ${row}: `],
    [rowsWith({ type: 'x' }), `${row}: type must be one of`],
    [instancesWith({ gravityScale: 'x' }), 'gravityScale of <InstancedRigidBodies>: '],
    [
      instancesWith({ instances: undefined }),
      'instances of <InstancedRigidBodies> must be an array',
    ],
    [instancesWith({ instances: [{ key: 0 }, null] }), `${row} must be an object of props`],
    [instancesWith({ colliderNodes: ball }), 'colliderNodes of <InstancedRigidBodies> must be an'],
    [instancesWith({ colliderNodes: [ball] }), 'args of <BallCollider> in colliderNodes of <Insta'],
  ])('case %#', async (content, message) => {
    expect((await caughtOf(content)).message).toContain(message);
  });
});

describe('a prop of <Physics>', () => {
  test.each([
    [{ gravity: [0, Number.NaN, 0] }, '<Physics>: gravity.y must be finite'],
    [{ gravity: 9.81 }, '<Physics>: gravity must be an array'],
    [{ timeStep: 0 }, 'timeStep of <Physics> must be a number from 0.001 to 1, but is 0'],
    [{ timeStep: '1/60' }, 'timeStep of <Physics> must be a number'],
    [{ snapOver: -1 }, '<Physics>: snapOver must be'],
    [{ capacity: 0 }, '<Physics>: capacity must be a whole number'],
    [{ seed: 0.5 }, '<Physics>: seed must be a whole number'],
    [{ transport: 'main' }, '<Physics>: transport must be one of'],
    [{ recovery: 'reload' }, '<Physics>: recovery.mode must be one of'],
    [{ worker: 5 }, 'worker of <Physics> must be a function'],
    [{ events: 'later' }, 'events of <Physics> must be one of shown, now, but is "later"'],
    [{ numSolverIterations: 0 }, 'numSolverIterations of <Physics>: '],
    [{ allowedLinearError: -1 }, 'allowedLinearError of <Physics>: '],
    [{ contactNaturalFrequency: 0 }, 'contactNaturalFrequency of <Physics>: '],
    [{ colliders: 'box' }, 'colliders of <RigidBody>: '],
  ])('%j', async (props, message) => {
    const wrong = props as Partial<react.PhysicsProps>;
    await expect(runScene(<react.RigidBody>{box}</react.RigidBody>, wrong)).rejects.toThrow(
      message,
    );
  });

  test('that becomes wrong later', async () => {
    const errors: Error[] = [];
    const scene = await runScene(null);
    await expect(scene.render(null, { timeStep: -1 })).rejects.toThrow('timeStep of <Physics>');
    expect(errors).toEqual([]);
  });
});

/** A component with a body of each kind and the hook; `one`, `two` and `none` in the arguments are refs. */
const withHook = (hook: string, ...args: unknown[]): ReactNode => {
  const Joined = (): ReactNode => {
    const refs: Record<string, unknown> = {
      one: useRef(null),
      two: useRef(null),
      mesh: useRef<Object3D>(null),
    };
    hooks[hook]?.(...args.map((arg) => refs[arg as string] ?? arg));
    return (
      <>
        {element('RigidBody', { ref: refs['one'], type: 'kinematicPosition' })}
        {element('RigidBody', { ref: refs['two'] })}
        <object3D ref={refs['mesh'] as never} />
      </>
    );
  };
  return <Joined />;
};

describe('an argument of a hook', () => {
  const zero = [0, 0, 0];
  const ray = ProbeDesc.ray({ x: 0, y: 0, z: 0 }, { x: 0, y: -1, z: 0 }, 1);
  test.each([
    ['useSphericalJoint', ['one', 'two', [[Number.NaN, 0, 0], zero]], 'anchor1.x must be finite'],
    ['useSphericalJoint', ['one', 'two', [zero]], 'anchor2 must be an object'],
    ['useSphericalJoint', ['one', undefined, [zero, zero]], 'it needs a ref of a <RigidBody>'],
    ['useSphericalJoint', ['one', 'mesh', [zero, zero]], 'it needs a ref of a <RigidBody>'],
    ['useRevoluteJoint', ['one', 'two', [zero, zero, zero]], 'axis must be a direction'],
    [
      'useRevoluteJoint',
      ['one', 'two', [zero, zero, [1, 0, 0], [2, 1]]],
      'min must be at most max',
    ],
    ['usePrismaticJoint', ['one', 'two', [zero, zero, 'x']], 'axis must be an object'],
    ['useRopeJoint', ['one', 'two', [zero, zero, -1]], 'length must not be negative'],
    ['useSpringJoint', ['one', 'two', [zero, zero, 1, '1', 1]], 'stiffness must be a number'],
    ['useFixedJoint', ['one', 'two', [zero, [0, 0, 0, 0], zero, [0, 0, 0, 1]]], 'frame1 must be'],
    ['useImpulseJoint', ['one', 'two', {}], 'data must be a JointData'],
    ['useProbe', [undefined], 'desc must be a ProbeDesc'],
    ['useProbe', [ray, 'mesh'], 'it needs a ref of a <RigidBody>'],
    ['useCharacter', [undefined], 'it needs a ref of a <RigidBody>'],
    ['useCharacter', ['one', {}], 'desc must be a CharacterDesc'],
    ['useVehicle', ['two', {}], 'desc must be a VehicleDesc'],
    ['useVehicle', ['one', new VehicleDesc()], 'cannot be a vehicle'],
    ['useSystem', ['wind'], 'the worker script has no system "wind"'],
  ])('%s %#', async (hook, args, message) => {
    const { message: text } = await caughtOf(withHook(hook, ...args));
    expect(text).toContain(`${hook}: `);
    expect(text).toContain(message);
  });

  test.each([
    ['useSphericalJoint', ['one', 'two'], 'the params of useSphericalJoint must be an array'],
    ['useBeforePhysicsStep', [5], 'useBeforePhysicsStep needs a function'],
    ['useAfterPhysicsStep', [], 'useAfterPhysicsStep needs a function, but is given undefined'],
  ])('%s with %j', async (hook, args, message) => {
    expect((await caughtOf(withHook(hook, ...args))).message).toContain(message);
  });

  test('a prop of <Attractor>', async () => {
    const { message } = await caughtOf(element('Attractor', { strength: Number.NaN }));
    expect(message).toContain('<Attractor>: strength must be a number');
  });
});

describe('what is made after its commit', () => {
  test('a joint whose second body comes later', async () => {
    const [one, two] = [createRef<react.RapierRigidBody>(), createRef<react.RapierRigidBody>()];
    const Joint = (): null => {
      react.useImpulseJoint(one, two, {} as JointData);
      return null;
    };
    const errors: Error[] = [];
    const sceneOf = (isThere: boolean): ReactNode => (
      <>
        <react.RigidBody ref={one} />
        {isThere && <react.RigidBody ref={two} />}
        <Boundary errors={errors}>
          <Joint />
        </Boundary>
      </>
    );
    const scene = await runScene(sceneOf(false));
    expect(errors).toEqual([]);
    await scene.render(sceneOf(true));
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('useImpulseJoint: data must be a JointData'),
    ]);
    await scene.unmount();
  });

  test('a collider of a mesh that comes later', async () => {
    const { Mesh, SphereGeometry } = await import('three');
    const { message } = await caughtOf(
      element('RigidBody', { name: 'body', colliders: 'hull' }),
      async (scene) => {
        const flat = new Mesh(new SphereGeometry(1).scale(1, 0, 1));
        flat.name = 'flat';
        scene.object('body').add(flat);
        await scene.frame();
      },
    );
    expect(message).toContain('colliders of <RigidBody>: the mesh "flat": ');
  });
});
