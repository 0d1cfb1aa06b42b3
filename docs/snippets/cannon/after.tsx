import { RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useRef } from 'react';

// #region box
function Box() {
  const body = useRef<RapierRigidBody>(null);
  const jump = () => {
    const { x, y, z } = body.current?.linvel() ?? { x: 0, y: 0, z: 0 };
    if (Math.hypot(x, y, z) < 1) body.current?.applyImpulse({ x: 0, y: 5, z: 0 }, true);
  };
  return (
    <RigidBody ref={body} position={[0, 5, 0]} density={0.25} linearDamping={0.01}>
      <mesh onClick={jump}>
        <boxGeometry args={[2, 1, 2]} />
      </mesh>
    </RigidBody>
  );
}
// #endregion

export const AFTER = Box;
