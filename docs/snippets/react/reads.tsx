import { useFrame } from '@react-three/fiber';
import { RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useRef } from 'react';
import { Vector3, type Mesh } from 'three';

const place = new Vector3();

export function Ball() {
  const body = useRef<RapierRigidBody>(null);
  const mesh = useRef<Mesh>(null);
  useFrame(({ camera }) => {
    if (body.current === null || mesh.current === null) return;
    // Rules read the body: its newest state, or what was written and no state has yet.
    if (body.current.translation().y < -10) {
      body.current.setTranslation({ x: 0, y: 5, z: 0 }, true);
      body.current.setLinvel({ x: 0, y: 0, z: 0 }, true);
    }
    // Cameras and labels follow the object: what this frame draws.
    camera.lookAt(mesh.current.getWorldPosition(place));
  });
  return (
    <RigidBody ref={body} colliders="ball" linearDamping={0.2}>
      <mesh ref={mesh}>
        <sphereGeometry />
      </mesh>
    </RigidBody>
  );
}
