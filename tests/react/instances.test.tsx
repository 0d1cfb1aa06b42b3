import { Activity, createRef, type JSX, type ReactNode } from 'react';
import { Matrix4, Quaternion, Vector3, type InstancedMesh } from 'three';
import { expect, test, vi } from 'vitest';
import {
  AnyCollider,
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  RigidBody,
  type CollisionEnterPayload,
  type InstancedRigidBodiesProps,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from '../../src/react/index.js';
import { warningsOfTest } from '../fixtures/worlds.js';
import { runScene, type RunningScene } from './run-scene.js';
import { Box } from './snippets.js';

type Bodies = (RapierRigidBody | null)[];

/** The bodies of {@link Boxes}. */
const bodies = createRef<Bodies>();

/** Instances of a unit cube. */
function Boxes({
  room = 8,
  children,
  ...props
}: Omit<InstancedRigidBodiesProps, 'children'> & {
  readonly room?: number;
  readonly children?: ReactNode;
}): JSX.Element {
  return (
    <InstancedRigidBodies ref={bodies} {...props}>
      {children ?? (
        <instancedMesh name="boxes" args={[undefined, undefined, room]}>
          <boxGeometry />
        </instancedMesh>
      )}
    </InstancedRigidBodies>
  );
}

const row = (count: number, from = 0): InstancedRigidBodyProps[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `box ${from + index}`,
    position: [3 * (from + index), 0, 0] as const,
  })) as InstancedRigidBodyProps[];

const changed = (
  rows: InstancedRigidBodyProps[],
  index: number,
  props: Partial<InstancedRigidBodyProps>,
): InstancedRigidBodyProps[] =>
  rows.with(index, { ...(rows[index] as InstancedRigidBodyProps), ...props });

const meshIn = (scene: RunningScene): InstancedMesh => scene.object('boxes') as InstancedMesh;

const rounded = (vector: Vector3): number[] =>
  vector.toArray().map((value) => Number(value.toFixed(5)) + 0);

/** Where an instance is drawn, and how large. */
function drawn(mesh: InstancedMesh, index: number): { position: number[]; scale: number[] } {
  const matrix = new Matrix4();
  mesh.getMatrixAt(index, matrix);
  matrix.premultiply(mesh.matrixWorld);
  return {
    position: rounded(new Vector3().setFromMatrixPosition(matrix)),
    scale: rounded(new Vector3().setFromMatrixScale(matrix)),
  };
}

/** The prototype of handles of bodies. */
const handlesOf = (list: Bodies): RapierRigidBody =>
  Object.getPrototypeOf(list[0]) as RapierRigidBody;

test('a row and the component around it place, turn and scale bodies, colliders and what is drawn', async () => {
  const scene = await runScene(
    <group position={[0, 10, 0]}>
      <Boxes
        type="fixed"
        position={[100, 0, 0]}
        rotation={[0, 0, Math.PI / 2]}
        scale={2}
        instances={[
          { key: 'a', position: [1, 0, 0], rotation: [0, 0, Math.PI / 2], scale: [1, 2, 3] },
          { key: 'b', quaternion: new Quaternion(0, 0, 1, 0), position: new Vector3(0, 0, 4) },
        ]}
      />
    </group>,
  );
  const [a, b] = bodies.current as RapierRigidBody[];
  expect(a?.translation()).toEqual({ x: 100, y: expect.closeTo(12) as number, z: 0 });
  expect(Math.abs(a?.rotation().z ?? 0)).toBeCloseTo(1);
  expect(b?.translation()).toEqual({ x: 100, y: 10, z: 8 });
  const sizes = scene.world.colliders.getAll().map((one) => Math.round(one.halfExtents()?.z ?? 0));
  expect(sizes).toEqual([3, 1]);
  await scene.ticks(2);
  // A fixed body has no number to be drawn by.
  expect(drawn(meshIn(scene), 0)).toEqual({ position: [100, 12, 0], scale: [2, 4, 6] });
  expect(drawn(meshIn(scene), 1)).toEqual({ position: [100, 10, 8], scale: [2, 2, 2] });
});

