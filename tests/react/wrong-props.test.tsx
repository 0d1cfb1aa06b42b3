/** Errors of wrong uses name the component and the prop, and an error boundary gets them. */
import { createElement, createRef, useRef, type ReactElement, type ReactNode } from 'react';
import { Mesh, SphereGeometry, Vector3, type Object3D } from 'three';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as react from '../../src/react/index.js';
import { VehicleDesc } from '../../src/world/page/index.js';
import { Boundary } from './boundary.js';
import { errorOf, runScene } from './run-scene.js';

/** A component, as applications without types use it. */
const element = (name: string, props: object, children?: ReactNode): ReactNode =>
  createElement((react as unknown as Record<string, string>)[name] as string, props, children);
const hooks = react as unknown as Record<string, (...args: unknown[]) => unknown>;

const warnings: string[] = [];
const uncaught: Error[] = [];
const onUncaught = (error: Error): void => void uncaught.push(error);

beforeEach(() => {
  warnings.length = 0;
  uncaught.length = 0;
  // React shows there what a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation((text: string) => {
    warnings.push(text.replace('betwixt: ', ''));
  });
  process.on('uncaughtException', onUncaught);
});
afterEach(() => {
  process.off('uncaughtException', onUncaught);
  expect(uncaught).toEqual([]);
});

/** @param rows What each content is an error of, exactly one: a boundary of its own catches it. */
async function expectMessages(rows: readonly (readonly [string, ReactNode])[]): Promise<void> {
  const errors = rows.map((): Error[] => []);
  const scene = await runScene(
    rows.map(([, content], index) => (
      <Boundary key={index} errors={errors[index] as Error[]}>
        {content}
      </Boundary>
    )),
  );
  // By then, the work after the commit is done.
  await scene.ticks(1);
  expect(scene.world.bodies.len()).toBe(0);
  expect(errors.map((caught) => caught.map(({ message }) => message))).toEqual(
    rows.map(([message]) => [expect.stringContaining(message)]),
  );
}

const box = (
  <mesh name="box">
    <boxGeometry />
  </mesh>
);
const body = (props: object, children: ReactNode = box): ReactNode =>
  element('RigidBody', props, children);
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

test('the key of a body is not read: React would report that as an error', async () => {
  const made = element('RigidBody', { colliders: false }) as ReactElement<object>;
  const reads = vi.fn();
  const props = Object.defineProperty({ ...made.props }, 'key', { get: reads });
  const keyed = Object.create(made, { props: { value: props } }) as ReactElement;
  const { world } = await runScene(keyed);
  expect(world.bodies.len()).toBe(1);
  expect(reads).not.toHaveBeenCalled();
});

const ROW = 'instances[1] of <InstancedRigidBodies>';
const NAN = Number.NaN;
const wrongBall = <react.BallCollider key="ball" args={[NAN]} />;

// The world checks values: here is one wrong value for each way in which a prop reaches it.
const WRONG: readonly (readonly [message: string, content: ReactNode])[] = [
  ['linearDamping of <RigidBody>: factor must be finite', body({ linearDamping: NAN })],
  ['linearVelocity of <RigidBody>: it must be an array', body({ linearVelocity: 5 })],
  ['surfaceAngularVelocity[1] must be finite', body({ surfaceAngularVelocity: [0, NAN, 0] })],
  ['enabledTranslations of <RigidBody>: it must be an array', body({ enabledTranslations: true })],
  ['position of <RigidBody>: position.z must', body({ position: new Vector3(0, 0, Infinity) })],
  ['position of <RigidBody>: position-x must be finite', body({ 'position-x': NAN })],
  ['rotation of <RigidBody>: rotation[1] must', body({ rotation: [0, NAN, 0] })],
  ['rotation of <RigidBody>: quaternion[3]', body({ quaternion: [0, 0, 0, NAN] })],
  ['scale of <RigidBody>: scale[1] must be', body({ scale: [1, NAN, 1] })],
  ['massProperties of <RigidBody>: centerOfMass must be', body({ massProperties: { mass: 1 } })],
  ['colliders of <RigidBody>: the Mesh "box": shape must be', body({ colliders: 'box' })],
  ['ignores of <RigidBody>', body({ ignores: {} })],
  ['it needs a ref of a <RigidBody>', body({ ignores: [3] })],
  ['onSleep of <RigidBody> must be a function, but is a value', body({ onSleep: 5 })],
  [
    'type of <MeshCollider>: the Mesh "box": shape must',
    body({}, element('MeshCollider', { type: 'box' }, box)),
  ],
  [`linearDamping of ${ROW}: factor must be a number`, rowsWith({ linearDamping: 'x' })],
  [`position of ${ROW}: position[0] must be finite`, rowsWith({ position: [NAN, 0, 0] })],
  [`scale of ${ROW}: scale.x must be finite`, rowsWith({ scale: NAN })],
  [`friction of ${ROW}: `, rowsWith({ friction: 'x' })],
  [`onWake of ${ROW} must be a`, rowsWith({ onWake: {} })],
  ['gravityScale of <InstancedRigidBodies>: ', instancesWith({ gravityScale: 'x' })],
  ['instances of <InstancedRigidBodies> must be an array', instancesWith({ instances: undefined })],
  [`${ROW} must be an object of props`, instancesWith({ instances: [{ key: 0 }, null] })],
  [
    'is "a", which is that of instances[1]',
    instancesWith({ instances: [{ key: 0 }, { key: 'a' }, { key: 'a' }] }),
  ],
  ['colliderNodes of <InstancedRigidBodies> must be an', instancesWith({ colliderNodes: box })],
  ['args of <BallCollider> in colliderNodes', instancesWith({ colliderNodes: [wrongBall] })],
  ['<Attractor>: strength must be a number', element('Attractor', { strength: NAN })],
  ['type must be', element('Attractor', { type: 'magnetic' })],
];

