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

/** The results of the hooks in the last render. */
let character: RefObject<Character | null>;
let vehicle: RefObject<Vehicle | null>;

const Ground = (): JSX.Element => <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />;

interface WalkerProps {
  readonly of: RefObject<RapierRigidBody | RapierCollider | null>;
  readonly step?: number;
}

const Walker = ({ of, step = 0.3 }: WalkerProps): null => {
  character = useCharacter(of, new CharacterDesc().enableAutostep(step, 0.1, false));
  return null;
};

test.each(['body', 'collider'] as const)('a character of a %s walks', async (of) => {
  const body = createRef<RapierRigidBody>();
  const collider = createRef<RapierCollider>();
  const contents = (step: number): JSX.Element => (
    <>
      <Ground />
      <Walker of={of === 'body' ? body : collider} step={step} />
      <RigidBody ref={body} type="kinematicPosition" colliders={false} position={[0, 0.52, 0]}>
        <CapsuleCollider ref={collider} args={[0.3, 0.2]} />
      </RigidBody>
    </>
  );
  const scene = await runScene(contents(0.3), { isStrict: true });
  const { current } = character;
  current?.move({ x: 3, y: 0, z: 0 });
  await scene.ticks(30);
  expect(current?.isGrounded).toBe(true);
  expect(body.current?.translation().x).toBeCloseTo(1.45, 1);
  await scene.render(contents(0.5));
  // The character continues.
  expect(character.current).toBe(current);
  await scene.ticks(10);
  expect(body.current?.translation().x).toBeGreaterThan(1.8);
  await scene.render(<Ground />);
  expect([character.current, current?.isValid()]).toEqual([null, false]);
});

test('a character follows when its body gets another collider', async () => {
  const body = createRef<RapierRigidBody>();
  const contents = (radius: number | undefined): JSX.Element => (
    <>
      <Walker of={body} />
      <RigidBody ref={body} type="kinematicPosition" colliders={false}>
        {radius !== undefined && <BallCollider args={[radius]} />}
      </RigidBody>
    </>
  );
  const scene = await runScene(contents(undefined));
  expect(character.current).toBeNull();
  await scene.render(contents(1));
  expect(character.current?.collider().radius()).toBe(1);
  await scene.render(contents(2));
  expect(character.current?.collider().radius()).toBe(2);
  expect(character.current?.isValid()).toBe(true);
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

const Car = ({ wheels }: { readonly wheels: readonly number[] }): JSX.Element => {
  const chassis = useRef<RapierRigidBody>(null);
  vehicle = useVehicle(chassis, carDesc());
  return (
    <>
      <Ground />
      <RigidBody ref={chassis} name="chassis" position={[0, 1, 0]}>
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
    </>
  );
};

test('a vehicle drives, and its wheels are drawn, also one that is mounted later', async () => {
  const scene = await runScene(<Car wheels={[0, 1, 2]} />, { isStrict: true });
  const { current } = vehicle;
  // The chassis and four wheels; no collider for the mesh of a wheel.
  expect(scene.world.bodies.len()).toBe(5);
  expect(scene.world.colliders.len()).toBe(2);
  current?.drive({ engine: 20 });
  await scene.ticks(40);
  expect(current?.speed).toBeGreaterThan(1);
  await scene.render(<Car wheels={[0, 1, 2, 3]} />);
  await scene.ticks(10);
  expect(vehicle.current).toBe(current);
  for (const index of [0, 1, 2, 3]) {
    const wheel = scene.object(`wheel${index}`);
    const { x, z } = wheel.getWorldPosition(scene.object('chassis').position.clone());
    const drawn = current?.wheels[index]?.translation();
    // Drawn a delay after the newest state.
    expect(x).toBeCloseTo(drawn?.x ?? Number.NaN, 1);
    expect(Math.abs(z - (drawn?.z ?? Number.NaN))).toBeLessThan(0.5);
    expect(z).toBeGreaterThan(index < 2 ? 1 : -1);
  }
  await scene.render(<Ground />);
  expect([vehicle.current, scene.world.bodies.len()]).toEqual([null, 0]);
});

test('a wheel that the vehicle does not have is an error', async () => {
  const message = await errorOf(<Car wheels={[4]} />);
  expect(message).toMatch(/index of <VehicleWheel> must be .*3/);
});
