/** A character by the engine's own controller, with gravity by hand: it walks onto a step, and stops at a wall. */
import { CapsuleCollider, RigidBody, useRapier, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useEffect, useRef, type JSX } from 'react';
import { Vector3, type Group } from 'three';
import { axis, held } from '../common/held.js';
import { Box, Plate, Solid } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';
import type { Scene } from '../scene.js';

type Controller = ReturnType<ReturnType<typeof useRapier>['world']['createCharacterController']>;

const SPEED = 3;
const JUMP_SPEED = 5;
const step = new Vector3();

function Player(): JSX.Element {
  const { world } = useRapier();
  const body = useRef<RapierRigidBody>(null);
  const figure = useRef<Group>(null);
  const controller = useRef<Controller>(null);
  const fall = useRef(0);

  useEffect(() => {
    const made = world.createCharacterController(0.1);
    made.enableAutostep(0.4, 0.1, true);
    made.enableSnapToGround(0.3);
    made.setApplyImpulsesToDynamicBodies(true);
    controller.current = made;
    return () => {
      controller.current = null;
      world.removeCharacterController(made);
    };
  }, [world]);

  useFrame((_, delta) => {
    if (body.current === null || controller.current === null || figure.current === null) return;
    step.set(axis('KeyD', 'KeyA'), 0, axis('KeyS', 'KeyW'));
    if (step.lengthSq() > 0) figure.current.rotation.y = Math.atan2(step.x, step.z);
    step.setLength(SPEED * delta * Math.min(1, step.length()));
    if (controller.current.computedGrounded()) fall.current = held.has('KeyE') ? JUMP_SPEED : 0;
    fall.current -= 9.81 * delta;
    step.y = fall.current * delta;
    controller.current.computeColliderMovement(body.current.collider(0), step);
    const { x, y, z } = controller.current.computedMovement();
    const from = body.current.translation();
    body.current.setNextKinematicTranslation({ x: from.x + x, y: from.y + y, z: from.z + z });
  });

  return (
    <RigidBody
      ref={body}
      type="kinematicPosition"
      colliders={false}
      position={[0, 1, 0]}
      userData={{ name: 'player' }}
    >
      <CapsuleCollider args={[0.4, 0.3]} />
      <group ref={figure}>
        <Solid color={colorOf(1)}>
          <capsuleGeometry args={[0.3, 0.8]} />
        </Solid>
        <Box color="#22262d" args={[0.4, 0.1, 0.1]} position={[0, 0.45, 0.25]} />
      </group>
    </RigidBody>
  );
}

const Content = (): JSX.Element => (
  <>
    <Player />
    <RigidBody type="fixed">
      <Plate size={20} />
      <Box color={WOOD} args={[2, 0.3, 6]} position={[2.5, 0.15, 0]} />
      <Box color={WOOD} args={[0.5, 3, 6]} position={[6, 1.5, 0]} />
    </RigidBody>
    <RigidBody position={[-3, 0.5, 0]} density={0.1} userData={{ name: 'crate' }}>
      <Box color={colorOf(0)} />
    </RigidBody>
  </>
);

export const scene: Scene = {
  camera: { position: [0, 6, 11], target: [1, 1, 0] },
  keys: 'WSADE',
  Content,
};