test('a prop that is wrong is an error that names it and its component', () =>
  expectMessages(WRONG));

const WRONG_COLLIDERS: readonly (readonly [message: string, name: string, props: object])[] = [
  ['args of <BallCollider>: radius must not be negative', 'BallCollider', { args: [-1] }],
  ['args of <BallCollider>: it must be an array', 'BallCollider', { args: 1 }],
  ['args of <CuboidCollider>: scale.x', 'CuboidCollider', { args: [1, 1, 1], scale: NAN }],
  ['args of <HeightfieldCollider>: [3] must be', 'HeightfieldCollider', { args: [1, 1, [0]] }],
  ['args of <AnyCollider>: shape must be one of', 'AnyCollider', { shape: 'box', args: [] }],
  [
    'position of <BallCollider name="hand">: position[0]',
    'BallCollider',
    { args: [1], name: 'hand', position: [NAN, 0, 0] },
  ],
  ['args of <CuboidCollider>: args[1] must', 'CuboidCollider', { args: [1, NAN, 1] }],
  ['mass of <BallCollider>: mass must not be negative', 'BallCollider', { args: [1], mass: -1 }],
  [
    'give it only one of density, mass and massProperties',
    'BallCollider',
    { args: [1], mass: 1, density: 1 },
  ],
  ['oneWay must be an object { axis, margin }', 'BallCollider', { args: [1], oneWay: true }],
  ['onCollisionEnter of <BallCollider>', 'BallCollider', { args: [1], onCollisionEnter: 'f' }],
];

test('a collider that is wrong is an error that names it, alone and in a body', () =>
  expectMessages(
    WRONG_COLLIDERS.flatMap(([message, name, props]) => [
      [message, element(name, props)],
      [message, body({}, element(name, props))],
    ]),
  ));

test('an error of a prop has the type of what it is about, and that as its cause', async () => {
  const errors: Error[] = [];
  await runScene(<Boundary errors={errors}>{body({ softCcdPrediction: -1 })}</Boundary>);
  const [error] = errors as [Error];
  expect(error).toBeInstanceOf(RangeError);
  expect((error.cause as Error).message).toBe('distance must not be negative, but is -1');
});

test.each<[message: string, props: object]>([
  ['<Physics>: gravity[1] must be finite', { gravity: [0, NAN, 0] }],
  ['timeStep of <Physics> must be a number from 0.001 to 1, but is 0', { timeStep: 0 }],
  ['<Physics>: capacity must be a whole number', { capacity: 0 }],
  ['worker of <Physics> must be a function', { worker: 5 }],
  ['events of <Physics> must be one of shown, now, but is "later"', { events: 'later' }],
  ['numSolverIterations of <Physics>: ', { numSolverIterations: 0 }],
  ['colliders of <RigidBody>: ', { colliders: 'box' }],
  ['updatePriority of <Physics> must be a number, but is NaN', { updatePriority: NAN }],
  ['onReady of <Physics> must be a function', { onReady: 5 }],
])('a prop of <Physics> that is wrong is an error that says "%s"', async (message, props) => {
  expect(await errorOf(body({}), props)).toContain(message);
});

