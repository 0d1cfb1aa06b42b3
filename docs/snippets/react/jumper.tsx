import { RigidBody, useRapier, type RapierRigidBody } from 'betwixt/react';
import { useRef } from 'react';

const DOWN = { x: 0, y: -1, z: 0 };

export function Jumper() {
  const body = useRef<RapierRigidBody>(null);
  const { world, rapier } = useRapier();
  const jump = () => {
    if (body.current === null) return;
    const ray = new rapier.Ray(body.current.translation(), DOWN);
    const ground = world.castRay(ray, 1.1, true, undefined, undefined, undefined, body.current);
    if (ground !== null) body.current.applyImpulse({ x: 0, y: 5, z: 0 }, true);
  };
  return (
    <RigidBody ref={body} lockRotations>
      <mesh onClick={jump}>
        <boxGeometry args={[1, 2, 1]} />
      </mesh>
    </RigidBody>
  );
}