test('rows that come and go leave the others as they are, and each is drawn where its row is', async () => {
  const rows = row(6);
  const scene = await runScene(<Boxes instances={rows} />);
  await scene.ticks(5);
  const before = [...(bodies.current as Bodies)];
  const created = vi.spyOn(scene.world, 'createRigidBody');
  const moved = vi.spyOn(handlesOf(before), 'setTranslation');
  // The first is gone, two are exchanged, and there is a new one.
  const [, two, three, four, five, six] = rows as [InstancedRigidBodyProps, ...typeof rows];
  const others = [three, two, four, five, six, { key: 'new', position: [50, 0, 0] }] as typeof rows;
  await scene.render(<Boxes instances={others} />);
  // The new one.
  expect([created.mock.calls.length, moved.mock.calls.length]).toEqual([1, 1]);
  expect(bodies.current?.slice(0, 5)).toEqual([2, 1, 3, 4, 5].map((index) => before[index]));
  expect(before[0]?.isValid()).toBe(false);
  expect(scene.world.bodies.len()).toBe(6);
  await scene.ticks(5);
  expect([0, 1, 2, 5].map((index) => drawn(meshIn(scene), index).position[0])).toEqual([
    6, 3, 9, 50,
  ]);
  // A row whose other prop changes is not put anywhere.
  await scene.render(<Boxes instances={changed(others, 1, { gravityScale: 0.5 })} />);
  expect([bodies.current?.[1]?.gravityScale(), moved.mock.calls.length]).toEqual([0.5, 1]);
  await scene.render(<Boxes instances={changed(others, 2, { position: [70, 0, 0] })} />);
  expect([bodies.current?.[2]?.translation().x, moved.mock.calls.length]).toEqual([70, 2]);
  await scene.render(<Boxes instances={others.slice(0, 2)} />);
  await scene.ticks(2);
  expect(bodies.current).toHaveLength(2);
  expect(drawn(meshIn(scene), 2).scale).toEqual([0, 0, 0]);
});

test('an immutable prop makes another body, which continues where the old one was', async () => {
  const scene = await runScene(<Boxes instances={row(2)} />);
  await scene.ticks(10);
  const [one, two] = bodies.current as RapierRigidBody[];
  const before = two?.translation();
  const rows = changed(row(2), 1, { canSleep: false });
  await scene.render(<Boxes instances={rows} />);
  expect([bodies.current?.[0] === one, two?.isValid()]).toEqual([true, false]);
  expect(bodies.current?.[1]?.translation()).toEqual(before);
  expect(scene.world.bodies.len()).toBe(2);
  await scene.ticks(5);
  expect(drawn(meshIn(scene), 1).position[1]).toBeLessThan(before?.y ?? 0);
});

const nodes = (radius: number): ReactNode[] => [
  <BallCollider key="ball" args={[radius]} position={[0, 1, 0]} />,
  <AnyCollider key="any" shape="cuboid" args={[1, 2, 3]} position={[radius, 0, 0]} friction={2} />,
];

const boxesOf = (...colliderNodes: ReactNode[]): JSX.Element => (
  <Boxes colliders={false} colliderNodes={colliderNodes} instances={row(2)} scale={2} />
);

test('nodes of colliders are read as data, and follow changes', async () => {
  const scene = await runScene(boxesOf(...nodes(0.5)));
  const second = bodies.current?.[1];
  const [ball, box] = [second?.collider(0), second?.collider(1)];
  expect([ball?.radius(), box?.friction()]).toEqual([1, 2]);
  expect(ball?.translationWrtParent()).toEqual({ x: 0, y: 2, z: 0 });
  expect(box?.halfExtents()).toEqual({ x: 2, y: 4, z: 6 });
  await scene.render(boxesOf(...nodes(1)));
  expect([ball?.isValid(), box?.isValid()]).toEqual([false, true]);
  expect(box?.translationWrtParent()).toEqual({ x: 2, y: 0, z: 0 });
  expect(scene.world.colliders.len()).toBe(4);
  await scene.render(boxesOf());
  expect(scene.world.colliders.len()).toBe(0);
});

test('other nodes are rendered once for each instance, in its body', async () => {
  let renders = 0;
  const Arm = (): JSX.Element => {
    renders += 1;
    return <CuboidCollider args={[1, 1, 1]} position={[0, 2, 0]} />;
  };
  const arms = [<Arm key="arm" />];
  const boxesWith = (instances: InstancedRigidBodyProps[]): JSX.Element => (
    <Boxes colliders={false} colliderNodes={arms} instances={instances} scale={3} />
  );
  const scene = await runScene(boxesWith(row(3)));
  expect(renders).toBe(3);
  const collider = bodies.current?.[2]?.collider(0);
  expect(collider?.halfExtents()).toEqual({ x: 3, y: 3, z: 3 });
  expect(collider?.translationWrtParent()).toEqual({ x: 0, y: 6, z: 0 });
  await scene.render(boxesWith(row(2)));
  expect(scene.world.colliders.len()).toBe(2);
});