test('a prop of <Physics> that becomes wrong later is an error, too', async () => {
  const scene = await runScene(null);
  await expect(scene.render(null, { timeStep: -1 })).rejects.toThrow('timeStep of <Physics>');
});

/** A component with a body of each kind and the hook; `one`, `two` and `mesh` in the arguments are refs. */
const withHook = (hook: string, args: readonly unknown[]): ReactNode => {
  const Joined = (): ReactNode => {
    const [one, two] = [useRef<react.RapierRigidBody>(null), useRef<react.RapierRigidBody>(null)];
    const mesh = useRef<Object3D>(null);
    const refs: Record<string, unknown> = { one, two, mesh };
    hooks[hook]?.(...args.map((arg) => refs[arg as string] ?? arg));
    return (
      <>
        <react.RigidBody ref={one} type="kinematicPosition" />
        <react.RigidBody ref={two} />
        <object3D ref={mesh} />
      </>
    );
  };
  return <Joined />;
};

const zero = [0, 0, 0];
const NEEDS_REF = ': it needs a ref of a <RigidBody>';

const WRONG_HOOKS: readonly (readonly [hook: string, message: string, args: unknown[]])[] = [
  ['useSphericalJoint', ': anchor1[0] must', ['one', 'two', [[NAN, 0, 0], zero]]],
  ['useSphericalJoint', NEEDS_REF, ['one', 'mesh', [zero, zero]]],
  ['useRevoluteJoint', ': axis must be a direction', ['one', 'two', [zero, zero, zero]]],
  ['usePrismaticJoint', ': axis must be an object', ['one', 'two', [zero, zero, 'x']]],
  ['useRopeJoint', ': length must not be negative', ['one', 'two', [zero, zero, -1]]],
  ['useSpringJoint', ': stiffness must be', ['one', 'two', [zero, zero, 1, 'x', 1]]],
  ['useFixedJoint', ': frame1 must', ['one', 'two', [zero, [0, 0, 0, 0], zero, [0, 0, 0, 1]]]],
  ['useRopeJoint', ': it has breakForce', ['one', 'two', [zero, zero, 1], { breakAt: 3 }]],
  ['useImpulseJoint', ': data must be a JointData', ['one', 'two', {}]],
  ['useCharacter', NEEDS_REF, [undefined]],
  ['useCharacter', ': desc must be a CharacterDesc', ['one', {}]],
  ['useVehicle', ': desc must be a VehicleDesc', ['two', {}]],
  ['useVehicle', ': the body ', ['one', new VehicleDesc()]],
  ['useSystem', ': the worker script has no system "wind"', ['wind']],
  ['useBeforePhysicsStep', ' needs a function', [5]],
  ['useAfterPhysicsStep', ' needs a function, but is given undefined', []],
  ['useFilterContactPair', ' needs a function', [5]],
  ['useFilterIntersectionPair', ' needs a function', [null]],
];

test('a hook with a wrong argument is an error that names the hook', () =>
  expectMessages(
    WRONG_HOOKS.map(([hook, message, args]) => [`${hook}${message}`, withHook(hook, args)]),
  ));

test('a mesh that comes later and cannot have a collider is an error then', async () => {
  const errors: Error[] = [];
  const empty = body({ name: 'body', colliders: 'hull' }, null);
  const scene = await runScene(<Boundary errors={errors}>{empty}</Boundary>);
  const flat = new Mesh(new SphereGeometry(1).scale(1, 0, 1));
  scene.object('body').add(Object.assign(flat, { name: 'flat' }));
  await scene.ticks(1);
  expect(errors.map(String)).toEqual([
    expect.stringContaining('colliders of <RigidBody name="body">: the Mesh "flat": '),
  ]);
});

test('a body for which there is no room, and one with an impossible pose, are named as they are written', async () => {
  const one = createRef<react.RapierRigidBody>();
  const scene = await runScene(
    <>
      {body({ name: 'one', density: 0.1, ref: one })}
      {body({ name: 'two' })}
    </>,
    { capacity: 1 },
  );
  await scene.ticks(1);
  one.current?.applyImpulse({ x: 3e38, y: 0, z: 0 }, true);
  await scene.ticks(2);
  const messages = uncaught.splice(0).map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(
      /^<RigidBody name="two">: it is not made, .* raise the option capacity of <Physics>$/,
    ),
  ]);
  await vi.waitFor(() =>
    expect(warnings).toEqual([
      expect.stringMatching(/^<RigidBody name="one"> got an invalid pose in tick \d+ and stays/),
    ]),
  );
});

