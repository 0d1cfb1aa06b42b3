/** The names that both packages have while an application runs. */
import * as peer from '@react-three/rapier';
import { createRef } from 'react';
import { expect, test } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const { BallCollider, RapierCollider, RapierRigidBody, RigidBody } = ours;

test('every name of the other package is there', () => {
  const names = Object.keys(peer);
  expect(names).toEqual(expect.arrayContaining(['Physics', 'RapierRigidBody', 'useRapier']));
  expect(names.filter((name) => !(name in ours))).toEqual([]);
});

test('combine rules have the same numbers', () => {
  for (const [name, rule] of Object.entries(ours.CoefficientCombineRule)) {
    expect(peer.CoefficientCombineRule[name as 'Max']).toBe(rule);
  }
});

test('handles are instances of the classes that are exported', async () => {
  const body = createRef<ours.RapierRigidBody>();
  const collider = createRef<ours.RapierCollider>();
  const scene = await runScene(
    <RigidBody ref={body}>
      <BallCollider ref={collider} args={[1]} />
    </RigidBody>,
  );
  expect(body.current instanceof RapierRigidBody).toBe(true);
  expect(body.current instanceof RapierCollider).toBe(false);
  expect(collider.current instanceof RapierCollider).toBe(true);
  expect(scene.world.colliders.getAll()[0] instanceof RapierCollider).toBe(true);
  expect(scene.context.rapier.RigidBody).toBe(RapierRigidBody);
  await scene.unmount();
});

test('the shape of a collider makes another collider, and its own', async () => {
  const collider = createRef<ours.RapierCollider>();
  const scene = await runScene(<BallCollider ref={collider} args={[2]} />);
  const { shape } = collider.current as ours.RapierCollider;
  const { ColliderDesc, ShapeType } = scene.context.rapier;
  const copy = scene.world.createCollider(new ColliderDesc(shape));
  expect([copy.shapeType(), copy.radius()]).toEqual([ShapeType.Ball, 2]);
  collider.current?.setShape(ColliderDesc.cuboid(1, 1, 1).shape);
  expect(collider.current?.shapeType()).toBe(ShapeType.Cuboid);
  collider.current?.setShape(shape);
  expect(collider.current?.radius()).toBe(2);
  await scene.unmount();
});

test('a round hull has its border with indices and without', async () => {
  const points = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const scene = await runScene(
    <>
      <ours.AnyCollider shape="roundConvexHull" args={[points, 0.25]} />
      <ours.AnyCollider shape="roundConvexHull" args={[points, new Uint32Array(3), 0.5]} />
    </>,
  );
  expect(scene.world.colliders.getAll().map((one) => one.roundRadius())).toEqual([0.25, 0.5]);
  await scene.unmount();
});
