import { RigidBody, useProbe, type RapierRigidBody } from 'betwixt/react';
import { ProbeDesc } from 'betwixt/world';
import { useRef } from 'react';

/** A ray down from the middle, 1.1 m long. */
const DOWN = ProbeDesc.ray({ x: 0, y: 0, z: 0 }, { x: 0, y: -1, z: 0 }, 1.1);

export function Jumper() {
  const body = useRef<RapierRigidBody>(null);
  const ground = useProbe(DOWN, body);
  return (
    <RigidBody ref={body} lockRotations>
      <mesh
        onClick={() => {
          if (ground.current?.hit) body.current?.applyImpulse({ x: 0, y: 5, z: 0 }, true);
        }}
      >
        <boxGeometry args={[1, 2, 1]} />
      </mesh>
    </RigidBody>
  );
}