/** The warnings while something is rendered twice. */
async function warnedOf(content: ReactNode, props?: object): Promise<readonly string[]> {
  const scene = await runScene(content, props);
  await scene.render(<group>{content}</group>);
  return [...warnings];
}

const WITHOUT_EFFECT: readonly (readonly [warning: string, content: ReactNode])[] = [
  ['<RigidBody> has no prop collider: did you mean colliders?', body({ collider: 'ball' })],
  [
    '<BallCollider> has no prop frictoin: did you mean',
    element('BallCollider', { args: [1], frictoin: 1 }),
  ],
  ['<InstancedRigidBodies> has no prop instancez: did', instancesWith({ instancez: [] })],
  [`${ROW} has no prop linearVelocty: did you mean`, rowsWith({ linearVelocty: 1 })],
  ['<Attractor> has no prop strenght: did you mean', element('Attractor', { strenght: 1 })],
  [
    '<MeshCollider> has no prop typ: did you mean type?',
    body({}, element('MeshCollider', { type: 'ball', typ: 'ball' })),
  ],
  ['mass of <RigidBody> has no effect: a body has none', body({ mass: 5 })],
  ['mass of <InstancedRigidBodies> has no effect', instancesWith({ mass: 5 })],
  ['transformState of <RigidBody> has no effect', body({ transformState: () => {} })],
];

test('a prop without an effect is warned of once', async () => {
  const contents = WITHOUT_EFFECT.map(([, content], key) => <group key={key}>{content}</group>);
  const expected = [
    ...WITHOUT_EFFECT.map(([warning]) => warning),
    '<Physics> has no prop gravty: did you mean gravity?',
    '<Physics updateLoop="follow"> has no effect: ',
  ];
  const warned = await warnedOf(contents, { gravty: [0, 0, 0], updateLoop: 'follow' });
  expect(warned.toSorted()).toEqual(
    expected.toSorted().map((warning) => expect.stringContaining(warning)),
  );
});

test('an unknown type is dynamic, and a value for a boolean counts, as in the peer, with a warning', async () => {
  const scene = await runScene(
    <>
      {body({ type: 'kinematicPositionBased' })}
      {body({ type: 'kinematicPositionBased', lockRotations: 1, includeInvisible: 1 })}
      {rowsWith({ type: 'static' })}
    </>,
    { paused: 'yes' as never },
  );
  expect(scene.world.bodies.getAll().every((one) => one.isDynamic())).toBe(true);
  expect(warnings).toEqual([
    'paused of <Physics> must be a boolean, but is a value of type string: it counts as true',
    expect.stringContaining('type of <RigidBody> must be one of fixed, dynamic, kinematicPosition'),
    'includeInvisible of <RigidBody> must be a boolean, but is a value of type number: it counts as true',
    expect.stringContaining(`type of ${ROW} must be one of`),
  ]);
});

// The peer ignores some as well: ecctrl spreads its own, others are of older versions, and objects of three.js and fiber have more.
test('a prop of another component or library, and of the objects that props are passed on to, is not warned of', async () => {
  const foreign = { springK: 1, dampingC: 0.1, mode: 'FixedCamera', fallingGravityScale: 2.5 };
  const ofObject = {
    'position-x': 1,
    'rotation-y': 1,
    'userData-name': 'box',
    name: 'box',
    castShadow: true,
    layers: 1,
    dispose: null,
    onClick: () => {},
    onPointerMissed: () => {},
    onUpdate: () => {},
  };
  const content = (
    <>
      {body({ ...foreign, worker: 'a', onMysterious: 1 })}
      {element('CuboidCollider', { args: [1, 1, 1], castShadow: true })}
      {element('BallCollider', { args: [1], principalAngularInertia: [1, 1, 1] })}
      {body({ ...ofObject, userData: { a: 1 } })}
      {instancesWith(ofObject)}
      {rowsWith({ name: 'one' })}
    </>
  );
  expect(await warnedOf(content, { numAdditionalFrictionIterations: 4, erp: 1 })).toEqual([]);
});
