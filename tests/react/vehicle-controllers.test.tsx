/** A car on Rapier's vehicle controller, written for `@react-three/rapier`: it drives as there, whatever the frames are. */
import { useFrame } from '@react-three/fiber';
import { act, useEffect, useRef, type JSX } from 'react';
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import type { RapierRigidBody } from '../../src/react/index.js';
import type { DynamicRayCastVehicleController } from '../../src/world/page/index.js';
import { VirtualTime } from '../fixtures/virtual-time.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';

const DOWN = { x: 0, y: -1, z: 0 };
const AXLE = { x: -1, y: 0, z: 0 };
const WHEELS = [0, 1, 2, 3];

/** The driver's actions, from a time in seconds on. */
const driveAt = (seconds: number) => ({
  engine: seconds >= 2 ? 180 : 0,
  steering: seconds >= 3 && seconds < 6 ? 0.04 : 0,
});

/** A run of the car, while it is played. */
interface Run {
  seconds: number;
  body: RapierRigidBody | null;
  vehicle: DynamicRayCastVehicleController | null;
}

const newRun = (): Run => ({ seconds: 0, body: null, vehicle: null });

interface CarProps {
  readonly library: Library;
  readonly run: Run;
  /** Whether the vehicle is updated in each frame. Default: in each step, as the peer needs it. */
  readonly isOfFrames?: boolean;
}

function Car({ library, run, isOfFrames = false }: CarProps): JSX.Element {
  const { RigidBody, CuboidCollider, useRapier } = library;
  const { world } = useRapier();
  const body = useRef<RapierRigidBody>(null);
  useEffect(() => {
    const vehicle = world.createVehicleController(body.current as RapierRigidBody);
    for (const z of [1.3, -1.3]) {
      for (const x of [-0.9, 0.9]) {
        const wheel = vehicle.numWheels();
        vehicle.addWheel({ x, y: -0.1, z }, DOWN, AXLE, 0.4, 0.35);
        vehicle.setWheelSuspensionStiffness(wheel, 30);
        vehicle.setWheelSuspensionCompression(wheel, 3);
        vehicle.setWheelSuspensionRelaxation(wheel, 3);
        vehicle.setWheelFrictionSlip(wheel, 3);
      }
    }
    run.vehicle = vehicle;
    run.body = body.current;
    return () => world.removeVehicleController(vehicle);
  }, [world, run]);
  library.useAfterPhysicsStep(({ timestep }) => {
    if (!isOfFrames) run.vehicle?.updateVehicle(timestep);
  });
  useFrame((_, seconds) => {
    if (isOfFrames) run.vehicle?.updateVehicle(seconds);
    const { engine, steering } = driveAt(run.seconds);
    for (const wheel of WHEELS) run.vehicle?.setWheelEngineForce(wheel, engine);
    for (const wheel of [0, 1]) run.vehicle?.setWheelSteering(wheel, steering);
  });
  return (
    <>
      <CuboidCollider args={[200, 0.5, 200]} position={[0, -0.5, 0]} />
      <RigidBody ref={body} position={[0, 1, 0]} colliders={false}>
        <CuboidCollider args={[0.9, 0.25, 2]} mass={150} />
      </RigidBody>
    </>
  );
}

/** The length of each frame in ms: 144 in a second, and a long one now and then. */
const lengthOf = (index: number): number => (index % 40 === 20 ? 100 : 1000 / 144);

/** Two seconds at rest, and five of driving. @param frame Draws a frame of a length in ms. */
async function play(run: Run, frame: (ms: number) => Promise<void>) {
  const heights: number[] = [];
  const speeds: number[] = [];
  let turned = 0;
  for (let index = 0; run.seconds < 7; index++) {
    const ms = lengthOf(index);
    run.seconds += ms / 1000;
    await frame(ms);
    const { body, vehicle } = run;
    if (run.seconds > 1.5 && run.seconds < 2) heights.push(body?.translation().y ?? 0);
    const rotation = vehicle?.wheelRotation(2) ?? 0;
    if (run.seconds > 5) speeds.push((1000 * (rotation - turned)) / ms);
    turned = rotation;
  }
  const { x, z } = run.body?.translation() ?? { x: 0, z: 0 };
  const { y: qy = 0, w = 1 } = run.body?.rotation() ?? {};
  return {
    height: heights.at(-1) ?? 0,
    moves: Math.max(...heights) - Math.min(...heights),
    distance: Math.hypot(x, z),
    heading: 2 * Math.atan2(qy, w),
    speeds,
  };
}

// The scene of a car on both libraries has 60 frames a second, and a hook of steps.
test('a car that is updated in each frame rests and drives as with the peer, where each step updates it', async () => {
  const theirs = newRun();
  const peer = await runOnPeer(<Car library={peerLibrary} run={theirs} />, { paused: false });
  const there = await play(theirs, (ms) => peer.frame(ms / 1000));
  const own = newRun();
  const scene = await runScene(<Car library={ours} run={own} isOfFrames />);
  // The stamps of frames never go back.
  const nowMs = 1000 * Math.ceil(performance.now() / 1000);
  const time = new VirtualTime();
  time.nowMs = nowMs;
  await act(() => time.until(scene.simulation.resume()));
  const here = await play(own, async (ms) => {
    await act(() => time.advance(ms));
    await scene.frame();
  });
  time.giveBack();
  expect(Math.abs(here.height - there.height)).toBeLessThan(0.005);
  expect(here.moves).toBeLessThan(0.0005);
  expect(Math.abs(here.distance / there.distance - 1)).toBeLessThan(0.03);
  expect(Math.abs(here.heading / there.heading - 1)).toBeLessThan(0.03);
  // Wheels are read as they are drawn: they turn evenly, also between two ticks.
  for (const [index, speed] of here.speeds.entries()) {
    expect(speed / (here.speeds[index - 1] ?? speed)).toBeCloseTo(1, 1.3);
  }
});
