/** The course: an application of ecctrl on `@react-three/rapier`. Nothing here knows of another library. */
import { useFrame } from '@react-three/fiber';
import { CuboidCollider, Physics, RigidBody, type RapierRigidBody } from '@react-three/rapier';
import { Ecctrl, type EcctrlHandle } from 'ecctrl';
import { EcctrlVehicle, ShapeCastWheel, type EcctrlVehicleHandle } from 'ecctrl/vehicle';
import { useRef, type JSX } from 'react';
import type { Driver } from './driver.js';
import { CAR_X, LANES, START_Y } from './lanes.js';

type Triple = [x: number, y: number, z: number];

interface BlockProps {
  readonly at: Triple;
  readonly size: Triple;
  readonly tilt?: number;
  readonly color?: string;
}

function Block({ at, size, tilt = 0, color = '#c9c2b4' }: BlockProps): JSX.Element {
  return (
    <mesh position={at} rotation={[tilt, 0, 0]} castShadow receiveShadow>
      <boxGeometry args={size} />
      <meshStandardMaterial color={color} />
    </mesh>
  );
}

const SLOPE = Math.PI / 9;

function Ground(): JSX.Element {
  return (
    <RigidBody type="fixed" colliders="cuboid">
      {Object.values(LANES).map((x) => (
        <Block
          key={x}
          at={[x, -0.5, x === LANES.gap ? 0.5 : -4]}
          size={[5.8, 1, x === LANES.gap ? 7 : 16]}
        />
      ))}
      <Block at={[LANES.gap, -0.5, -9]} size={[5.8, 1, 8]} />
      <Block at={[CAR_X, -0.5, -90]} size={[16, 1, 220]} />
      <Block at={[LANES.slope, 0.85, -5]} size={[4, 0.4, 6]} tilt={SLOPE} color="#b5875a" />
      {[1, 2, 3, 4, 5].map((step) => (
        <Block
          key={step}
          at={[LANES.steps, 0.075 * step, -2 - 0.6 * step]}
          size={[4, 0.15 * step, 0.6]}
          color="#b5875a"
        />
      ))}
    </RigidBody>
  );
}

/** Moves back and forth. */
function Lift(): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const time = useRef(0);
  useFrame((_, delta) => {
    time.current += Math.min(delta, 0.1);
    const x = LANES.lift + 1.5 * Math.sin(time.current);
    body.current?.setNextKinematicTranslation({ x, y: 0.1, z: -2 });
  });
  return (
    <RigidBody ref={body} type="kinematicPosition" position={[LANES.lift, 0.1, -2]}>
      <Block at={[0, 0, 0]} size={[2.5, 0.2, 2.5]} color="#4f8fc9" />
    </RigidBody>
  );
}

function Turntable(): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const time = useRef(0);
  useFrame((_, delta) => {
    time.current += Math.min(delta, 0.1);
    const half = 0.4 * time.current;
    body.current?.setNextKinematicRotation({ x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) });
  });
  return (
    <RigidBody ref={body} type="kinematicPosition" position={[LANES.turntable, 0.1, -2]}>
      <Block at={[0, 0, 0]} size={[4, 0.2, 4]} color="#4f8fc9" />
    </RigidBody>
  );
}

function Walker({ driver }: { readonly driver: Driver }): JSX.Element {
  const ecctrl = useRef<EcctrlHandle>(null);
  useFrame(() => {
    driver.walker = ecctrl.current ?? undefined;
    const { keys } = driver;
    ecctrl.current?.setMovement({
      forward: keys.has('forward'),
      backward: keys.has('backward'),
      leftward: keys.has('left'),
      rightward: keys.has('right'),
      jump: keys.has('jump'),
      run: keys.has('run'),
    });
  });
  return (
    <Ecctrl ref={ecctrl} position={[0, START_Y, 2]} enableToggleRun={false}>
      <mesh castShadow>
        <capsuleGeometry args={[0.3, 0.6]} />
        <meshStandardMaterial color="#e3a13f" />
      </mesh>
    </Ecctrl>
  );
}

const WHEELS: readonly Triple[] = [
  [0.8, 0, 1.2],
  [-0.8, 0, 1.2],
  [0.8, 0, -1.2],
  [-0.8, 0, -1.2],
];

function Car({ driver }: { readonly driver: Driver }): JSX.Element {
  const car = useRef<EcctrlVehicleHandle>(null);
  useFrame(() => {
    driver.car = car.current ?? undefined;
    const { keys } = driver;
    car.current?.setMovement({
      forward: keys.has('drive'),
      backward: keys.has('reverse'),
      steerLeft: keys.has('steerLeft'),
      steerRight: keys.has('steerRight'),
      brake: keys.has('brake'),
    });
  });
  return (
    <EcctrlVehicle ref={car} position={[CAR_X, 1.2, 4]} rotation={[0, Math.PI, 0]}>
      <CuboidCollider args={[0.7, 0.25, 1.6]} density={3} />
      <mesh castShadow>
        <boxGeometry args={[1.4, 0.5, 3.2]} />
        <meshStandardMaterial color="#d65a4f" />
      </mesh>
      {WHEELS.map((at) => (
        <ShapeCastWheel
          key={at.join()}
          name={at.join()}
          position={at}
          driveWheel
          brakeWheel
          steerWheel={at[2] > 0}
        >
          <mesh rotation={[0, 0, Math.PI / 2]}>
            <cylinderGeometry args={[0.5, 0.5, 0.3]} />
            <meshStandardMaterial color="#22262d" />
          </mesh>
        </ShapeCastWheel>
      ))}
    </EcctrlVehicle>
  );
}

export interface CourseProps {
  readonly driver: Driver;
}

/** The children of `<Physics>`. */
export function CourseContent({ driver }: CourseProps): JSX.Element {
  const box = useRef<RapierRigidBody>(null);
  useFrame(() => {
    driver.box = box.current ?? undefined;
  });
  return (
    <>
      <Ground />
      <Lift />
      <Turntable />
      <RigidBody ref={box} position={[LANES.box, 0.4, -2]} density={0.5}>
        <Block at={[0, 0, 0]} size={[0.8, 0.8, 0.8]} color="#a97fc2" />
      </RigidBody>
      <Walker driver={driver} />
      <Car driver={driver} />
    </>
  );
}

export const Course = ({ driver }: CourseProps): JSX.Element => (
  <Physics>
    <CourseContent driver={driver} />
  </Physics>
);