test('events name the mesh, the body and what its row has', async () => {
  const entered = vi.fn();
  const ownEntered: CollisionEnterPayload[] = [];
  const slept: string[] = [];
  const rows = changed(row(2), 1, {
    userData: { number: 2 },
    onCollisionEnter: (payload) => ownEntered.push(payload),
    onSleep: () => slept.push('asleep'),
    onWake: () => slept.push('awake'),
  });
  const scene = await runScene(
    <>
      <Boxes instances={rows} position={[0, 1, 0]} onCollisionEnter={entered} />
      <RigidBody type="fixed" name="plate" colliders={false}>
        <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.1, 0]} />
      </RigidBody>
    </>,
    { events: 'now' },
  );
  await scene.ticks(30);
  // A row's handler hides that of all.
  expect(entered).toHaveBeenCalledOnce();
  expect(ownEntered).toHaveLength(1);
  const [{ target, other }] = ownEntered as [CollisionEnterPayload];
  expect(target.rigidBody).toBe(bodies.current?.[1]);
  expect(target.rigidBody?.userData).toEqual({ number: 2 });
  expect(target.rigidBodyObject).toBe(meshIn(scene));
  expect(other.rigidBodyObject).toBe(scene.object('plate'));
  target.rigidBody?.sleep();
  await scene.ticks(3);
  target.rigidBody?.wakeUp();
  await scene.ticks(3);
  expect(slept).toEqual(['asleep', 'awake']);
});

const single = createRef<RapierRigidBody>();
const sceneOf = (mode: 'visible' | 'hidden'): JSX.Element => (
  <Activity mode={mode}>
    <Boxes instances={row(3)} />
    <RigidBody ref={single} position={[-9, 0, 0]}>
      <Box />
    </RigidBody>
  </Activity>
);

test('bodies are created once in StrictMode, are not there while they are hidden, continue after it, and leave nothing', async () => {
  const scene = await runScene(sceneOf('visible'), { isStrict: true });
  expect(scene.world.bodies.getAll().map(({ handle }) => handle)).toEqual([1, 3, 5, 7]);
  await scene.ticks(10);
  const mesh = meshIn(scene);
  const { y } = (single.current as RapierRigidBody).translation();
  expect(y).toBeLessThan(0);
  await scene.render(sceneOf('hidden'));
  expect([scene.world.bodies.len(), bodies.current, single.current]).toEqual([0, null, null]);
  await scene.render(sceneOf('visible'));
  expect(bodies.current?.[1]?.translation()).toEqual({ x: 3, y, z: 0 });
  expect(single.current?.translation()).toEqual({ x: -9, y, z: 0 });
  await scene.ticks(5);
  expect(drawn(mesh, 1).position[1]).toBeLessThan(y);
  expect(single.current?.translation().y).toBeLessThan(y);
  const [body] = bodies.current as Bodies;
  await scene.render(null);
  expect([bodies.current, body?.isValid()]).toEqual([null, false]);
  expect([scene.world.bodies.len(), scene.world.colliders.len()]).toEqual([0, 0]);
  // As three.js creates one.
  expect(mesh.matrixWorldAutoUpdate).toBe(true);
});

test('another mesh is drawn with', async () => {
  const scene = await runScene(<Boxes instances={row(2)} />);
  await scene.ticks(3);
  const first = bodies.current?.[0];
  const mesh = meshIn(scene);
  await scene.render(<Boxes instances={row(12)} room={12} />);
  expect(meshIn(scene)).not.toBe(mesh);
  expect(bodies.current?.[0]).toBe(first);
  await scene.ticks(3);
  expect(drawn(meshIn(scene), 11).position[0]).toBe(33);
});

test.each<[warning: RegExp, content: JSX.Element]>([
  [
    /exactly one child, an <instancedMesh>, but has <.*>, <mesh>/,
    <Boxes key="1" instances={row(1)}>
      <instancedMesh args={[undefined, undefined, 1]}>
        <boxGeometry />
      </instancedMesh>
      <mesh />
    </Boxes>,
  ],
  [
    /but has <group>: its bodies are simulated and not drawn/,
    <Boxes key="2" instances={row(1)}>
      <group />
    </Boxes>,
  ],
  [
    /has 3 instances, but the Mesh "boxes" was made for 2/,
    <Boxes key="3" room={2} instances={row(3)} />,
  ],
  [
    /instances\[0\] of <InstancedRigidBodies> has no key/,
    <Boxes key="4" instances={[{} as InstancedRigidBodyProps]} />,
  ],
])('instances that are not as they look are warned of: %s', async (warning, content) => {
  const warnings = warningsOfTest();
  const scene = await runScene(content, { colliders: 'ball' });
  await scene.ticks(2);
  expect(warnings().join()).toMatch(warning);
  expect(scene.world.bodies.len()).toBeGreaterThan(0);
});
