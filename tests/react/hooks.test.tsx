/** Characters and vehicles as hooks. */
import { createRef, useRef, type JSX, type RefObject } from 'react';
import { expect, test } from 'vitest';
import {
  BallCollider,
  CapsuleCollider,
  CuboidCollider,
  RigidBody,
  VehicleWheel,
  useCharacter,
  useVehicle,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/react/index.js';
import {
  CharacterDesc,
  VehicleDesc,
  type Character,
  type Vehicle,
} from '../../src/world/page/index.js';
import { errorOf, runScene } from './run-scene.js';

/** The result of a hook in the last render. */
type Found<T> = { current: RefObject<T | null> | undefined };
const found = <T,>(): Found<T> => ({ current: undefined });

const Ground = (): JSX.Element => <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />;

interface WalkerProps {
  readonly of: RefObject<RapierRigidBody | RapierCollider | null>;
  readonly step?: number;
  readonly into: Found<Character>;
}

const Walker = ({ of, step = 0.3, into }: WalkerProps): null => {
  into.current = useCharacter(of, new CharacterDesc().enableAutostep(step, 0.1, false));
  return null;
};

test.each(['body', 'collider'] as const)('a character of a %s walks', async (of) => {
  const into = found<Character>();
  const body = createRef<RapierRigidBody>();
  const collider = createRef<RapierCollider>();
  const contents = (step: number): JSX.Element => (
    <>
      <Ground />
      <Walker of={of === 'body' ? body : collider} step={step} into={into} />
      <RigidBody ref={body} type="kinematicPosition" colliders={false} position={[0, 0.52, 0]}>
        <CapsuleCollider ref={collider} args={[0.3, 0.2]} />
      </RigidBody>
    </>
  );
  const scene = await runScene(contents(0.3), { isStrict: true });
  const character = into.current?.current;
  character?.move({ x: 3, y: 0, z: 0 });
  await scene.ticks(30);
  expect(character?.isGrounded).toBe(true);
  expect(body.current?.translation().x).toBeCloseTo(1.45, 1);
  await scene.render(contents(0.5));
  // The character continues.
  expect(into.current?.current).toBe(character);
  await scene.ticks(10);
  expect(body.current?.translation().x).toBeGreaterThan(1.8);
  await scene.render(<Ground />);
  expect([into.current?.current, character?.isValid()]).toEqual([null, false]);
});

test('a character follows when its body gets another collider', async () => {
  const into = found<Character>();
  const body = createRef<RapierRigidBody>();
  const contents = (radius: number | undefined): JSX.Element => (
    <>
      <Walker of={body} into={into} />
      <RigidBody ref={body} type="kinematicPosition" colliders={false}>
        {radius !== undefined && <BallCollider args={[radius]} />}
      </RigidBody>
    </>
  );
  const scene = await runScene(contents(undefined));
  expect(into.current?.current).toBeNull();
  await scene.render(contents(1));
  expect(into.current?.current?.collider().radius()).toBe(1);
  await scene.render(contents(2));
  expect(into.current?.current?.collider().radius()).toBe(2);
  expect(into.current?.current?.isValid()).toBe(true);
});

const carDesc = (): VehicleDesc => {
  const desc = new VehicleDesc();
  const settings = { radius: 0.4, suspensionRestLength: 0.5, suspensionStiffness: 30 };
  for (const [x, z] of [
    [-1, 1],
    [1, 1],
    [-1, -1],
    [1, -1],
  ] as const) {
    desc.addWheel({ chassisConnectionPointCs: { x, y: 0, z }, ...settings });
  }
  return desc;
};

interface CarProps {
  readonly into: Found<Vehicle>;
  readonly wheels: readonly number[];
}

const Car = ({ into, wheels }: CarProps): JSX.Element => {
  const chassis = useRef<RapierRigidBody>(null);
  const vehicle = useVehicle(chassis, carDesc());
  into.current = vehicle;
  return (
    <RigidBody ref={chassis} name="chassis" colliders="cuboid" position={[0, 1, 0]}>
      <mesh>
        <boxGeometry args={[2, 0.5, 3]} />
      </mesh>
      {wheels.map((index) => (
        <VehicleWheel key={index} name={`wheel${index}`} vehicle={vehicle} index={index}>
          <mesh>
            <sphereGeometry />
          </mesh>
        </VehicleWheel>
      ))}
    </RigidBody>
  );
};

test('a vehicle drives, and its wheels are drawn, also one that is mounted later', async () => {
  const into = found<Vehicle>();
  const contents = (wheels: readonly number[]): JSX.Element => (
    <>
      <Ground />
      <Car into={into} wheels={wheels} />
    </>
  );
  const scene = await runScene(contents([0, 1, 2]), { isStrict: true });
  const vehicle = into.current?.current;
  // The chassis and four wheels; no collider for the mesh of a wheel.
  expect(scene.world.bodies.len()).toBe(5);
  expect(scene.world.colliders.len()).toBe(2);
  vehicle?.drive({ engine: 20 });
  await scene.ticks(40);
  expect(vehicle?.speed).toBeGreaterThan(1);
  await scene.render(contents([0, 1, 2, 3]));
  await scene.ticks(10);
  expect(into.current?.current).toBe(vehicle);
  for (const index of [0, 1, 2, 3]) {
    const wheel = scene.object(`wheel${index}`);
    const { x, z } = wheel.getWorldPosition(scene.object('chassis').position.clone());
    const drawn = vehicle?.wheels[index]?.translation();
    // Drawn a delay after the newest state.
    expect(x).toBeCloseTo(drawn?.x ?? Number.NaN, 1);
    expect(Math.abs(z - (drawn?.z ?? Number.NaN))).toBeLessThan(0.5);
    expect(z).toBeGreaterThan(index < 2 ? 1 : -1);
  }
  await scene.render(<Ground />);
  expect([into.current?.current, scene.world.bodies.len()]).toEqual([null, 0]);
});

test('a wheel that the vehicle does not have is an error', async () => {
  const message = await errorOf(<Car into={found<Vehicle>()} wheels={[4]} />);
  expect(message).toMatch(/index of <VehicleWheel> must be .*3/);
});
