import { createRef, type ReactNode, type RefObject } from 'react';
import { expect, test, vi } from 'vitest';
import {
  BallCollider,
  InstancedRigidBodies,
  RigidBody,
  useCharacter,
  useProbe,
  useRevoluteJoint,
  useVehicle,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { ProbeDesc, VehicleDesc } from '../../src/render-main/world/index.js';
import { runScene } from './run-scene.js';

const ORIGIN: [number, number, number] = [0, 0, 0];
const ZERO = { x: 0, y: 0, z: 0 };
const DOWN = ProbeDesc.ray(ZERO, { x: 0, y: -1, z: 0 }, 1);
const CAR = new VehicleDesc();

/** What has methods that change something, by its name. */
const refs: Record<string, RefObject<unknown>> = {};

const [one, two] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
const collider = createRef<RapierCollider>();
const bodies = createRef<(RapierRigidBody | null)[]>();

function Scene(): ReactNode {
  refs['joint'] = useRevoluteJoint(one as never, two as never, [ORIGIN, ORIGIN, [1, 0, 0]]);
  refs['probe'] = useProbe(DOWN, one);
  refs['character'] = useCharacter(one);
  refs['vehicle'] = useVehicle(two, CAR);
  return (
    <>
      <RigidBody ref={one} type="kinematicPosition">
        <BallCollider ref={collider} args={[1]} />
      </RigidBody>
      <RigidBody ref={two} />
      <InstancedRigidBodies ref={bodies} instances={[{ key: 0 }]}>
        <instancedMesh args={[undefined, undefined, 1]}>
          <boxGeometry />
        </instancedMesh>
      </InstancedRigidBodies>
    </>
  );
}

/** A method of each that changes something. */
const CHANGES: Readonly<Record<string, (handle: never) => void>> = {
  body: (body: RapierRigidBody) => body.applyImpulse({ x: 0, y: 1, z: 0 }, true),
  collider: (ball: RapierCollider) => ball.setFriction(0.25),
  instance: (body: RapierRigidBody) => body.setLinvel(ZERO, true),
  joint: (joint: { setLimits(min: number, max: number): void }) => joint.setLimits(-1, 1),
  probe: (probe: { setMaxToi(toi: number): void }) => probe.setMaxToi(5),
  character: (character: { move(velocity: object): void }) => character.move({ x: 1, y: 0, z: 0 }),
  vehicle: (vehicle: { drive(input: object): void }) => vehicle.drive({ engine: 1 }),
};

test('after an unmount, refs are empty, and what an application has kept warns once and does nothing', async () => {
  const scene = await runScene(<Scene />);
  Object.assign(refs, { body: one, collider });
  const kept = Object.keys(CHANGES).map(
    (name) => [name, name === 'instance' ? bodies.current?.[0] : refs[name]?.current] as const,
  );
  await scene.render(null);
  for (const [name, handle] of kept) {
    expect([name, (handle as RapierRigidBody).isValid()]).toEqual([name, false]);
    expect(refs[name]?.current ?? undefined).toBeUndefined();
  }
  expect(bodies.current).toBeNull();
  await scene.ticks(1);
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (const [name, handle] of [...kept, ...kept]) CHANGES[name]?.(handle as never);
  const texts = warnings.mock.calls.map(([text]) => String(text).replace(/ \d+ was/, ' was'));
  warnings.mockRestore();
  const kinds = ['body', 'collider', 'body', 'joint', 'probe', 'character', 'vehicle'];
  expect(texts).toEqual(
    kinds.map((kind) => expect.stringContaining(`betwixt: the ${kind} was removed from its world`)),
  );
  await scene.ticks(1);
  expect([scene.world.bodies.len(), scene.world.colliders.len()]).toEqual([0, 0]);
  await scene.unmount();
});
